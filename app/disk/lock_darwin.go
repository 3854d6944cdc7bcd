package disk

// Package syscall does not define these.
const (
	setOFDLock = 90 // F_OFD_SETLK
	getOFDLock = 92 // F_OFD_GETLK
)
