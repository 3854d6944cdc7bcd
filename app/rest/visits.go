package rest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/rest/openapi"
)

var createVisit = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/visits", ID: "createVisit", Tag: "Visits",
	Summary: "Book several services at once",
	Text: "Books 1 to 6 services for one person, one after the other: all of them or none. Send back the `items` of a slot " +
		"of `GET /api/v1/availability?items=…` as they are, or give `start` and let the items be arranged: the arrangement that " +
		"ends first is taken. Each item becomes a booking of its own, with its event, which says `visit`. Between two " +
		"services with the same host lies no buffer. If one of them needs approval, all of them are pending, and are confirmed, declined or lapse together. What is paid online, prices and " +
		"deposits, is one sum: `payment` has where the invitee pays it, until then all wait, for 30 minutes, and it is refunded by " +
		"booking. Where one has a fee, the same page saves the card for it. Services that are paid online in several currencies " +
		"can't be in one visit.",
	Body:     visitBody{},
	BodyType: openapi.Type{Name: "VisitRequest", Fields: &booking.VisitInputFields},
	BodyExample: map[string]any{
		"items": []any{map[string]any{"eventType": "haircut"}, map[string]any{"eventType": "beard-trim"}},
		"start": "2026-12-01T09:00:00Z", "invitee": map[string]any{"name": "Bo Berg", "email": "bo@example.com"},
	},
	Successes: []openapi.Success{{Status: 201, Text: "The visit.", Body: booking.Visit{}, Location: "The new visit.", ETag: true}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed, or an item can never be booked then: see createBooking."},
		{Code: fault.NotFound, Text: "An event type or a host is unknown."},
		{Code: fault.Conflict, Text: "`details.reason` is `slot_taken`: the items don't fit at that start, and " +
			"`details.alternatives` are up to 3 next open slots of the visit; or another of createBooking."},
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in visitBody
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	if in.Invitee == nil && in.WalkIn {
		in.Invitee = &invitee{}
	}
	if in.Invitee == nil {
		_, _, err := booking.CheckVisit(in.Items, in.Start, &in.VisitChoice)
		return app.Response{}, fault.Join(noInvitee(), err)
	}
	in.VisitInput.Invitee = booking.Invitee(*in.Invitee)
	v, err := d.BookVisit(c.ctx, c.actor, in.VisitInput)
	answer, err := visitAnswer(v, err)
	if err == nil {
		answer.Status, answer.Location = http.StatusCreated, d.BaseURL()+prefix+"/v1/visits/"+v.ID.String()
	}
	return answer, err
},
}

// visitAnswer answers a visit with its ETag, or the error in its stead.
func visitAnswer(v booking.Visit, err error) (app.Response, error) {
	answer, err := encoded(v, err)
	if err == nil {
		answer.ETag = v.ETag()
	}
	return answer, err
}

// visitMatch is what If-Match says of a visit.
const visitMatch = "The `ETag` of the visit as you know it."

// visitBody is the body of createVisit. Its invitee is nil when it was left out.
type visitBody struct {
	booking.VisitInput
	Invitee *invitee `json:"invitee"`
}

var getVisit = route{Route: openapi.Route{
	Method: http.MethodGet, Path: "/v1/visits/{id}", ID: "getVisit", Tag: "Visits",
	Summary: "Retrieve a visit",
	Text: "Answers a visit with its bookings, cancelled ones too; of a key of some hosts or services those that it may " +
		"see. `ETag` names the version of what is answered, for `If-Match`.",
	Successes: []openapi.Success{{Status: 200, Text: "The visit.", Body: booking.Visit{}, ETag: true}},
	Errors:    []openapi.Error{{Code: fault.NotFound, Text: "There is no such visit in the workspace."}},
}, handle: func(d *door, c *call) (app.Response, error) {
	return visitAnswer(d.Visit(c.ctx, c.actor, c.id()))
},
}

var cancelVisit = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/visits/{id}/cancel", ID: "cancelVisit", Tag: "Visits",
	Summary: "Cancel a visit",
	Text: "Cancels all bookings of the visit, as cancelBooking does each of them, or none: a no-show among them is 409. " +
		"Cancelling again is 200 and changes nothing.",
	IfMatch: visitMatch,
	Body:    app.CancelInput{}, BodyOptional: true, BodyExample: map[string]any{"reason": "The salon is closed that day."},
	Successes: []openapi.Success{{Status: 200, Text: "The cancelled visit.", Body: booking.Visit{}, ETag: true}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such visit in the workspace, or the key may not see all of it."},
		{Code: fault.Conflict, Text: "`details.reason` is `wrong_state`, `details.status` that of a booking."},
		changed("visit"),
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in app.CancelInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	in.Match = c.match()
	return visitAnswer(d.CancelVisit(c.ctx, c.actor, c.id(), in))
},
}

