package text

// ConsentReads finds out who agreed to texts.
type ConsentReads interface{}

// ConsentWrites notes who agrees to texts.
type ConsentWrites interface{}
