package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"

	"daybook/app"
	"daybook/app/access"
	"daybook/app/account"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

// routes are all operations that need a key, in the order of the document.
var routes = append([]route{
	listBookings, createBooking, getBooking, editBooking, cancelBooking, rescheduleBooking, markArrived, markDone,
	markNoShow, undoMark, answerComing, confirmBooking, declineBooking, resendMail,
	recordPayment, refundPayment, issueReceipt, listReceipts, getReceipt, getTill, closeTill,
	listSales, createSale, getSale, changeSale, paySale, refundSale, voidSale,
	listPasses, findPass, getPass, listPassEntries, showPassCode,
	listEventTypes, getEventType,
	getAvailability, createHold, releaseHold,
	createVisit, getVisit, cancelVisit, moveVisit, missVisit,
	createSeries, getSeries, cancelSeries, moveSeries,
	listWaitlist, joinWaitlist, getWaitlistEntry, endWaitlistEntry, offerWaitlistEntry,
	listContacts, createContact, getContact,
	getContactCard, listEntries, createEntry, pinEntry, deleteEntry,
	listConsents, createConsent, withdrawConsent, listHealth, createHealth, deleteHealth,
	listFiles, uploadFile, getFile, getFileContent, deleteFile,
	listPictures, uploadPicture, getPicture, deletePicture,
	listInvitations, createInvitation, getInvitation, revokeInvitation, resendInvitation,
	listEndpoints, createEndpoint, getEndpoint, listEvents,
}, append(visitors(), managed()...)...)

// managed returns the operations that set a workspace up.
func managed() (all []route) {
	for _, r := range Routes() {
		all = append(all, route{Route: r.Route, handle: func(d *door, c *call) (app.Response, error) {
			return r.Handle(d.Set, managing{d, c})
		}})
	}
	return all
}

// visitors returns the operations of public keys.
func visitors() (all []route) {
	for _, r := range PublicRoutes(getAvailability.Route) {
		of := route{Route: r.Route, handle: func(d *door, c *call) (app.Response, error) {
			return r.Handle(d.Set, managing{d, c})
		}}
		if r.Prepare != nil {
			of.prepare = func(d *door, c *call) error { return r.Prepare(d.public, managing{d, c}) }
		}
		all = append(all, of)
	}
	return all
}

// managing is a call as the packages manage and public see it.
type managing struct {
	d *door
	c *call
}

func (m managing) Context() context.Context { return m.c.ctx }

func (m managing) Actor() app.Actor { return m.c.actor }

func (m managing) Key() account.Key { return m.c.key }

func (m managing) Path(name string) string { return cut(m.c.r.PathValue(name), maxID) }

func (m managing) Text(name string) string { return m.c.query.text(name) }

func (m managing) Number(name string) *int { return m.c.query.number(name) }

func (m managing) Flag(name string) bool { return m.c.query.flag(name) }

func (m managing) Decode(into any) error { return m.c.decode(into) }

func (m managing) Match() string { return fault.ETagHeader(m.c.r.Header.Values("If-Match")) }

func (m managing) From() netip.Addr { return access.From(m.c.r) }

func (m managing) Address(path string) string { return m.d.BaseURL() + prefix + path }

// route is one operation: its description and its handler.
type route struct {
	openapi.Route
	// handle answers. That of a POST also runs on services that are bound to a transaction, for an Idempotency-Key or a
	// dry run: it changes data through these only, and reaches nothing beyond the database.
	handle func(*door, *call) (app.Response, error)
	// prepare, if it isn't nil, does before handle what takes long and changes nothing but counts.
	prepare func(*door, *call) error
}

// found returns a 200 with an encoded body.
func found(body []byte) (app.Response, error) {
	return app.Response{Status: http.StatusOK, Body: body}, nil
}

// encoded returns a 200 with the JSON of v, for results whose speed does not matter, or the error if there is one.
func encoded[T any](v T, err error) (app.Response, error) {
	if err != nil {
		return app.Response{}, err
	}
	text, err := json.Marshal(v)
	return app.Response{Status: http.StatusOK, Body: text}, err
}