var moveVisit = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/visits/{id}/reschedule", ID: "rescheduleVisit", Tag: "Visits",
	Summary: "Move a visit",
	Text: "Moves the live bookings of a visit, all or none: the first begins at `start`, the others follow in their order, " +
		"with no longer a wait than before. Each keeps its id, length and price, and its host when that one is free. The " +
		"same start again is 200 and changes nothing.",
	IfMatch:     visitMatch,
	Body:        booking.VisitMoveInput{},
	BodyType:    openapi.Type{Name: "VisitMoveRequest", Fields: &booking.VisitMoveInputFields},
	BodyExample: map[string]any{"start": "2026-12-01T10:30:00Z"},
	Successes:   []openapi.Success{{Status: 200, Text: "The moved visit.", Body: booking.Visit{}, ETag: true}},
	Errors: []openapi.Error{
		{Code: fault.BadRequest, Text: "The body is malformed, or `start` can never be booked: see createBooking."},
		{Code: fault.NotFound, Text: "There is no such visit in the workspace, or the key may not see all of it."},
		{Code: fault.Conflict, Text: "`details.reason` is `slot_taken`: the visit doesn't fit then; or `wrong_state`: no " +
			"booking of it is live."},
		changed("visit"),
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	var in booking.VisitMoveInput
	if err := c.decode(&in); err != nil {
		return app.Response{}, err
	}
	in.Match = c.match()
	return visitAnswer(d.MoveVisit(c.ctx, c.actor, c.id(), in))
},
}

var missVisit = route{Route: openapi.Route{
	Method: http.MethodPost, Path: "/v1/visits/{id}/no-show", ID: "markVisitNoShow", Tag: "Visits",
	Summary: "Record that nobody came to a visit",
	Text: "Records that the invitee came to nothing of the visit, as markNoShow does for each of its bookings that is confirmed " +
		"and has begun, or for none. Each is undone by itself, and has its own `booking.no_show`.",
	IfMatch: visitMatch, BodyOptional: true,
	Successes: []openapi.Success{{Status: 200, Text: "The visit.", Body: booking.Visit{}, ETag: true}},
	Errors: []openapi.Error{
		{Code: fault.NotFound, Text: "There is no such visit in the workspace, or the key may not see all of it."},
		{Code: fault.Conflict, Text: "`details.reason` is `wrong_state`: nothing of it has begun, or is left to be missed; " +
			"`has_come`: one of its bookings is marked as arrived or done."},
		changed("visit"),
	},
}, handle: func(d *door, c *call) (app.Response, error) {
	if err := c.decode(&emptyBody{}); err != nil {
		return app.Response{}, err
	}
	return visitAnswer(d.MarkVisitNoShow(c.ctx, c.actor, c.id(), c.match()))
},
}

// match returns the header If-Match, see fault.ETagHeader.
func (c *call) match() string { return fault.ETagHeader(c.r.Header.Values("If-Match")) }

// visitSlots answers getAvailability for the items of a visit.
func visitSlots(d *door, c *call, of availability.Input) (app.Response, error) {
	switch {
	case of.EventType != "":
		return app.Response{}, fault.Invalid("eventType", "give either eventType or items, not both")
	case of.Explain:
		return app.Response{}, fault.Invalid("explain", "is for one event type: ask for each of the items")
	case of.ExcludeBooking != "":
		return app.Response{}, fault.Invalid("excludeBooking", "is for one event type")
	case of.Host != "":
		return app.Response{}, fault.Invalid("host", "is for one event type: give hosts, one for each item")
	case of.Choice.Seats != 0:
		return app.Response{}, fault.Invalid("seats", "is for one event type")
	}
	in := availability.VisitInput{Input: of, VisitChoice: booking.VisitChoice{Order: booking.VisitOrder(c.query.text("order")),
		SamePerson: booking.SamePerson(c.query.text("samePerson")), MaxGap: c.query.number("maxGap")}}
	in.Choice.AddOns = nil
	if in.ExcludeVisit = c.query.text("excludeVisit"); in.ExcludeVisit != "" {
		for _, name := range []string{"items", "hosts", "addOns", "order", "samePerson", "maxGap"} {
			if c.query.text(name) != "" {
				return app.Response{}, fault.Invalid(name, "doesn't go with excludeVisit: a visit that moves keeps what it has")
			}
		}
		return visitsFound(d, c, in)
	}
	for name := range strings.SplitSeq(c.query.text("items"), ",") {
		in.Items = append(in.Items, booking.VisitItem{EventType: strings.TrimSpace(name)})
	}
	if len(in.Items) > booking.MaxVisitItems || slices.ContainsFunc(in.Items, func(i booking.VisitItem) bool { return i.EventType == "" }) {
		return app.Response{}, fault.Invalid("items", "must be 1 to %d", booking.MaxVisitItems)
	}
	each := func(param string, set func(item *booking.VisitItem, value string)) error {
		given := c.query.text(param)
		if given == "" {
			return nil
		}
		values := strings.Split(given, ",")
		if len(values) != len(in.Items) {
			return fault.Invalid(param, "must be as many as items, an empty one between two commas: %d, not %d", len(in.Items),
				len(values))
		}
		for i, value := range values {
			set(&in.Items[i], strings.TrimSpace(value))
		}
		return nil
	}
	err := fault.Join(
		each("hosts", func(item *booking.VisitItem, host string) { item.Host = host }),
		each("addOns", func(item *booking.VisitItem, addOns string) {
			if addOns != "" {
				item.AddOns = strings.Split(addOns, ";")
			}
		}))
	if err != nil {
		return app.Response{}, err
	}
	return visitsFound(d, c, in)
}

func visitsFound(d *door, c *call, in availability.VisitInput) (app.Response, error) {
	found, err := d.VisitAvailability(c.ctx, c.actor, in)
	if err != nil {
		return app.Response{}, err
	}
	text, err := json.Marshal(found)
	return app.Response{Status: http.StatusOK, Body: text}, err
}
