package booking

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/money"
	"daybook/app/when"
)

// BookInput describes a new booking.
type BookInput struct {
	EventType string            `json:"eventType"`
	Start     string            `json:"start"`
	Invitee   Invitee           `json:"invitee"`
	Host      string            `json:"host"`
	AnyHost   bool              `json:"-"` // Host was found for the invitee, who asked for nobody: a move may change it
	Proven    bool              `json:"-"` // the invitee has shown that the e-mail address, or without one the number, is theirs
	NeedsOK   bool              `json:"-"` // the business must confirm it, whatever it says of the event type
	NeedsPay  bool              `json:"-"` // it waits for the payment of others of its visit or series
	Notes     string            `json:"notes"`
	Answers   map[string]any    `json:"answers"`
	Metadata  map[string]string `json:"metadata"`
	Override  []string          `json:"override"` // rules to waive, see package waive
	WalkIn    bool              `json:"walkIn"`   // who comes stands there; start and invitee may be left out

	AddOns       []string `json:"addOns"`       // ids of the event type's add-ons
	Seats        int      `json:"seats"`        // 0 is 1
	Participants []string `json:"participants"` // the names of those who come, at most as many as the seats
	// ContactFields are what the invitee wrote in the workspace's own fields of contacts: texts or numbers.
	ContactFields map[string]any `json:"contactFields"`
	MustGive      bool           `json:"-"` // the invitee was asked for them, and fills in those that must be

	PayWith    *PayWith `json:"payWith"`    // nil: as the event type says
	Invitation string   `json:"invitation"` // the token of an invitation link
	Hold       string   `json:"hold"`       // the id of a hold of that time, which becomes the booking

	Spoken bool           `json:"-"` // names and titles do for ids, see ListBookingsInput.Spoken
	Step   *VisitStep     `json:"-"` // it is one of a visit
	Prefer catalog.HostID `json:"-"` // who is to do it, if free; 0 is nobody
	Series *SeriesStep    `json:"-"` // it is one of a series
}

// MaxPassRef is how long the code or id of a pass is at most, however it is typed.
const MaxPassRef = 64

// PayWith says what pays for a booking besides money.
type PayWith struct {
	Pass  string `json:"pass"` // the code of a pass or voucher; for the business its id does, too
	Known PassID `json:"-"`    // that it means; 0 until it was looked up
}

// PayWithFields describes what pays for a booking besides money.
var PayWithFields = field.Resource{
	Text: "A pass or voucher that pays for the booking as far as it can. The rest is paid as the event type says.",
	Fields: []field.Field{
		{Name: "pass", Text: "Its code, however it is typed. Keys of the business may name its id.", Least: 1, Most: MaxPassRef, Required: true,
			Agents: "Its code or id."},
	},
}

// Choice returns what the input chooses of its event type.
func (in *BookInput) Choice() catalog.Choice {
	return catalog.Choice{AddOns: in.AddOns, Seats: in.Seats}
}

// HostPattern is the pattern of a host's id. Agents may give a name instead.
const HostPattern = "^hs_"

