package rest

import (
	"net/http"

	"daybook/app"
	"daybook/app/fault"
)

var listBookings = route{
	method: http.MethodGet, path: "/v1/bookings", id: "listBookings", tag: "Bookings",
	summary: "List bookings",
	text: "Lists the workspace's bookings, a page at a time: upcoming ones in ascending order of their start unless `scope`, `from` or `to` " +
		"say otherwise. All statuses are listed unless `status` filters them. An unknown event type, host or invitee gives an empty list.",
	params: []param{
		{name: "scope", text: "`upcoming`: bookings that have not ended, ascending by start; `past`: those that have, descending. Ignored when `from` or `to` is set. No-shows lie in the past: `status=no_show` wants `scope=past`.",
			enum: []string{"upcoming", "past"}, fallback: "upcoming"},
		{name: "from", text: "Only bookings starting at or after this time: an ISO 8601 time, UTC when it has no zone, or a date, which is 00:00 in `timeZone`.", example: "2026-12-01"},
		{name: "to", text: "Only bookings starting strictly before this time; written as `from`.", example: "2026-12-08T00:00:00Z"},
		{name: "status", text: "Only bookings with this status, or with one of several joined by commas: `confirmed`, `pending`, `cancelled`, `no_show`, `rescheduled`.",
			list: true, example: "confirmed,rescheduled"},
		{name: "eventType", text: "Only bookings for this event type: its slug or id.", maxLength: maxRef, example: "haircut"},
		{name: "invitee", text: "Only bookings of the invitee with this e-mail address, compared without case.", maxLength: 254, example: "bo@example.com"},
		{name: "host", text: "Only bookings with the host of this id.", maxLength: maxRef, example: exampleHost},
		timeZoneParam("The IANA time zone in which bare dates are read; UTC when it is not given."),
		limitParam(50), cursorParam,
	},
	answers: []answerText{{status: 200, text: "A page of bookings.", body: fault.Page[app.Booking]{}, example: map[string]any{
		"data": []any{exampleBooking}, "hasMore": false, "nextCursor": nil,
	}}},
	handle: func(d *door, c *call) (app.Answer, error) {
		page, err := d.Bookings(c.ctx, c.actor, app.ListBookingsInput{
			Scope: c.query.text("scope"), From: c.query.text("from"), To: c.query.text("to"), Status: c.query.text("status"),
			EventType: c.query.text("eventType"), Invitee: c.query.text("invitee"), Host: c.query.text("host"),
			TimeZone: c.query.text("timeZone"), Limit: c.query.number("limit"), Cursor: c.query.text("cursor"),
		})
		if err != nil {
			return app.Answer{}, err
		}
		c.out = appendBookings(c.out, &page)
		return found(c.out)
	},
}

// maxRef is the longest id or slug that a caller may name; every real one is shorter.
const maxRef = 100

func limitParam(byDefault int) param {
	return param{name: "limit", kind: "integer", min: 1, max: 100, clamped: true, fallback: byDefault, example: 20,
		text: "How many results to answer at most. Above 100 counts as 100."}
}

func timeZoneParam(text string) param {
	return param{name: "timeZone", maxLength: 64, text: text, example: "Europe/Berlin"}
}

var cursorParam = param{name: "cursor", text: "Continues a list: the `nextCursor` of the page before, with the other parameters unchanged."}
