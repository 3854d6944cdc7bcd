package disk

const setOFDLock = 37 // F_OFD_SETLK, which package syscall does not define
