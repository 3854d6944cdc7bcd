package openapi

import "daybook/app/fault"

// Route describes one operation: the document is made from it, and the door reads requests by it.
type Route struct {
	Method, Path  string
	ID, Tag       string
	Summary, Text string

	Params       []Param
	Body         any // of the type that the handler decodes; nil when it takes none
	BodyExample  any
	BodyOptional bool
	Unstored     bool // the answer shows a secret: an Idempotency-Key keeps nothing

	Answers []Answer
	Errors  []Error // besides those that every operation has
}

// Answer describes a success.
type Answer struct {
	Status   int
	Text     string
	Body     any    // of the type that is encoded
	Location string // what the Location header points at
	Example  any
}

// Error describes an error that an operation has besides the common ones.
type Error struct {
	Code fault.Code
	Text string
}
