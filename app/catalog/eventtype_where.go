package catalog

import (
	"slices"
	"strings"

	"daybook/app/fault"
	"daybook/app/field"
)

const maxTravel = 24 * 60 // minutes

// WhereKind says where a booking takes place.
type WhereKind string

const (
	InPerson     WhereKind = "in_person"
	HostCalls    WhereKind = "host_calls"    // by telephone: the host calls the invitee
	InviteeCalls WhereKind = "invitee_calls" // by telephone: the invitee calls the business
	Video        WhereKind = "video"         // in a room of its own on a Jitsi server
	Elsewhere    WhereKind = "text"          // as Text says
)

// WhereKinds lists the values of WhereKind.
var WhereKinds = []WhereKind{InPerson, HostCalls, InviteeCalls, Video, Elsewhere}

// Where says where an event type takes place.
type Where struct {
	Kind WhereKind `json:"kind"`
	// Text is the place for InPerson (if empty, the address of the business), the number for InviteeCalls, or the text
	// for Elsewhere.
	Text string `json:"text,omitempty"`
	// TravelMinutes is the time that must lie between two bookings of a host at different places.
	TravelMinutes int `json:"travelMinutes,omitempty"`
}

// WhereFields describes where an event type takes place.
var WhereFields = field.Resource{
	Text: "Where it takes place.",
	Fields: []field.Field{
		{Name: "kind", Text: "`in_person`: at a place. `host_calls`: the host calls the invitee. `invitee_calls`: the " +
			"invitee calls. `video`: in a video room of its own. `text`: as the text says.",
			Agents: "In person, by telephone (who calls), by video, or as the text says.",
			Enum:   field.Values(WhereKinds...), InFile: true, Required: true},
		{Name: "text", Text: "The place, the number to call, or what is to be said.", Agents: "Place or number.",
			Most: 500, InFile: true, Clears: true},
		{Name: "travelMinutes", Text: "Minutes that lie between two bookings of a host at different places.",
			Agents: "Minutes between bookings at different places.", Most: maxTravel, InFile: true},
	},
}

// Check returns w normalised, or nil for nil. at names its place in the input, for errors. Errors: bad_request.
func (w *Where) Check(at string) (*Where, error) {
	if w == nil {
		return nil, nil
	}
	own := *w
	if !slices.Contains(WhereKinds, own.Kind) {
		return w, fault.Invalid(at+".kind", "must be in_person, host_calls, invitee_calls, video or text")
	}
	var err error
	if own.Text, err = fault.CheckLine(at+".text", own.Text, 0, WhereFields.Field("text").Most); err != nil {
		return w, err
	}
	if own.TravelMinutes < 0 || own.TravelMinutes > maxTravel {
		return w, fault.Invalid(at+".travelMinutes", "must lie between %d and %d", 0, maxTravel)
	}
	return &own, own.checkKind(at)
}

// checkKind checks what only some kinds have.
func (w *Where) checkKind(at string) error {
	switch {
	case w.Kind == InviteeCalls && CallNumber(w.Text) == "":
		return fault.Invalid(at+".text", "is required: the number that the invitee calls")
	case w.Kind == Elsewhere && w.Text == "":
		return fault.Invalid(at+".text", "is required: where it takes place")
	case w.Kind != InPerson && w.Kind != Elsewhere && w.TravelMinutes > 0:
		return fault.Invalid(at+".travelMinutes", "is for in_person and text: nobody travels to a call")
	}
	return nil
}

// CallNumber returns the number as a telephone dials it.
func CallNumber(number string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '+' || r == '*' || r == '#' {
			return r
		}
		return -1
	}, number)
}
