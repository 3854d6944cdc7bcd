package waitlist

import (
	"cmp"
	"crypto/subtle"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

// The bounds of the waitlist.
const (
	MaxWishes      = 5
	maxHours       = 4   // ranges of hours of a wish
	MaxAhead       = 366 // days that a wish may lie ahead
	MostOfPerson   = 3   // entries of a person that count
	MostPerHour    = 5   // entries from a network address, see package gate
	mostOfList     = 5000
	ConfirmWithin  = 24 * time.Hour // the link that confirms an entry
	endedKept      = 30 * when.Day  // how long an entry is kept that has ended
	mostRefused    = 20             // times that an entry doesn't want again, which it keeps
	endsAtSilences = 3              // offers that were not answered
)

// State is the state of an entry. The numbers are stored.
type State int

// The states of an entry.
const (
	Unconfirmed State = iota // the link of the mail or text wasn't opened yet
	Waiting
	Offered // a time is held for it
	Booked  // it has booked what was offered
	Ended   // see Entry.EndedBy
)

// States are the names of the states, in the order of their numbers.
var States = []string{"unconfirmed", "waiting", "offered", "booked", "ended"}

// String returns the name of the state.
func (s State) String() string { return States[s] }

// MarshalText implements encoding.TextMarshaler.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Live reports whether an entry with the state is looked at when a time comes free, or has been offered one.
func (s State) Live() bool { return s == Waiting || s == Offered }

// EndedBy says why an entry has ended. The words are stored, so none may be renamed.
type EndedBy string

// Why entries end.
const (
	ByTime      EndedBy = "time"      // the last day for which it waited is over
	ByLeaving   EndedBy = "left"      // the person waits no more
	ByBusiness  EndedBy = "business"  // a member or a program ended it
	BySilence   EndedBy = "silence"   // three offers were not answered
	ByElsewhere EndedBy = "elsewhere" // the person has booked what it waits for
)

// Entry is somebody who waits.
type Entry struct {
	ID          booking.WaitID     `json:"id"`
	Status      State              `json:"status"`
	EndedBy     EndedBy            `json:"endedBy,omitempty"`
	Items       []Item             `json:"items"`
	Order       booking.VisitOrder `json:"order,omitempty"`
	Wishes      []Wish             `json:"wishes"`
	Seats       int                `json:"seats"`
	Until       string             `json:"until"` // a day
	Invitee     booking.Invitee    `json:"invitee"`
	Offer       *Offer             `json:"offer,omitempty"`    // while it is offered a time
	BookingID   booking.BookingID  `json:"bookingId,omitzero"` // which it became
	VisitID     booking.VisitID    `json:"visitId,omitzero"`   // likewise
	CreatedAt   when.Instant       `json:"createdAt"`
	ConfirmedAt when.Instant       `json:"confirmedAt"` // 0 until then
	EndedAt     when.Instant       `json:"endedAt"`     // 0 until then

	WorkspaceID catalog.WorkspaceID `json:"-"`
	Contact     booking.ContactID   `json:"-"` // 0 where nobody is known by the address or number
	Agreed      string              `json:"-"` // what the box said by which the person wants texts; "" is that they ticked none
	EndsAt      when.Instant        `json:"-"` // by itself
	Silences    int                 `json:"-"`
	Refused     []when.Instant      `json:"-"` // the latest starts that were refused, or met silence
	Told        []Opening           `json:"-"` // the latest times of which the person was told, held for nobody
}

// Offer is a time that is held for who waits.
type Offer struct {
	Start when.Instant            `json:"start"`
	End   when.Instant            `json:"end"`
	Host  catalog.HostID          `json:"host"` // of a visit that of the first service
	Items []availability.SlotItem `json:"items,omitempty"`
	Until when.Instant            `json:"until"`

	Hold booking.HoldID    `json:"-"`
	Job  booking.WaitJobID `json:"-"` // that goes on when it ends
}

// OfferFields describes the fields of Offer.
var OfferFields = field.Resource{
	Text: "A time that is held for somebody who waits.",
	Fields: []field.Field{
		{Name: "start", Text: "When it begins."},
		{Name: "end", Text: "When it ends; of a visit when the last service does."},
		{Name: "host", Text: "Id of the host; of a visit that of the first service."},
		{Name: "items", Text: "The services of a visit, as they would be booked. Left out for one service.", Each: "A service."},
		{Name: "until", Text: "Until when they may answer."},
	},
}

// hosts returns whom the offer takes.
func (o *Offer) hosts() []catalog.HostID {
	if len(o.Items) == 0 {
		return []catalog.HostID{o.Host}
	}
	all := make([]catalog.HostID, len(o.Items))
	for i := range o.Items {
		all[i] = o.Items[i].Host
	}
	return all
}

// Taken reports whether the offer has become a booking or a visit. Until that is paid and approved, the entry stays offered.
func (e *Entry) Taken() bool { return e.BookingID != 0 || e.VisitID != 0 }

// Item is a service that an entry waits for.
type Item struct {
	EventType string   `json:"eventType"` // its slug; stored, its id
	Host      string   `json:"host,omitempty"`
	AddOns    []string `json:"addOns,omitempty"`
}

// host returns the host whom the item asks for; 0 is anybody.
func (i *Item) host() catalog.HostID {
	h, err := id.Parse[catalog.HostIDKind](i.Host)
	if err != nil {
		return 0
	}
	return h
}

// Wish is when an entry would come: on one of these days, with a start in these hours of the workspace's clock.
type Wish struct {
	From  string   `json:"from"`
	To    string   `json:"to"` // inclusive
	Days  []string `json:"days,omitempty"`
	Hours []string `json:"hours,omitempty"`
}

// Fields describes the fields of entries.
var Fields = field.Resource{
	Text: "Somebody who waits for a time of one or several services.",
	Fields: []field.Field{
		{Name: "id", Text: "Identifier of the entry.", Example: "wl_1p4s8yvz04k2c"},
		{Name: "status", Text: "`unconfirmed` until the person has opened the link of the mail or text; `waiting`; `offered` while a time is " +
			"held for them; `booked` or `ended`.", Enum: field.Values(States...)},
		{Name: "endedBy", Text: "Why it has ended: `time`, the last day is over; `left`, by the person; `business`; `silence`, three " +
			"offers were not answered; `elsewhere`, they have booked it otherwise. Left out until then.",
			Enum: field.Values(ByTime, ByLeaving, ByBusiness, BySilence, ByElsewhere)},
		{Name: "items", Text: "The services, which are booked together.", Each: "A service."},
		{Name: "order", Text: "The order in which several services may be done, as in createVisit. Left out for one service."},
		{Name: "wishes", Text: "When they would come.", Each: "Days, and hours of them."},
		{Name: "seats", Text: "How many seats of a session they need."},
		{Name: "until", Text: "The last day on which it waits.", Format: "date"},
		{Name: "invitee", Text: "Who waits."},
		{Name: "offer", Text: "The time that is held for them. Left out while none is."},
		{Name: "bookingId", Text: "Id of the booking that it became. Left out for others, and for a visit."},
		{Name: "visitId", Text: "Id of the visit that it became. Left out for others."},
		{Name: "createdAt", Text: "When it was made."},
		{Name: "confirmedAt", Text: "Since when it counts; null while it is unconfirmed.", Null: true},
		{Name: "endedAt", Text: "When it was booked or ended; null until then.", Null: true},
	},
}

// ItemFields describes the fields of Item.
var ItemFields = field.Resource{
	Text: "A service that somebody waits for.",
	Fields: []field.Field{
		{Name: "eventType", Text: "Slug of the event type; its id does, too.", Example: "haircut", Least: 1, Most: booking.MaxRef, Required: true},
		{Name: "host", Most: booking.MaxRef, Pattern: booking.HostPattern, Text: "Id of the host whom they want; left out for anybody."},
		{Name: "addOns", Text: "Ids of the add-ons that they want with it.", Each: "Id of an add-on."},
	},
}

// WishFields describes the fields of Wish.
var WishFields = field.Resource{
	Text: "Days on which somebody would come, and hours of them.",
	Fields: []field.Field{
		{Name: "from", Text: "The first day, of the workspace's clock.", Format: "date", Example: "2026-12-01", Required: true},
		{Name: "to", Text: "The last day, at most a year ahead.", Format: "date", Example: "2026-12-04", Required: true},
		{Name: "days", Text: "Only these days of the week: `mon` … `sun`. Left out, all of them.", Each: "A day of the week.",
			Entries: 7},
		{Name: "hours", Text: "Ranges in which the start must lie, such as 09:00-12:00. Left out, at any time.", Each: "A range of hours.",
			Entries: maxHours},
	},
}

// Token returns the part of the links to the person that identifies the entry.
func Token(setup *catalog.Setup, id booking.WaitID) string {
	return catalog.Signed(setup, catalog.WaitPurpose, id)
}

// Path returns the path of the person's page.
func Path(setup *catalog.Setup, id booking.WaitID) string {
	return "/booking/" + Token(setup, id) + "/wait"
}

// Person returns what the person is known by: the e-mail address as addresses are compared, or without one the telephone
// number in E.164. Neither is ever the other.
func (e *Entry) Person() string { return personOf(&e.Invitee) }

func personOf(p *booking.Invitee) string { return cmp.Or(fault.EmailKey(p.Email), p.Phone) }

// is reports whether the token is that of the entry.
func (e *Entry) is(setup *catalog.Setup, token string) bool {
	return subtle.ConstantTimeCompare([]byte(Token(setup, e.ID)), []byte(token)) == 1
}

// services returns the event types of the items, in their order; nil stands for one that is there no more.
func (e *Entry) services(setup *catalog.Setup) []*catalog.EventType {
	all := make([]*catalog.EventType, len(e.Items))
	for i := range e.Items {
		all[i] = setup.EventType(e.Items[i].EventType)
	}
	return all
}

// seenBy reports whether the actor sees the entry: a key of some services or hosts if it sees all of it, staff if they could
// do one of the services.
func (e *Entry) seenBy(a app.Actor, setup *catalog.Setup) bool {
	theirs := !a.Own()
	for i, s := range e.services(setup) {
		host := e.Items[i].host()
		if s != nil && !a.Limits.Sees(s.ID) || s == nil && a.Limits.Narrows() || host != 0 && !a.Limits.SeesHost(host) {
			return false
		}
		if a.Own() && a.Host != 0 && (host == a.Host || host == 0 && s != nil &&
			slices.ContainsFunc(s.Hosts, func(h catalog.HostRef) bool { return h.ID == a.Host })) {
			theirs = true
		}
	}
	return theirs
}

// present fills in what is not stored: the slugs of the event types.
func (e *Entry) present(setup *catalog.Setup) {
	e.Items = slices.Clone(e.Items)
	for i, s := range e.services(setup) {
		if s != nil {
			e.Items[i].EventType = s.Slug
		}
	}
}

// Wants reports whether a start is one of those that the entry wishes for, on the workspace's clock.
func (e *Entry) Wants(start when.Instant, zone *time.Location) bool {
	return start < e.EndsAt && slices.ContainsFunc(e.Wishes, func(w Wish) bool { return w.has(start, zone) })
}

// has reports whether a start lies in the wish. A range over midnight belongs to the day on which it begins.
func (w *Wish) has(start when.Instant, zone *time.Location) bool {
	at := start.Time().In(zone)
	if len(w.Hours) == 0 {
		return w.hasDay(at)
	}
	minute := at.Hour()*60 + at.Minute()
	for _, text := range w.Hours {
		r, err := slot.ParseRange(text)
		if err != nil {
			continue // they are checked when the entry is made
		}
		if r.Start <= minute && minute < r.End && w.hasDay(at) ||
			r.Start <= minute+24*60 && minute+24*60 < r.End && w.hasDay(when.AddDays(at, -1)) {
			return true
		}
	}
	return false
}

// hasDay reports whether the day of the time is one of the wish.
func (w *Wish) hasDay(at time.Time) bool {
	day := at.Format(time.DateOnly)
	return w.From <= day && day <= w.To &&
		(len(w.Days) == 0 || slices.Contains(w.Days, catalog.Weekdays[at.Weekday()]))
}

// wishes reports whether a time lies on a day that the entry wishes for, or the one behind it.
func (e *Entry) wishes(from, to when.Instant, zone *time.Location) bool {
	return slices.ContainsFunc(e.Wishes, func(w Wish) bool { return w.meets(from, to, zone) })
}

// meets reports whether a time lies on a day of the wish, or the one behind its last, on which a range may end.
func (w *Wish) meets(from, to when.Instant, zone *time.Location) bool {
	last := when.AddDays(to.Time().In(zone), 0).Format(time.DateOnly)
	first := when.AddDays(from.Time().In(zone), -1).Format(time.DateOnly)
	return w.From <= last && first <= w.To
}
