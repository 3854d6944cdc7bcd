package rest

import (
	"encoding/json"
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

// routes are all operations that need a key, in the order of the document.
var routes = []route{
	listBookings, createBooking, getBooking, cancelBooking, rescheduleBooking, markNoShow, confirmBooking, declineBooking,
	listEventTypes, getEventType,
	getAvailability,
	listContacts, createContact, getContact,
	listEndpoints, createEndpoint, getEndpoint, deleteEndpoint, listEvents,
}

// route is one operation: how it is reached, what the document says of it, and what does it.
type route struct {
	method, path  string
	id, tag       string
	summary, text string

	params       []param
	body         any // of the type that the handler decodes; nil when it takes none
	bodyExample  any
	bodyOptional bool
	unstored     bool // the answer shows a secret: an Idempotency-Key keeps nothing

	answers []answerText
	errors  []errorText // besides those that every operation has
	handle  func(*door, *call) (app.Answer, error)
}

// answerText describes a success.
type answerText struct {
	status   int
	text     string
	body     any    // of the type that is encoded
	location string // what the Location header points at
	example  any
}

// errorText describes an error that an operation has of its own.
type errorText struct {
	code fault.Code
	text string
}

// found answers what a handler wrote.
func found(body []byte) (app.Answer, error) {
	return app.Answer{Status: http.StatusOK, Body: body}, nil
}

// encoded answers a value that is seldom asked for, or the error in its stead.
func encoded[T any](v T, err error) (app.Answer, error) {
	if err != nil {
		return app.Answer{}, err
	}
	text, err := json.Marshal(v)
	return app.Answer{Status: http.StatusOK, Body: text}, err
}