// BookInputFields describes the fields of BookInput.
var BookInputFields = field.Resource{
	Text: "A booking to be made.",
	Fields: []field.Field{
		{Name: "eventType", Text: "Slug or id of the event type.", Example: "haircut", Least: 1, Most: MaxRef,
			Agents: "Slug, id or title of the service, from list_event_types.", Required: true},
		{Name: "start", Text: "An ISO 8601 time with a zone. It must be one that availability offers. Required without `walkIn`.",
			Agents: "Start. ISO 8601 with a zone; take it as check_availability gave it.",
			Format: "date-time", Example: "2026-12-01T09:00:00Z", ExampleForAgents: true},
		{Name: "invitee", Text: "Who comes; required without `walkIn`.", Agents: "Who comes: as the person said, never made up."},
		{Name: "walkIn", Text: "The person stands there. Without `start` it begins now, at the current minute, with whoever is free then, and without " +
			"`invitee` nobody is named: no contact is made, and nobody is told by mail. `too_soon`, `off_grid` and `in_past` don't stand against now. " +
			"Each call books once more. For keys that may override.",
			Agents: "true for somebody who stands there: left out, start is now and invitee nobody. Each call books once more."},
		{Name: "host", Most: MaxRef, Pattern: HostPattern,
			Text:   "Id of the host to book. Without it, the free one with the fewest bookings that week is taken.",
			Agents: "Id or name of the host they want; without it the one with the fewest bookings that week."},
		{Name: "notes", Text: "What the invitee wants to say.", Agents: "What the invitee wants the host to know.",
			Most: MaxNotes},
		{Name: "answers", Text: "Answers to the event type's questions, by their keys.", Entries: catalog.MaxAnswers,
			Agents: "Answers to the service's questions, by key: a text, or true or false for a checkbox."},
		{Name: "contactFields", NotForAgents: true, Entries: catalog.MaxContactFields,
			Text: "What the invitee wrote in the workspace's own fields of contacts, by their keys: of those whose `onForm` asks for " +
				"them. It stays with the booking, and fills in the contact if the booking makes it. Only public keys must give what " +
				"is `required`."},
		{Name: "payWith", Of: &PayWithFields, Text: "A pass or voucher that pays, as far as it can.", Agents: "Pass or voucher that pays."},
		{Name: "metadata", Text: "Your own texts, by your own keys of 1 to 40 letters, digits, - and _.",
			Agents:  fmt.Sprintf("Labels of your own, at most %d; they come back with the booking.", MaxMetadata),
			Entries: MaxMetadata, Most: MaxMetadataValue},
		{Name: "addOns", Text: "Ids of the add-ons that are booked with it.", Each: "Id of an add-on.",
			Agents: "Ids or titles of the add-ons they want, from list_event_types."},
		{Name: "seats", Text: "How many seats of the session are booked; 1 when left out.",
			Agents: "How many seats of a shared session; 1 when left out.", Least: 1, Most: 1000},
		{Name: "participants", Text: "Names of those who come, at most as many as seats.", Each: "A name.",
			Agents: "Names of those who come, at most one a seat."},
		{Name: "invitation", Text: "Token of an invitation link: its last part.", Most: MaxRef,
			Agents: "Last part of their invitation link, if any."},
		{Name: "hold", Text: "Id of a hold of this time, which the booking takes the place of.",
			Agents: "Id of a hold of this time, if any.", Most: MaxRef, Pattern: "^hd_", Example: "hd_1p4s8yvz04k2c"},
		OverrideField,
	},
}

// InviteeInputFields describes the invitee of a booking to be made.
var InviteeInputFields = field.Resource{
	Text: "Who comes: an e-mail address, a telephone number or both. The contact with the e-mail address is matched, or " +
		"created; without one, the contact with the telephone number.",
	Fields: []field.Field{
		{Name: "name", Text: "Name of the invitee.", Agents: "Full name.", Least: 1, Most: fault.MaxName,
			Example: "Bo Berg", Required: true},
		{Name: "email", Text: "E-mail address of the invitee; required without a phone.",
			Agents: "E-mail address; the confirmation goes there. Without one nobody is mailed: tell them yourself.",
			Format: "email", Blank: true, Most: fault.MaxEmail, Example: "bo@example.com"},
		{Name: "phone", Text: "Telephone number, international or as it is dialled within the workspace's country; " +
			"required without an e-mail address. It is answered in E.164.",
			Agents: "Telephone number; required without an e-mail address.", Most: fault.MaxPhone, Example: "+49 30 901820"},
		{Name: "timeZone", Text: "IANA time zone in which the invitee reads times.",
			Agents: "IANA time zone of the invitee, for the times in their mail.", Least: 1, Most: catalog.MaxZone,
			Example: "Europe/Berlin", ExampleForAgents: true},
		{Name: "locale", Text: "BCP 47 language tag in which the invitee is written to.",
			Agents: "Language of their mail, such as de-AT.", Most: fault.MaxLocale, Example: "de-AT"},
	},
}

