package disk

import "syscall"

// Package syscall does not define these.
const (
	getOFDLock = 36 // F_OFD_GETLK
	setOFDLock = 37 // F_OFD_SETLK
)

func changedAt(s *syscall.Stat_t) syscall.Timespec { return s.Ctim }
