package app

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"net/netip"
	"slices"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/when"
)

// How long a hold lasts, in minutes, and how many may be live at once.
const (
	MaxHoldMinutes      = 15
	DefaultHoldMinutes  = 10
	MailHoldMinutes     = 30 // of a visitor who was mailed a link that books
	MostHoldsPerKey     = 20 // of one API key or member
	MostHoldsPerAddress = 2  // of visitors from one network address
	MostHoldsPerEmail   = 1  // of visitors who gave one e-mail address
	holdShareOfDay      = 5  // visitors' holds together close at most one of so many open starts of a host's day
)

// Hold is a time that is held.
type Hold struct {
	ID            booking.HoldID  `json:"id"`
	EventType     string          `json:"eventType"` // its slug
	booking.Taken                 // with its start and end
	Host          catalog.HostRef `json:"host"`
	ExpiresAt     when.Instant    `json:"expiresAt"` // a full second: from then on it does not count
	// Items are the services of a visit, by start, of which the fields above tell the first; End is that of the last.
	Items []availability.SlotItem `json:"items,omitempty"`

	WorkspaceID catalog.WorkspaceID `json:"-"`
	EventTypeID catalog.EventTypeID `json:"-"`
	Seats       int                 `json:"-"`
	HostNamed   bool                `json:"-"` // somebody asked for the host
	Maker       string              `json:"-"` // the id of a key or member, or the hash of a visitor's address
	Person      string              `json:"-"` // the hash of a visitor's e-mail address; "" is not known
	For         booking.HeldFor     `json:"-"`
	Visit       booking.HoldID      `json:"-"` // the first of the holds of a visit, which stands for all; 0 is no visit
}

// HoldFields describes the fields of holds.
var HoldFields = field.Resource{
	Text: "A time that is kept for some minutes. Nobody else can book it until then.",
	Fields: slices.Concat([]field.Field{
		{Name: "id", Text: "Identifier of the hold: give it as `hold` when you book.", Example: "hd_1p4s8yvz04k2c"},
		{Name: "eventType", Text: "Slug of the event type; of a visit that of the first service.", Example: "haircut"},
		{Name: "start", Text: "Start of the time that is held."},
		{Name: "end", Text: "Its end; of a visit that of the last service."},
		{Name: "items", Text: "The services of a visit that is held, as they are booked; left out when it is one service.",
			Each: "A service."},
	}, booking.TakenFields(true), []field.Field{
		{Name: "host", Text: "Host whose time it is; of a visit that of the first service."},
		{Name: "expiresAt", Text: "When it ends by itself."},
	}),
}

// HoldInput describes a new hold.
type HoldInput struct {
	EventType string   `json:"eventType"`
	Start     string   `json:"start"`
	Host      string   `json:"host"`
	AnyHost   bool     `json:"-"`       // nobody asked for the host: a move may change it
	Minutes   *int     `json:"minutes"` // nil is DefaultMinutes
	AddOns    []string `json:"addOns"`
	Seats     int      `json:"seats"` // 0 is 1
	// Items are the services of a visit, in place of EventType, Host, AddOns and Seats, and the choice says how they may be
	// arranged.
	Items []booking.VisitItem `json:"items"`
	booking.VisitChoice

	Spoken bool `json:"-"` // names and titles do for ids, see ListBookingsInput.Spoken

	// Visitor holds the time without a key or an account; if nil, the actor holds it.
	Visitor *HoldVisitor `json:"-"`

	offered *OfferInput // it is held for who waits
}

// HoldVisitor is a person who holds a time without a key. Only hashes of the fields are stored.
type HoldVisitor struct {
	Address netip.Addr // an IPv6 address stands for its /64; loopback has no limit
	Most    int        // holds of the address; 0 is MostHoldsPerAddress
	Listed  bool       // it is an assistant of one of many people's networks, and counted apart from the people there
	Email   string     // as far as it is known
	// Before is the id of this visitor's last hold. The same time again is the same hold, with the same end; another
	// time ends it.
	Before string
}

// HoldInputFields describes the fields of HoldInput.
var HoldInputFields = field.Resource{
	Text: "A time to be held: of one service, by eventType, or of a visit, by items.",
	Fields: []field.Field{
		{Name: "eventType", Text: "Slug or id of the event type; left out for a visit.", Example: "haircut", Least: 1, Most: booking.MaxRef},
		{Name: "start", Text: "An ISO 8601 time with a zone. It must be one that availability offers. Leave it out where the items of " +
			"a visit have starts of their own.", Format: "date-time", Example: "2026-12-01T09:00:00Z"},
		{Name: "host", Most: booking.MaxRef, Pattern: "^hs_",
			Text: "Id of the host. Without it, the free one with the fewest bookings that week."},
		{Name: "minutes", Text: "For how many minutes; 10 unless it says otherwise.", Least: 1, Most: MaxHoldMinutes},
		{Name: "addOns", Text: "Ids of the add-ons that are going to be booked: they may take more time.",
			Each: "Id of an add-on."},
		{Name: "seats", Text: "How many seats of the session are held; 1 when left out.", Least: 1, Most: 1000},
		{Name: "items", Text: fmt.Sprintf("The services of a visit, 1 to %d, as createVisit takes them.", booking.MaxVisitItems),
			Each: "A service of the visit."},
		{Name: "order", Text: booking.OrderText, Enum: field.Values(booking.OrderGiven, booking.OrderAny)},
		{Name: "samePerson", Text: booking.SamePersonText, Enum: field.Values(booking.PreferSamePerson, booking.MustSamePerson)},
		{Name: "maxGap", Text: booking.MaxGapText, Least: 0, Most: booking.MaxVisitGap},
	},
}

// maker returns who holds, as the limits count them.
func (in *HoldInput) maker(a Actor) (maker, person string, most int) {
	v := in.Visitor
	if v == nil {
		return a.ID(), "", MostHoldsPerKey
	}
	bits := v.Address.BitLen()
	if v.Address.Is6() {
		bits = 64
	}
	if most = cmp.Or(v.Most, MostHoldsPerAddress); v.Address.IsLoopback() { // a proxy that isn't trusted makes all visitors one
		most = math.MaxInt
	}
	network, _ := v.Address.Prefix(bits) // the zero prefix for no address: those count together
	if v.Email != "" {
		person = hashedMaker(fault.EmailKey(v.Email))
	}
	who := network.String()
	if v.Listed {
		who = "assistant " + who
	}
	return HoldVisitorPrefix + hashedMaker(who), person, most
}

// HoldVisitorPrefix is the prefix of Hold.Maker for a hold of a visitor.
const HoldVisitorPrefix = "visitor:"

func hashedMaker(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

func holdExpired() *fault.Error {
	return fault.Conflictf("hold_expired", "This hold has expired, was released or has been used. Hold the time again, or "+
		"book without hold: the time may be open still.")
}