// RescheduleInput says where to move a booking.
type RescheduleInput struct {
	Start    string   `json:"start"`
	Host     string   `json:"host"`
	Reason   string   `json:"reason"`
	Override []string `json:"override"` // rules to waive, see package waive
	Spoken   bool     `json:"-"`        // names do for ids, see ListBookingsInput.Spoken

	Step *VisitStep `json:"-"` // it is moved with its visit

	Series SeriesMove `json:"-"` // it is moved as a date of its series
}

// RescheduleInputFields describes the input of Reschedule.
var RescheduleInputFields = field.Resource{
	Text: "Where a booking is to move.",
	Fields: []field.Field{
		{Name: "start", Text: "The new start: an ISO 8601 time with a zone.", Format: "date-time",
			Agents:  "New start. ISO 8601 with a zone; take it as check_availability gave it.",
			Example: "2026-12-01T10:30:00Z", ExampleForAgents: true, Required: true},
		{Name: "host", Most: MaxRef, Pattern: HostPattern,
			Text: "Id of the host to move it to. Without it, the booking keeps its host when that one is free, else takes " +
				"another of the event type's.",
			Agents: "Id or name of another host of the service."},
		reasonField,
		OverrideField,
	},
}

// Check returns the start, and one bad_request for everything that is wrong in any move.
func (in *RescheduleInput) Check() (start when.Instant, err error) {
	var p fault.Problems
	start, err = ParseStart(in.Start)
	p.Add(err)
	in.Host, err = fault.CheckLine("host", in.Host, 0, MaxRef)
	p.Add(err)
	in.Reason, err = fault.CheckText("reason", in.Reason, fault.MaxReason)
	p.Add(err)
	_, err = ParseOverride(in.Override)
	p.Add(err)
	return start, p.Err()
}

// CancelInput says why a booking is cancelled, and whether to refund payments; nil leaves that to the rules.
type CancelInput struct {
	Reason        string `json:"reason"`
	Refund        *bool  `json:"refund"`
	ChargeLateFee bool   `json:"chargeLateFee"` // the business charges what cancelling late costs

	Agreed     *money.Money `json:"-"` // what an invitee has agreed to pay for cancelling late
	WithVisit  bool         `json:"-"` // it is cancelled with its visit
	WithSeries bool         `json:"-"` // it is cancelled with its series
	Ending     []BookingID  `json:"-"` // others that are going to be cancelled by the same order
	Offers     bool         `json:"-"` // what several that the business cancels at once free is offered to who waits
	Match      string       `json:"-"` // of a visit: the header If-Match, see fault.ETagHeader
}

// CancelInputFields describes the input of Cancel.
var CancelInputFields = field.Resource{
	Text: "Why a booking is cancelled. All fields are optional, and so is the body.",
	Fields: []field.Field{
		reasonField,
		{Name: "refund", Text: "Whether what was paid goes back: it does, unless this is false.",
			Agents: "Whether what was paid online goes back to the invitee; whatever the service's refundOnCancel says, " +
				"which is for invitees' own cancellations. dryRun says how much it is.", Default: true},
		{Name: "chargeLateFee", Text: "Whether the booking's `lateCancellationFee` is charged to the saved card: it isn't, " +
			"unless this is true. 400 where nothing can be charged: the booking has no such fee, `freeCancellationUntil` " +
			"is not over, or no card was saved.",
			Agents: "true charges the booking's lateCancellationFee to the card that the invitee saved; only after its " +
				"freeCancellationUntil. Ask the person first."},
	},
}

// reasonField describes the reason of a change of a booking.
var reasonField = field.Field{Name: "reason", Text: "Why, for the history and the invitee.",
	Agents: "Why, for the invitee and the record.", Most: fault.MaxReason}

// DeclineInputFields describes the input of Decline.
var DeclineInputFields = field.Resource{
	Text:   "Why a booking is declined. All fields are optional, and so is the body.",
	Fields: []field.Field{reasonField},
}

const (
	MaxRef           = 100  // characters of what names a thing, a slug or an id; every real one is shorter
	MaxNotes         = 2000 // characters of what the invitee writes
	MaxMetadata      = 50   // entries
	MaxMetadataValue = 500  // characters of one
)

