package rest

import (
	"cmp"
	"net/http"
	"time"

	"daybook/app"
	"daybook/app/access"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
	"daybook/app/when"
)

var listBookings = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/bookings", ID: "listBookings", Tag: "Bookings",
	Summary: "List bookings",
	Text: "Lists the workspace's bookings, a page at a time: upcoming ones in ascending order of their start unless " +
		"`scope`, `from`, `to` or `updatedSince` " +
		"say otherwise. All statuses are listed unless `status` filters them. An unknown event type, host or invitee " +
		"gives an empty list with a `hint`.",
	Params: []openapi.Param{
		{Name: "scope",
			Text: "`upcoming`: bookings that have not ended, ascending by start; `past`: those that have, descending; `all`: " +
				"both, descending. " +
				"Ignored when `from` or `to` is set. No-shows lie in the past: `status=no_show` wants `scope=past`.",
			Enum: []string{"upcoming", "past", "all"}, Default: "upcoming"},
		{Name: "from",
			Text: "Only bookings starting at or after this time: an ISO 8601 time, UTC when it has no zone, or a date, which " +
				"is 00:00 in `timeZone`.", Example: "2026-12-01"},
		{Name: "to", Text: "Only bookings starting strictly before this time; written as `from`.",
			Example: "2026-12-08T00:00:00Z"},
		{Name: "updatedSince", Text: "Only bookings that were changed, or made, at or after this time; written as `from`. The one whose change is " +
			"the longest ago comes first, by `updatedAt`, and `scope` is ignored. One that changes while you page comes again, further " +
			"down. To keep a copy, remember the time at which you begin, read all pages, and next time ask since a minute before it: " +
			"what comes twice has the same `updatedAt`. Merging contacts, or deleting their data, changes no `updatedAt`.",
			Example: "2026-12-01T08:00:00Z"},
		{Name: "status", Text: "Only bookings with this status, or with one of several joined by commas: " +
			booking.NamesOf(booking.Statuses, "`", ", ") + "; `" + booking.LiveOnes + "` is all that takes place or may: " +
			booking.NamesOf(booking.LiveStatuses, "`", ", ") + ".", List: true, Enum: wordsOf(booking.Statuses, booking.LiveOnes),
			Example: "confirmed,rescheduled"},
		{Name: "eventType", Text: "Only bookings for this event type: its slug or id.", MaxLength: booking.MaxRef,
			Example: "haircut"},
		{Name: "invitee", Text: "Only bookings of the invitee with this e-mail address, compared without case, or this " +
			"telephone number.",
			MaxLength: fault.MaxEmail, Example: "bo@example.com"},
		{Name: "contact", Text: "Only bookings of the contact with this id.", MaxLength: booking.MaxRef, Example: "ct_1p4s8ywa0g0m3"},
		{Name: "host", Text: "Only bookings with the host of this id.", MaxLength: booking.MaxRef,
			Example: openapi.ExampleHost},
		{Name: "series", Text: "Only bookings of the series with this id.", MaxLength: booking.MaxRef, Example: "sr_1p4s8yvz04k2c"},
		{Name: "q", MaxLength: fault.MaxSearch, Example: "mei muster",
			Text: "Only bookings of invitees whose name, e-mail address or telephone number has words that begin so; every " +
				"word given must match. Of the 50 newest such invitees."},
		timeZoneParam("The IANA time zone in which bare dates are read; UTC when it is not given."),
		limitParam(50), cursorParam,
	},
	Successes: []openapi.Success{{Status: 200, Text: "A page of bookings.", Body: bookingList{},
		Example: map[string]any{"data": []any{openapi.ExampleBooking}, "hasMore": false, "nextCursor": nil}}},
}, handle: func(d *door, c *call) (app.Response, error) {
	page, err := d.Bookings(c.ctx, c.actor, booking.ListBookingsInput{
		Scope: c.query.text("scope"), From: c.query.text("from"), To: c.query.text("to"), UpdatedSince: c.query.text("updatedSince"), Status: c.query.text("status"),
		EventType: c.query.text("eventType"), Invitee: c.query.text("invitee"), Contact: c.query.text("contact"), Series: c.query.text("series"), Host: c.query.text("host"),
		TimeZone: c.query.text("timeZone"), Limit: c.query.number("limit"), Cursor: c.query.text("cursor"),
		Q: c.query.text("q"),
	})
	if err != nil {
		return app.Response{}, err
	}
	if c.out, err = access.AppendPage(c.out, &page, (*booking.Booking).AppendJSON); err != nil {
		return app.Response{}, err
	}
	c.out = c.query.appendDatesZone(c.out)
	return found(c.out)
},
}

// bookingList is the shape of the answer's JSON, for the document.
type bookingList struct {
	fault.Page[booking.Booking]
	DatesTimeZone string `json:"datesTimeZone,omitempty"`
}

// datesZone returns the time zone in which bare dates of from, to and of more are read; "" is that none is given.
func (q *query) datesZone(more ...string) string {
	for _, name := range append([]string{"from", "to"}, more...) {
		if _, err := when.ParseDay(q.text(name), time.UTC); err == nil {
			return cmp.Or(q.text("timeZone"), "UTC")
		}
	}
	return ""
}

// appendDatesZone adds datesTimeZone to the JSON of an object, where bare dates were given.
func (q *query) appendDatesZone(object []byte) []byte {
	zone := q.datesZone("updatedSince")
	if zone == "" {
		return object
	}
	object = append(object[:len(object)-1], `,"datesTimeZone":`...)
	return append(booking.AppendText(object, zone), '}')
}

func limitParam(byDefault int) openapi.Param { return openapi.Limit(byDefault) }

func timeZoneParam(text string) openapi.Param { return openapi.TimeZone(text) }

var cursorParam = openapi.Cursor

// wordsOf returns the values of a parameter.
func wordsOf[T ~string](of []T, more ...string) []string {
	words := make([]string, len(of), len(of)+len(more))
	for i, s := range of {
		words[i] = string(s)
	}
	return append(words, more...)
}
