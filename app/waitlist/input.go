package waitlist

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/phone"
	"daybook/app/slot"
	"daybook/app/when"
)

// Input describes a new entry.
type Input struct {
	Items   []Item             `json:"items"`
	Order   booking.VisitOrder `json:"order"`
	Wishes  []Wish             `json:"wishes"`
	Seats   int                `json:"seats"` // 0 is 1
	Until   string             `json:"until"` // "" is the last day of the wishes
	Invitee booking.Invitee    `json:"invitee"`
	// Agreed is what the box said that the person has ticked to get texts; "" is that they ticked none.
	Agreed string `json:"-"`
}

// InputFields describes the fields of Input.
var InputFields = field.Resource{
	Text: "Somebody who is to wait for a time that comes free.",
	Fields: []field.Field{
		{Name: "items", Text: fmt.Sprintf("The services, 1 to %d, which are booked together.", booking.MaxVisitItems), Each: "A service.", Required: true},
		{Name: "order", Text: booking.OrderText, Enum: field.Values(booking.OrderGiven, booking.OrderAny), Default: string(booking.OrderGiven)},
		{Name: "wishes", Text: fmt.Sprintf("When they would come, at most %d.", MaxWishes), Each: "Days, and hours of them.", Required: true},
		{Name: "seats", Text: "How many seats of a session they need; 1 when left out.", Least: 1, Most: 1000},
		{Name: "until", Text: "The last day on which it waits; the last day of the wishes when left out.", Format: "date", Example: "2026-12-04"},
		{Name: "invitee", Text: "Who waits. The e-mail address is needed: what comes free is offered there. Where the business sends " +
			"texts, a telephone number alone is enough: of a visitor a mobile one of a country that the business texts to, and if no service " +
			"asks for an e-mail address.", Required: true},
	},
}

// check returns the entry that the actor asks for, at now. Errors: bad_request (without an e-mail address also where a
// telephone number alone doesn't do), not_found (event type, host).
func (in *Input) check(a app.Actor, setup *catalog.Setup, now time.Time) (e Entry, err error) {
	var p fault.Problems
	if n := len(in.Items); n < 1 || n > booking.MaxVisitItems {
		p.Add(fault.Invalid("items", "must be 1 to %d", booking.MaxVisitItems))
		return e, p.Err()
	}
	e = Entry{WorkspaceID: setup.Workspace.ID, Invitee: in.Invitee, Wishes: slices.Clone(in.Wishes), Seats: max(1, in.Seats),
		Agreed: in.Agreed}
	for i := range in.Items {
		item, err := in.checkItem(a, setup, i)
		if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) {
			return e, err
		}
		p.Add(err)
		e.Items = append(e.Items, item)
	}
	if len(in.Items) > 1 {
		choice := booking.VisitChoice{Order: in.Order}
		p.Add(choice.Check())
		e.Order = choice.Order
		if e.Seats > 1 {
			p.Add(fault.Invalid("seats", "a visit has one seat of each service"))
		}
	} else if in.Order != "" {
		p.Add(fault.Invalid("order", "goes with several items"))
	}
	p.Add(e.Invitee.Check(setup.Workspace.PhoneCountry(), false))
	p.Add(e.checkReached(a, setup))
	p.Add(e.checkWishes(setup.Zone, now))
	if err := p.Err(); err != nil {
		return e, err
	}
	return e, e.checkUntil(in.Until, setup.Zone, now)
}

// checkReached refuses somebody whom nothing could tell of what comes free.
func (e *Entry) checkReached(a app.Actor, setup *catalog.Setup) error {
	switch {
	case e.Invitee.Email != "":
		return nil
	case !setup.Workspace.Texts, !a.Business() && !numberAlone(e.services(setup)...):
		return fault.Invalid("invitee.email", "is required: what comes free is offered there")
	case !a.Business() && !Textable(setup, e.Invitee.Phone):
		return fault.Invalid("invitee.email", "is required: no text goes to that telephone number, which isn't a mobile one of a country "+
			"that the business texts to")
	}
	return nil
}

// numberAlone reports whether a visitor may give a telephone number without an e-mail address for these services.
func numberAlone(services ...*catalog.EventType) bool {
	asks := catalog.AskedTogether(slices.DeleteFunc(slices.Clone(services), func(s *catalog.EventType) bool { return s == nil })...).Asks()
	return asks == catalog.AskPhone || asks == catalog.AskEither
}

// Textable reports whether texts that a visitor causes may go to a number: it is a mobile one, of a country to which the
// workspace lets them go.
func Textable(setup *catalog.Setup, number string) bool {
	e164, _ := phone.Parse(number, setup.Workspace.PhoneCountry())
	country, mobile := phone.Mobile(e164)
	return mobile && slices.Contains(setup.Workspace.TextPlaces(), country)
}

// ways are by what people can be told of what comes free.
type ways struct{ mails, texts bool }

func (s *Service) ways(ctx context.Context, setup *catalog.Setup) (w ways, err error) {
	w.texts = setup.Workspace.Texts
	w.mails, err = s.tell.Mails(ctx, setup)
	return w, err
}

