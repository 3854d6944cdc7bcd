package sqlite

const setOFDLock = 37 // F_OFD_SETLK, which syscall doesn't name
