package disk

const setOFDLock = 90 // F_OFD_SETLK, which syscall doesn't name