// Check returns the start, and one bad_request for everything that is wrong in any booking. Telephone numbers without a
// country code are of country; atDesk is as in Invitee.Check.
func (in *BookInput) Check(country string, atDesk bool) (start when.Instant, err error) {
	var p fault.Problems
	start, err = in.CheckRest()
	p.Add(err)
	p.Add(in.Invitee.Check(country, atDesk))
	return start, p.Err()
}

// CheckRest is Check but for the invitee.
func (in *BookInput) CheckRest() (start when.Instant, err error) {
	var p fault.Problems
	if in.EventType == "" {
		p.Add(fault.Invalid("eventType", "is required: the slug of an event type"))
	}
	in.EventType, err = fault.CheckLine("eventType", in.EventType, 1, MaxRef)
	p.Add(err)
	in.Host, err = fault.CheckLine("host", in.Host, 0, MaxRef)
	p.Add(err)
	start, err = ParseStart(in.Start)
	p.Add(err)
	in.Notes, err = fault.CheckText("notes", in.Notes, MaxNotes)
	p.Add(err)
	p.Add(checkMetadata(in.Metadata))
	in.Participants, err = CheckParticipants(in.Participants, in.Seats)
	p.Add(err)
	_, err = ParseOverride(in.Override)
	p.Add(err)
	return start, p.Err()
}

// ParseStart parses the start of a booking. The error is bad_request.
func ParseStart(text string) (when.Instant, error) {
	if text == "" {
		return 0, fault.Invalid("start", "is required: an ISO 8601 time such as 2026-12-01T09:00:00Z")
	}
	start, err := when.ParseISO(text)
	if err != nil {
		return 0, fault.Invalid("start", "%v", err)
	}
	return start.Within(), nil // times beyond the limits are in_past or too_far anyway
}

// CheckParticipants normalises the names of participants, at most one for each seat; 0 seats count as 1. Errors:
// bad_request.
func CheckParticipants(names []string, seats int) ([]string, error) {
	if len(names) > max(1, seats) {
		return nil, fault.Invalid("participants", "at most as many names as seats, %d", max(1, seats))
	}
	var checked []string // nil without names, as it is read again
	var p fault.Problems
	for i, name := range names {
		name, err := fault.CheckLine(fmt.Sprintf("participants[%d]", i), name, 1, fault.MaxName)
		p.Add(err)
		checked = append(checked, name)
	}
	return checked, p.Err()
}

func checkMetadata(m map[string]string) error {
	if len(m) > MaxMetadata {
		return fault.Invalid("metadata", "at most %d entries", MaxMetadata)
	}
	var p fault.Problems
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !fault.KeyForm.MatchString(key) {
			return fault.Invalid("metadata", "the key %q must be 1 to 40 of a-z, A-Z, 0-9, - and _", key)
		}
		_, err := fault.CheckText("metadata."+key, m[key], MaxMetadataValue)
		p.Add(err)
	}
	return p.Err()
}

// Problems returns everything that is wrong in the booking form, one error per field. The fields are
// invitee.name, invitee.email, invitee.phone, notes and answers.<key>.
func (in BookInput) Problems(e *catalog.EventType, country string) (all []*fault.Error) {
	add := func(err error) {
		if wrong := fault.As(err); wrong != nil {
			all = append(append(all, wrong), wrong.Others...)
		}
	}
	_, err := fault.CheckLine("invitee.name", in.Invitee.Name, 1, fault.MaxName)
	add(err)
	if strings.TrimSpace(in.Invitee.Email+in.Invitee.Phone) != "" {
		err = checkIdentity("invitee.", &in.Invitee.Email, &in.Invitee.Phone, country)
		add(err)
	} else {
		in.Invitee.Email, in.Invitee.Phone, err = "", "", nil
	}
	if err == nil {
		add(in.Invitee.Gives(e.Asks()))
	}
	for i := range e.Questions {
		_, err = catalog.CheckAnswers(e.Questions[i:i+1], map[string]any{e.Questions[i].Key: in.Answers[e.Questions[i].Key]})
		add(err)
	}
	_, err = fault.CheckText("notes", in.Notes, MaxNotes)
	add(err)
	return all
}
