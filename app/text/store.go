package text

import (
	"daybook/app"
	"daybook/app/mail"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
	ConsentReads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	mail.Reads
	mail.Writes
	Reads
	Writes
	ConsentReads
	ConsentWrites
}

// Reads finds texts, and the senders that they go through.
type Reads interface{}

// Writes writes texts and the results of sending them.
type Writes interface{}
