package rest

import (
	"encoding/json"
	"net/http"
	"net/netip"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/subjects"
)

// PublicCall is a request that Admit has let through.
type PublicCall interface {
	Call
	From() netip.Addr // invalid if nobody knows
}

// PublicRoute is one operation.
type PublicRoute struct {
	openapi.Route
	// Prepare, if it isn't nil, comes first and once, outside of the transaction of an Idempotency-Key.
	Prepare func(*Door, PublicCall) error
	Handle  func(*subjects.Set, PublicCall) (app.Response, error)
}

// PublicRoutes returns the operations. slots is the list of open times as keys get it, of which the one for visitors has the
// parameters that are for them.
func PublicRoutes(slots openapi.Route) []PublicRoute {
	return []PublicRoute{publicEventTypes, publicAvailability(slots), publicCreateBooking, publicJoin}
}

const tag = "Web pages"

var publicEventTypes = PublicRoute{Route: openapi.Route{
	Method: http.MethodGet, Path: Path + "event-types", ID: "listPublicEventTypes", Tag: tag, Public: true,
	Summary: "List what visitors can book",
	Text: "Lists the event types that visitors of a page may book with this public key, in the owner's order. Those " +
		"that are hidden or switched off don't exist here.",
	Params:    []openapi.Param{openapi.Limit(50), openapi.Cursor},
	Successes: []openapi.Success{{Status: 200, Text: "A page of event types.", Body: fault.Page[eventType]{}}},
}, Handle: func(s *subjects.Set, c PublicCall) (app.Response, error) {
	a := c.Actor()
	if err := a.May(app.MaySeeEventTypes); err != nil {
		return app.Response{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return app.Response{}, err
	}
	found, err := setup.EventTypePage(c.Number("limit"), c.Text("cursor"), func(e *catalog.EventType) bool {
		return listed(a, e)
	})
	if err != nil {
		return app.Response{}, err
	}
	page := fault.Page[eventType]{Data: []eventType{}, HasMore: found.HasMore, NextCursor: found.NextCursor}
	for i := range found.Data {
		page.Data = append(page.Data, eventTypeOf(setup, &found.Data[i]))
	}
	return publicResponse(http.StatusOK, page)
}}

// listed reports whether visitors know of the event type.
func listed(a app.Actor, e *catalog.EventType) bool {
	return e.Listed() && a.SeesEventType(e)
}

// known refuses an event type that visitors don't know of, as if it weren't there.
func known(s *subjects.Set, a app.Actor, ref string) (*catalog.Setup, *catalog.EventType, error) {
	setup, err := s.SetupFor(a)
	if err != nil {
		return nil, nil, err
	}
	e := setup.EventType(ref)
	if ref != "" && (e == nil || !listed(a, e)) {
		return nil, nil, fault.Missing("event type", ref)
	}
	return setup, e, nil
}

// forVisitors are the parameters of open times that visitors may give.
var forVisitors = map[string]bool{"eventType": true, "from": true, "to": true, "days": true, "timeZone": true,
	"host": true, "addOns": true, "seats": true, "weekdays": true, "firstPerDay": true, "limit": true, "cursor": true}

func publicAvailability(slots openapi.Route) PublicRoute {
	slots.Path, slots.ID, slots.Tag, slots.Public = Path+"availability", "getPublicAvailability", tag, true
	slots.Summary = "List open times for visitors"
	slots.Text = "Lists the open starts of an event type in [`from`, `to`), earliest first, as `GET /api/v1/availability` " +
		"does, for visitors of a page: without what is closed, and why."
	var params []openapi.Param
	for _, p := range slots.Params {
		if forVisitors[p.Name] {
			p.Required = p.Name == "eventType"
			params = append(params, p)
		}
	}
	slots.Params = params
	return PublicRoute{Route: slots, Handle: func(s *subjects.Set, c PublicCall) (app.Response, error) {
		if _, _, err := known(s, c.Actor(), c.Text("eventType")); err != nil {
			return app.Response{}, err
		}
		open, err := s.Availability(c.Context(), c.Actor(), availability.Input{
			EventType: c.Text("eventType"), From: c.Text("from"), To: c.Text("to"), Days: c.Number("days"),
			TimeZone: c.Text("timeZone"), Host: c.Text("host"), Limit: c.Number("limit"), Cursor: c.Text("cursor"),
			Weekdays: c.Text("weekdays"), FirstPerDay: c.Flag("firstPerDay"),
			Choice: catalog.ReadChoice(c.Text("addOns"), c.Number("seats")),
		})
		if err != nil {
			return app.Response{}, err
		}
		return app.Response{Status: http.StatusOK, Body: open.AppendJSON(nil)}, nil
	}}
}

var publicCreateBooking = PublicRoute{Route: openapi.Route{
	Method: http.MethodPost, Path: Path + "bookings", ID: "createPublicBooking", Tag: tag, Public: true,
	Summary: "Book as a visitor",
	Text: "Books a time for the visitor of a page, under the rules and limits of the booking page: so many an hour from " +
		"a network address, and with a proof of work where the server asks for one. `manageUrl` is the visitor's own: show " +
		"it to them and keep it nowhere. Nobody is told of what an e-mail address or telephone number has booked already: " +
		"where seats or hosts are left, it books again. So send an `Idempotency-Key`, by which a retry books once.",
	Body: publicBooking{},
	BodyExample: map[string]any{
		"eventType": "haircut", "start": "2026-12-01T09:00:00Z",
		"invitee": map[string]any{"name": "Bo Berg", "email": "bo@example.com", "timeZone": "Europe/Berlin"},
	},
	Successes: []openapi.Success{{Status: 201, Text: "The booking.", Body: booked{}}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed, or `start` can't be booked: `details.reason`."},
		{Code: fault.NotFound, Text: "The event type or the host is unknown, or not for visitors."},
		{Code: fault.Conflict, Text: "`details.reason` is `slot_taken`, with `details.alternatives`, also where the invitee has " +
			"booked that time themselves; `person_upcoming`, `person_day_full` or `person_week_full`; `proof_of_work`, with `details.key` and " +
			"`details.bits`; or `page_only`, with `details.url`: the visitor must agree to a fee, on the booking page."},
	},
}, Prepare: func(d *Door, c PublicCall) error {
	in, err := read(c)
	if err != nil {
		return err
	}
	return d.spend(c, in)
}, Handle: func(s *subjects.Set, c PublicCall) (app.Response, error) {
	in, err := read(c)
	if err != nil {
		return app.Response{}, err
	}
	setup, e, err := known(s, c.Actor(), in.EventType)
	if err != nil {
		return app.Response{}, err
	}
	if e != nil && setup.AsksForFee(e) {
		return app.Response{}, fault.Conflictf("page_only", "The visitor must agree to a fee, which they can do on the "+
			"booking page: %s", e.BookingURL).With("url", e.BookingURL)
	}
	b, err := s.Book(c.Context(), c.Actor(), in.input())
	if err != nil {
		return app.Response{}, err
	}
	return publicResponse(http.StatusCreated, bookedOf(&b))
}}

var publicJoin = PublicRoute{Route: openapi.Route{
	Method: http.MethodPost, Path: Path + "waitlist", ID: "joinPublicWaitlist", Tag: tag, Public: true,
	Summary: "Wait as a visitor",
	Text: "Asks to put the visitor of a page on the waitlist. They are mailed a link, or texted one if they gave a telephone number alone, and the entry counts once they have opened it and " +
		"said yes; without that it is gone after 24 hours. From a network address 5 entries an hour are taken.",
	Body: publicWait{},
	BodyExample: map[string]any{
		"items":   []any{map[string]any{"eventType": "haircut"}},
		"wishes":  []any{map[string]any{"from": "2026-12-01", "to": "2026-12-04"}},
		"invitee": map[string]any{"name": "Bo Berg", "email": "bo@example.com", "timeZone": "Europe/Berlin"},
	},
	Successes: []openapi.Success{{Status: 202, Text: "The link is on its way.", Body: publicWaits{}}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed."},
		{Code: fault.NotFound, Text: "An event type or a host is unknown, or not for visitors."},
		{Code: fault.Conflict, Text: "`details.reason` is `waitlist_full`; `page_only`: the business sends no mails, so that nothing could be offered; or `no_text`: no text can go to the number now."},
	},
}, Prepare: func(d *Door, c PublicCall) error {
	var in publicWait
	if err := c.Decode(&in); err != nil {
		return err
	}
	return d.waits.Spend(c.Context(), c.From())
}, Handle: func(s *subjects.Set, c PublicCall) (app.Response, error) {
	var in publicWait
	if err := c.Decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.Invitee == nil {
		return app.Response{}, noInvitee()
	}
	in.Input.Invitee = booking.Invitee(*in.Invitee)
	e, err := s.Waitlist.Join(c.Context(), c.Actor(), in.Input)
	if err != nil {
		return app.Response{}, err
	}
	return publicResponse(http.StatusAccepted, publicWaits{e.Status})
}}

// read reads the body of a booking.
func read(c PublicCall) (*publicBooking, error) {
	var in publicBooking
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if in.Invitee == nil {
		_, err := (&booking.BookInput{EventType: in.EventType, Start: in.Start}).CheckRest()
		return nil, fault.Join(noInvitee(), err)
	}
	if len(in.Start) > booking.MaxRef || len(in.EventType) > booking.MaxRef { // before anything is made of them
		return nil, fault.Invalid("start", "is too long")
	}
	return &in, nil
}

func publicResponse(status int, v any) (app.Response, error) {
	text, err := json.Marshal(v)
	return app.Response{Status: status, Body: text}, err
}
