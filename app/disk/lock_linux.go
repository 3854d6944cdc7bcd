package disk

// Package syscall does not define these.
const (
	getOFDLock = 36 // F_OFD_GETLK
	setOFDLock = 37 // F_OFD_SETLK
)
