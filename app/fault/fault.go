// Package fault has the errors that callers see, with a code and a reason, the checks of single texts, and the envelope
// and limits of lists. It imports nothing of Daybook.
package fault

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// Code is the machine-readable kind of an error. Status maps it to an HTTP status; clients branch on it.
type Code string

const (
	BadRequest           Code = "bad_request"            // 400
	Unauthorized         Code = "unauthorized"           // 401
	Forbidden            Code = "forbidden"              // 403
	NotFound             Code = "not_found"              // 404
	MethodNotAllowed     Code = "method_not_allowed"     // 405
	Conflict             Code = "conflict"               // 409
	PreconditionFailed   Code = "precondition_failed"    // 412
	PayloadTooLarge      Code = "payload_too_large"      // 413
	UnsupportedMediaType Code = "unsupported_media_type" // 415
	RateLimited          Code = "rate_limited"           // 429
	Internal             Code = "internal"               // 500
	Unavailable          Code = "unavailable"            // 503, temporarily
)

// Error is an error that a caller may see: nothing in it is secret, and it never holds a private cause. It is made by
// New or a constructor that calls New, so that it always has the format of its message.
type Error struct {
	Code    Code
	Reason  string // stable, in snake_case, unique within the code; "" when the code says everything
	Field   string // the input that is wrong, as a path such as invitee.email
	Details map[string]any
	Others  []*Error // what is wrong with other fields of the same input, in their order

	Parts []*Error                    // the errors of a set-up file, which the message lists
	Later func(context.Context) error // adds details that need a search, outside any transaction

	text  Text
	named bool // the message begins with Field
	line  int  // of a file, which the message begins with; 0 is none
}

// New returns an error whose message is made of the format and its arguments: what is wrong and what to do, for people.
func New(code Code, reason, format string, args ...any) *Error {
	return &Error{Code: code, Reason: reason, text: Textf(format, args...)}
}

// At sets the field that is wrong, with which the message then begins, and returns e.
func (e *Error) At(field string) *Error {
	e.Field, e.named = field, true
	return e
}

// About sets the field that is wrong, with which the message does not begin, and returns e.
func (e *Error) About(field string) *Error {
	e.Field, e.named = field, false
	return e
}

// Saying returns a copy of e with that text as its message, such as a translation.
func (e *Error) Saying(text string) *Error {
	said := *e
	said.text, said.named, said.line = Textf("%s", text), false, 0
	return &said
}

// Error returns the message, which callers see.
func (e *Error) Error() string {
	said := e.text.String()
	if e.named && e.Field != "" {
		said = e.Field + ": " + said
	}
	if e.line > 0 {
		said = fmt.Sprintf("line %d: %s", e.line, said)
	}
	return said
}

// Text returns the message without the field and the line that it begins with.
func (e *Error) Text() Text { return e.text }

// Fault is one wrong field of an input, as it appears in details.fields.
type Fault struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// faults returns the wrong fields, each once; nil when there is only one.
func (e *Error) faults() (all []Fault) {
	for _, o := range append([]*Error{e}, e.Others...) {
		if o.Field != "" && !slices.ContainsFunc(all, func(f Fault) bool { return f.Field == o.Field }) {
			all = append(all, Fault{o.Field, o.Error()})
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// DetailsObject returns the `details` object of the response: Details with reason, field and, when several fields are
// wrong, fields. It is nil when there are none.
func (e *Error) DetailsObject() map[string]any {
	if e.Reason == "" && e.Field == "" && len(e.Details) == 0 {
		return nil
	}
	d := make(map[string]any, len(e.Details)+2)
	for k, v := range e.Details {
		d[k] = v
	}
	if e.Reason != "" {
		d["reason"] = e.Reason
	}
	if e.Field != "" {
		d["field"] = e.Field
	}
	if all := e.faults(); all != nil {
		d["fields"] = all
	}
	return d
}

// With adds a detail and returns e.
func (e *Error) With(key string, value any) *Error {
	if e.Details == nil {
		e.Details = map[string]any{}
	}
	e.Details[key] = value
	return e
}

// OnLine adds the line of a file to the error and its message; 0 means the line is unknown.
func (e *Error) OnLine(line int) *Error {
	if line > 0 {
		e.line = line
		return e.With("line", line)
	}
	return e
}

// As returns the *Error in err, or nil if err is one that a caller must not see.
func As(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// Refusal returns the *Error in err if it is a decision by the rules, and nil if it is unavailable, which means that
// there can be no decision at the moment.
func Refusal(err error) *Error {
	if e := As(err); e != nil && e.Code != Unavailable {
		return e
	}
	return nil
}

// Is reports whether err is an *Error of that code.
func Is(err error, code Code) bool {
	e := As(err)
	return e != nil && e.Code == code
}

// Invalid returns a bad_request that names the field.
func Invalid(field, format string, args ...any) *Error {
	return New(BadRequest, "invalid", format, args...).At(field)
}

// Problems collects the errors of the fields of one input.
type Problems []*Error

// Add adds the error of a field; nil adds nothing.
func (p *Problems) Add(err error) {
	if e := As(err); e != nil {
		*p = append(append(*p, e), e.Others...)
		e.Others = nil
	}
}

// Err returns the first error, with the others in its details; nil if there is none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	p[0].Others = p[1:]
	return p[0]
}

// Join returns the first of several fields' errors, with the others in its details; nil if there is none. Errors that
// are not an *Error are left out.
func Join(errs ...error) error {
	var p Problems
	for _, err := range errs {
		p.Add(err)
	}
	return p.Err()
}

// Missing returns the not_found error for a resource. The error is the same for an id of another workspace.
func Missing(what, id string) *Error {
	return New(NotFound, "", "There is no %s %q in this workspace.", what, id)
}

// Misses reports whether e says that there is no such resource, as Missing names it.
func (e *Error) Misses(what string) bool {
	return e.Code == NotFound && len(e.text.Args) > 0 && e.text.Args[0] == what
}

// Missed returns what Missing was given; "" if e isn't such an error.
func (e *Error) Missed() (what, id string) {
	if e.Code != NotFound || e.text.Format != Missing("", "").text.Format {
		return "", ""
	}
	what, _ = e.text.Args[0].(string)
	id, _ = e.text.Args[1].(string)
	return what, id
}

// Conflictf returns a conflict with that reason.
func Conflictf(reason, format string, args ...any) *Error {
	return New(Conflict, reason, format, args...)
}

// ErrNotFound is returned by a Store for a row that does not exist.
var ErrNotFound = errors.New("not found")

// ErrTaken is returned by a Store if a unique name (slug, e-mail) is already in use.
var ErrTaken = errors.New("taken")

// OrMissing returns missing if the store found no row, else err.
func OrMissing(err error, missing *Error) error {
	if errors.Is(err, ErrNotFound) {
		return missing
	}
	return err
}