// reached reports whether the person can be told: by the address that they gave, or without one by the number.
func (e *Entry) reached(by ways) bool {
	return e.Invitee.Email != "" && by.mails || e.Invitee.Email == "" && by.texts
}

// Ways reports by what a visitor can wait for these services now: by an e-mail address, and by a telephone number alone. The
// error is that of the database.
func (s *Service) Ways(ctx context.Context, setup *catalog.Setup, services ...*catalog.EventType) (email, number bool, err error) {
	by, err := s.ways(ctx, setup)
	return by.mails, by.texts && numberAlone(services...), err
}

// checkItem returns the i-th item, with the id of its event type.
func (in *Input) checkItem(a app.Actor, setup *catalog.Setup, i int) (item Item, err error) {
	of, at := &in.Items[i], fmt.Sprintf("items[%d].", i)
	ref, err := fault.CheckLine(at+"eventType", of.EventType, 1, booking.MaxRef)
	if err != nil {
		return item, err
	}
	e := setup.EventType(ref)
	if e == nil || !a.SeesEventType(e) || !a.Business() && !e.Listed() {
		return item, fault.Missing("event type", ref)
	}
	host, err := fault.CheckLine(at+"host", of.Host, 0, booking.MaxRef)
	if err != nil {
		return item, err
	}
	if host, err = a.NamedHost(setup, host); err != nil {
		return item, err
	}
	item = Item{EventType: e.ID.String(), Host: host, AddOns: slices.Clone(of.AddOns)}
	if h := item.host(); h != 0 && !slices.ContainsFunc(e.Hosts, func(r catalog.HostRef) bool { return r.ID == h }) {
		return item, fault.Invalid(at+"host", "does not do %s", e.Title)
	}
	if _, err := e.Chosen(catalog.Choice{AddOns: of.AddOns, Seats: in.Seats}); err != nil {
		if wrong := fault.As(err); wrong != nil && strings.HasPrefix(wrong.Field, "addOns") {
			err = wrong.About(at + wrong.Field)
		}
		return item, err
	}
	return item, nil
}

// checkWishes normalises the wishes. Errors: bad_request.
func (e *Entry) checkWishes(zone *time.Location, now time.Time) error {
	var p fault.Problems
	if n := len(e.Wishes); n < 1 || n > MaxWishes {
		p.Add(fault.Invalid("wishes", "must be 1 to %d", MaxWishes))
		return p.Err()
	}
	for i := range e.Wishes {
		w := &e.Wishes[i]
		p.Add(w.check(fmt.Sprintf("wishes[%d].", i), zone, now))
	}
	return p.Err()
}

func (w *Wish) check(at string, zone *time.Location, now time.Time) error {
	var p fault.Problems
	today := now.In(zone).Format(time.DateOnly)
	last := when.AddDays(now.In(zone), MaxAhead).Format(time.DateOnly)
	for _, day := range []struct {
		name string
		text string
	}{{"from", w.From}, {"to", w.To}} {
		if t, err := time.Parse(time.DateOnly, day.text); err != nil || t.Format(time.DateOnly) != day.text {
			p.Add(fault.Invalid(at+day.name, "must be a day such as 2026-12-01"))
		}
	}
	if p.Err() != nil {
		return p.Err()
	}
	switch {
	case w.To < w.From:
		p.Add(fault.Invalid(at+"to", "must not lie before from"))
	case w.To < today:
		p.Add(fault.Invalid(at+"to", "lies in the past"))
	case w.To > last:
		p.Add(fault.Invalid(at+"to", "at most %d days ahead", MaxAhead))
	}
	if len(w.Days) > len(catalog.Weekdays) {
		p.Add(fault.Invalid(at+"days", "at most %d", len(catalog.Weekdays)))
	}
	for _, d := range w.Days {
		if !slices.Contains(catalog.Weekdays[:], d) {
			p.Add(fault.Invalid(at+"days", "must be of mon, tue, wed, thu, fri, sat and sun"))
			break
		}
	}
	if len(w.Hours) > maxHours {
		p.Add(fault.Invalid(at+"hours", "at most %d", maxHours))
	}
	for _, text := range w.Hours {
		if _, err := slot.ParseRange(text); err != nil {
			p.Add(fault.Invalid(at+"hours", "must be ranges such as 09:00-12:00"))
			break
		}
	}
	w.Days, w.Hours = slices.Clone(w.Days), slices.Clone(w.Hours)
	return p.Err()
}

// checkUntil sets how long the entry waits. Errors: bad_request.
func (e *Entry) checkUntil(until string, zone *time.Location, now time.Time) error {
	last := slices.MaxFunc(e.Wishes, func(a, b Wish) int { return cmp.Compare(a.To, b.To) }).To
	if e.Until = until; until == "" {
		e.Until = last
	}
	t, err := time.Parse(time.DateOnly, e.Until)
	switch {
	case err != nil:
		return fault.Invalid("until", "must be a day such as 2026-12-04")
	case e.Until > last:
		return fault.Invalid("until", "must not lie behind the last day of the wishes, %s", last)
	case e.Until < now.In(zone).Format(time.DateOnly):
		return fault.Invalid("until", "lies in the past")
	}
	e.EndsAt = when.At(when.DayStart(t.Year(), t.Month(), t.Day()+1, zone))
	return nil
}
