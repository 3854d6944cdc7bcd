package openapi

import "daybook/app/fault"

// Route describes one operation, for the document and for reading its requests.
type Route struct {
	Method, Path  string
	ID, Tag       string
	Summary, Text string

	Params       []Param
	IfMatch      string // what that header says, where the operation takes it
	Body         any    // a value of the type that the handler decodes; nil if it takes no body
	BodyType     Type   // its name in the document and its fields, unless those are known by its Go type
	BodyExample  any
	BodyOptional bool
	// Media are the media types of a body that is a file of at most MaxBytes, in place of JSON. Its answer is not stored
	// under an Idempotency-Key: the same file again gets the same.
	Media    []string
	MaxBytes int
	Another  bool // the same file again is another one
	Public   bool // it is for public keys, and for them only
	Unstored bool // the answer contains a secret, so it is not stored under an Idempotency-Key

	Successes []Success
	Errors    []Error // in addition to those that every operation has
}

// Success describes a success.
type Success struct {
	Status   int
	Text     string
	Body     any      // a value of the type that is encoded
	Lists    string   // what it is a page of, where that is said nowhere else
	Media    []string // of a body that is a file, in place of JSON
	ETag     bool     // it comes with the version of the resource
	Location string   // what the Location header refers to
	Example  any
}

// Error describes an error of one operation, in addition to the common ones.
type Error struct {
	Code fault.Code
	Text string
}
