// The SQL of texts to telephones: the queue and its log, senders, numbers and months.
package store

import "daybook/app/text"

// What package text reads and writes is here and in text_consent.go.
var (
	_ text.Reader = queries{}
	_ text.Reader = tx{}
	_ text.Tx     = tx{}
)
