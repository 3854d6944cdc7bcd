package disk

import "syscall"

// Package syscall does not define these.
const (
	setOFDLock = 90 // F_OFD_SETLK
	getOFDLock = 92 // F_OFD_GETLK
)

func changedAt(s *syscall.Stat_t) syscall.Timespec { return s.Ctimespec }
