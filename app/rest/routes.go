package rest

import (
	"encoding/json"
	"net/http"

	"daybook/app"
	"daybook/app/rest/openapi"
)

// routes are all operations that need a key, in the order of the document.
var routes = []route{
	listBookings, createBooking, getBooking, editBooking, cancelBooking, rescheduleBooking, markArrived, markDone,
	markNoShow, undoMark, confirmBooking, declineBooking, resendMail,
	recordPayment, refundPayment, issueReceipt, listReceipts, getReceipt, getTill, closeTill,
	listEventTypes, getEventType,
	getAvailability,
	listContacts, createContact, getContact,
	listPictures, uploadPicture, getPicture, deletePicture,
	listInvitations, createInvitation, getInvitation, revokeInvitation, resendInvitation,
	listEndpoints, createEndpoint, getEndpoint, deleteEndpoint, listEvents,
}

// route is one operation: its description and its handler.
type route struct {
	openapi.Route
	handle func(*door, *call) (app.Answer, error)
}

// found is a 200 with an encoded body.
func found(body []byte) (app.Answer, error) {
	return app.Answer{Status: http.StatusOK, Body: body}, nil
}

// encoded is a 200 with the JSON of v, for results whose speed does not matter, or the error if there is one.
func encoded[T any](v T, err error) (app.Answer, error) {
	if err != nil {
		return app.Answer{}, err
	}
	text, err := json.Marshal(v)
	return app.Answer{Status: http.StatusOK, Body: text}, err
}
