package availability

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

// Input holds the query parameters of a search, as text.
type Input struct {
	EventType      string
	From, To       string
	Days           *int
	TimeZone       string
	Host           string
	ExcludeBooking string
	Limit          *int
	Cursor         string
	Explain        bool
	Weekdays       string         // only these days of Local, names of catalog.Weekdays joined by commas; "" is all
	FirstPerDay    bool           // only the first open start of each day of Local
	SwitchedOff    bool           // the business asks: also for an event type that is switched off
	Choice         catalog.Choice // what is to be booked of it
	// Spoken has the meaning of booking.ListBookingsInput.Spoken.
	Spoken bool
	// Freed says that what is held for the house is open: it is to be offered to who waits.
	Freed bool
	// EventTypes names all event types of a question about several, of which EventType is one: the cursor of Merge is
	// then good for each of them.
	EventTypes string
}

const (
	maxAvailabilityDays     = 62
	defaultAvailabilityDays = 7
	defaultSlots            = 100
	maxClosed               = 20_000 // that an answer explains
)

// Reader is what a search reads from the store.
type Reader interface {
	Booking(ws catalog.WorkspaceID, id booking.BookingID) (booking.Booking, error)
	// Occupied appends to dst, by start, everything that takes the host's time and overlaps [from, to): live bookings
	// with the span that they occupy, holds that expire after held (with 0 no holds, see catalog.Setup.HeldAt), and
	// busy times of other calendars.
	Occupied(dst []booking.Occupation, host catalog.HostID, from, to, held when.Instant) ([]booking.Occupation, error)
	// EachOccupied calls row for each of what Occupied returns for the hosts, in their order, with the host's index; places
	// are set if placed is true. It takes one round trip, however many hosts there are; row must not read from the store.
	EachOccupied(hosts []catalog.HostID, placed bool, from, to, held when.Instant, row func(host int, o booking.Occupation)) error
	// OccupiedPlaces does the same as Occupied, and sets the place of each.
	OccupiedPlaces(dst []booking.Occupation, host catalog.HostID, from, to, held when.Instant) ([]booking.Occupation, error)
	// OccupiedSpans returns the spans that live bookings of each of the hosts and holds occupy, in no order. It takes
	// one round trip to the database, however many hosts there are. Busy times are not included; they are in the
	// set-up.
	OccupiedSpans(hosts []catalog.HostID, from, to, held when.Instant) ([][]slot.Span, error)
	// OccupiedThings returns what takes the time of each of these, none of whom is a host, and overlaps [from, to), in no
	// order: live bookings, busy times of calendars, which have neither an ID nor a host, and holds that expire after held.
	// It takes one round trip for those of a kind that stand together, however many they are.
	OccupiedThings(things []catalog.Subject, from, to, held when.Instant) ([][]booking.Occupation, error)
	// SessionTaken returns what the session of the event type takes besides its host which starts with the host then: its
	// live bookings, and its holds that expire after held. What both take is there once, as that of bookings; these are first.
	SessionTaken(e catalog.EventTypeID, host catalog.HostID, start, held when.Instant) ([]SessionTaken, error)
	// HeldStarts lists the holds of the event type that start in [from, to) and expire after held. They have no ID.
	HeldStarts(ws catalog.WorkspaceID, e catalog.EventTypeID, from, to, held when.Instant) ([]Counted, error)
	// SeatsTaken returns the seats of live bookings of the event type that start in [from, to), for those with more
	// than one; any other booking takes one.
	SeatsTaken(event catalog.EventTypeID, from, to when.Instant) (map[booking.BookingID]int, error)
	// LiveStarts counts the host's live bookings that start in [from, to).
	LiveStarts(host catalog.HostID, from, to when.Instant) (int, error)
	// Counted lists the live bookings of the event type that start in [from, to), by their start. Theirs is true for
	// those that were made with that identity; one without a key matches none.
	Counted(e catalog.EventTypeID, r booking.Identity, from, to when.Instant) ([]Counted, error)
}

// Search is a search whose Input was checked.
type Search struct {
	setup    *catalog.Setup
	event    *catalog.EventType
	rules    slot.Rules
	place    slot.Place // of the booking that is searched for; see travels
	limits   catalog.Limits
	person   *person // see For
	hosts    []*catalog.Host
	exclude  []booking.BookingID       // whose time does not count as taken
	needs    []catalog.Need            // what is taken besides hosts
	beside   int                       // how many of others are taken beside the host
	others   []*catalog.Host           // preferred ones first; the host may be among them
	moved    *booking.Booking          // see Moving
	names    func(catalog.HostID) bool // see Naming; nil names everybody
	has      []catalog.ResourceRef     // what the booking that is moved has; a move keeps it where it can
	stays    bool                      // it keeps just that
	step     *booking.VisitStep        // see Within
	unknown  []catalog.CalendarOwner   // whose calendars can't be read, and who are not taken for it
	zone     *time.Location
	now      when.Instant
	held     when.Instant // holds that expire after it count
	from, to when.Instant
	asked    asked
	list     fault.List
	limit    int
	explain  bool
	days     days
	work     work

	kept     bool         // a booking keeps its length, whoever takes it
	business bool         // see ByBusiness
	waived   slot.Reasons // what Find passes over
	lacks    []catalog.Requirement
	passes   [3]bool // by booking.HeldFor, see Passing

	datesZone string // in which bare dates of the span were read, "" where it has none
}

// New checks the input of a search that is made at now and waits at the gate. r finds the booking whose time does not
// count as taken. Errors: bad_request, not_found (event type, host or booking).
func New(r Reader, setup *catalog.Setup, now time.Time, gate *Gate, in Input) (*Search, error) {
	q := &Search{setup: setup, zone: setup.Zone, now: when.At(now), held: setup.HeldAt(now), explain: in.Explain,
		work: work{gate: gate, budget: spanWork}}
	var err error
	if q.days, err = readDays(in.Weekdays, in.FirstPerDay); err != nil {
		return nil, err
	}
	if in.EventType == "" {
		return nil, fault.Invalid("eventType", "is required: a slug or id of the event type")
	}
	if q.event = setup.EventType(in.EventType); q.event == nil {
		return nil, fault.Missing("event type", in.EventType)
	}
	if in.TimeZone != "" {
		if q.zone, err = catalog.CheckZone("timeZone", in.TimeZone); err != nil {
			return nil, err
		}
	}
	q.list = q.listOf(&in)
	moved, err := excluded(r, setup, in.ExcludeBooking)
	if err != nil {
		return nil, err
	}
	same := moved != nil && moved.EventTypeID == q.event.ID
	longer := !same || len(in.Choice.AddOns) > 0 // else the booking keeps its length
	if same {
		if in.Choice.Seats == 0 {
			in.Choice.Seats = moved.Seats
		} else if err := q.event.CheckSeats(in.Choice.Seats); err != nil {
			return nil, err
		}
	}
	if moved == nil || longer && (in.Choice.Seats != 0 || len(in.Choice.AddOns) > 0) {
		if q.event, err = q.event.Chosen(in.Choice); err != nil {
			return nil, err
		}
	}
	q.rules, q.limits, q.place = q.event.Rules(), q.event.Limits, booking.PlaceOf(setup, q.event)
	q.takeNeeds(q.event)
	if in.SwitchedOff {
		q.rules.Inactive = false
	}
	if in.Freed {
		q.Passing(booking.HeldForHouse)
	}
	if q.limit, err = fault.PageLimit(in.Limit, defaultSlots); err != nil {
		return nil, err
	}
	if err := q.setSpan(in); err != nil {
		return nil, err
	}
	if q.hosts, err = Candidates(setup, q.event, in.Host); err != nil {
		return nil, err
	}
	if moved == nil {
		return q, nil
	}
	if same {
		moved.Seats = in.Choice.Seats
	}
	length, works := q.rules.Duration, q.rules.Works
	if q.Moving(moved); longer {
		q.rules.Duration, q.rules.Works, q.kept = length, works, false
	}
	return q, nil
}

// Naming makes the search name only these hosts where it tells who else is free or taken.
func (q *Search) Naming(may func(catalog.HostID) bool) { q.names = may }

// mayName reports whether the host may be named.
func (q *Search) mayName(h catalog.HostID) bool { return q.names == nil || q.names(h) }

// Among returns a search for one booking's time among hosts that the caller has locked.
func Among(hosts []*catalog.Host, setup *catalog.Setup, e *catalog.EventType, now time.Time) *Search {
	q := &Search{setup: setup, event: e, rules: e.Rules(), limits: e.Limits, place: booking.PlaceOf(setup, e),
		hosts: hosts, zone: setup.Zone, now: when.At(now), held: setup.HeldAt(now)}
	q.takeNeeds(e)
	return q
}

// Moving makes the search find where b can be moved: b's own time does not count as taken, and b keeps its length and
// buffers; one of a visit has those of its event type.
func (q *Search) Moving(b *booking.Booking) {
	q.exclude, q.has = append(q.exclude, b.ID), b.Resources
	q.moved = b
	q.preferOthers(b)
	if b.EventTypeID == q.event.ID {
		before, after := q.rules.BufferBefore, q.rules.BufferAfter
		q.rules, q.kept, q.place = b.KeepLength(q.rules), true, b.Place
		if b.Visit != nil { // elsewhere it may have other neighbours
			q.rules.BufferBefore, q.rules.BufferAfter = before, after
		}
	}
}

// Beside makes the time of these bookings not count as taken either: they are moved with the booking.
func (q *Search) Beside(bookings []booking.BookingID) { q.exclude = append(q.exclude, bookings...) }

// ignores reports whether the booking's own time does not count as taken. A hold, which has no id, always counts.
func (q *Search) ignores(b booking.BookingID) bool { return b != 0 && slices.Contains(q.exclude, b) }

// ByBusiness makes Find ignore the waived rules, and list in details.reasons all reasons against a start that can't be
// booked. Errors: bad_request.
func (q *Search) ByBusiness(rules []string) (err error) {
	q.business = true
	q.waived, err = booking.ParseOverride(rules)
	if q.waived.Has(slot.Offered) {
		q.Passing(booking.HeldForOffer, booking.HeldForHouse)
	}
	return err
}

// Passing makes the search pass over what is held for these: it ends where a booking takes its time.
func (q *Search) Passing(all ...booking.HeldFor) {
	for _, of := range all {
		q.passes[of] = true
	}
}

// Lacks tells Find which requirements of the event type the person doesn't meet at the start.
func (q *Search) Lacks(all []catalog.Requirement) { q.lacks = all }

// AtShortNotice makes the search ignore the minimum notice.
func (q *Search) AtShortNotice() { q.rules.MinimumNotice = 0 }

// AtOnce makes the search ignore what stands against the start only because it is now: the notice, the grid, and that the
// minute has begun.
func (q *Search) AtOnce(start when.Instant) {
	q.now = min(q.now, start)
	q.rules.MinimumNotice, q.rules.Step = 0, time.Minute
}

// AnyTimeAhead makes the search ignore how far ahead the event type can be booked.
func (q *Search) AnyTimeAhead() { q.rules.Window = anyWindow }

// AheadTo makes the search go that far ahead at least.
func (q *Search) AheadTo(until when.Instant) {
	q.rules.Window = max(q.rules.Window, time.Duration(until-q.now)*time.Millisecond)
}

// anyWindow is a booking window without an end.
const anyWindow = 100 * 365 * when.Day

// Staying makes the search check a booking that keeps its start and gets that length. The rules about the start itself,
// which are the past, the notice, the window and the grid, don't apply. kept says that event type and host stay, too:
// then caps and limits don't apply either, nor whether the event type can be booked, and the booking keeps the resources
// and hosts that it has, whatever the event type needs by now and whenever the resources can be used. Call it after
// Moving.
func (q *Search) Staying(start when.Instant, length time.Duration, kept bool) {
	q.now = min(q.now, start)
	q.rules.MinimumNotice, q.rules.Window, q.rules.Step = 0, anyWindow, time.Millisecond
	q.rules.Duration, q.kept = length, true
	q.rules.Works = lastUntil(q.rules.Works, length.Milliseconds())
	if b := q.moved; b != nil && b.Visit != nil && kept { // and its neighbours
		from, to := b.Reach()
		q.rules.BufferBefore = time.Duration(b.Start-from) * time.Millisecond
		q.rules.BufferAfter = time.Duration(to-b.End) * time.Millisecond
	}
	if kept {
		q.rules.MaxPerDay, q.rules.Inactive, q.limits = 0, false, catalog.Limits{}
		q.needs, q.stays = nil, true
		q.keepOthers()
		for _, r := range q.has {
			q.needs = append(q.needs, catalog.Need{OneOf: []catalog.ResourceID{r.ID}, During: r.During})
		}
	}
}

// Anew makes a search for a booking of the event type, which Moving has made keep its parts, give it those of now.
func (q *Search) Anew() { q.rules.Works = q.event.Works() }

// lastUntil returns the works with the last one ending then.
func lastUntil(works []slot.Work, end int64) []slot.Work {
	if len(works) == 0 {
		return nil
	}
	works = slices.Clone(works)
	last := &works[len(works)-1]
	last.Occupied.End += end - last.Own.End
	last.Own.End = end
	return works
}

// Zone returns the time zone of local times in the result.
func (q *Search) Zone() *time.Location { return q.zone }

// setSpan parses from, to, days and cursor.
func (q *Search) setSpan(in Input) error {
	// A bare date is a day of the call's zone, which is UTC when it has none.
	zone := time.UTC
	if in.TimeZone != "" {
		zone = q.zone
	}
	for _, bound := range []string{in.From, in.To} {
		if _, err := when.ParseDay(bound, zone); err == nil && !in.Spoken { // spoken, days are always those of Local
			q.datesZone = zone.String()
		}
	}
	from, err := booking.ParseBound("from", in.From, zone)
	if err != nil {
		return err
	}
	to, err := booking.ParseBound("to", in.To, zone)
	if err != nil {
		return err
	}
	switch {
	case in.To != "" && in.Days != nil:
		return fault.Invalid("days", "give either to or days, not both")
	case in.Days != nil && (*in.Days < 1 || *in.Days > maxAvailabilityDays):
		return fault.Invalid("days", "must be a whole number from 1 to %d", maxAvailabilityDays)
	case in.Cursor != "":
		return q.goOn(in.Cursor, from, to, in.Days)
	}
	q.from = max(from, q.now)
	q.asked.from = from
	if in.To != "" {
		if in.From != "" && to < q.from && q.from != q.now {
			return fault.Invalid("to", "must not lie before from")
		}
		q.asked.to = to
	} else {
		if q.asked.days = defaultAvailabilityDays; in.Days != nil {
			q.asked.days = int64(*in.Days)
		}
		q.asked.to = q.from.Add(time.Duration(q.asked.days) * when.Day)
	}
	if q.asked.to-q.from > longestSpan {
		return fault.Invalid("to", "at most %d days at once", maxAvailabilityDays)
	}
	q.to = max(q.asked.to, q.from)
	return nil
}

// asked is the span of the first page, which the cursors of all others carry.
type asked struct {
	from, to when.Instant // from is 0 if it was not given
	days     int64        // 0 if to was given
}

const longestSpan = when.Instant(maxAvailabilityDays * 24 * time.Hour / time.Millisecond)

// goOn continues a search behind the cursor, to the end that it had on its first page. What is given of the span must
// be as it was there.
func (q *Search) goOn(cursor string, from, to when.Instant, days *int) error {
	var behind, began, end int64
	if err := q.list.Read(cursor, &behind, &began, &end, &q.asked.days); err != nil {
		return err
	}
	q.asked.from, q.asked.to = when.Instant(began), when.Instant(end)
	last := when.Instant(behind)
	switch {
	case from != 0 && from != q.asked.from, to != 0 && to != q.asked.to, days != nil && int64(*days) != q.asked.days:
		return fault.BadCursor()
	// The first of each day is continued behind its day, which may end after the span.
	case last != last.Within(), q.asked.to < last-when.Instant(2*when.Day/time.Millisecond),
		q.asked.to > last+longestSpan+1:
		return fault.BadCursor()
	}
	q.from = max(last+1, q.now)
	q.to = max(q.asked.to, q.from)
	return nil
}

// listOf names the open times that the input asks for, but for their span.
func (q *Search) listOf(in *Input) fault.List {
	of := in.EventTypes
	if of == "" {
		of = q.event.ID.String()
	}
	return fault.List{"availability", of, in.Host, strings.Join(in.Choice.AddOns, ","), strconv.Itoa(in.Choice.Seats),
		in.ExcludeBooking, in.Weekdays, strconv.FormatBool(in.FirstPerDay), strconv.FormatBool(in.SwitchedOff),
		q.zone.String()}
}

// cursor continues the search behind that instant.
func (q *Search) cursor(behind int64) string {
	return q.list.Cursor(behind, int64(q.asked.from), int64(q.asked.to), q.asked.days)
}

// excluded returns the booking of that id, whose time counts as free; "" is nil.
func excluded(r Reader, setup *catalog.Setup, ref string) (*booking.Booking, error) {
	if ref == "" {
		return nil, nil
	}
	id, err := id.Parse[booking.BookingIDKind](ref)
	if err != nil {
		return nil, fault.Missing("booking", ref)
	}
	b, err := r.Booking(setup.Workspace.ID, id)
	if err != nil {
		return nil, fault.OrMissing(err, fault.Missing("booking", ref))
	}
	return &b, nil
}

// Candidates returns the active hosts that can take a booking: the one named by ref, or all that serve the event type.
func Candidates(setup *catalog.Setup, e *catalog.EventType, ref string) ([]*catalog.Host, error) {
	if ref == "" {
		hosts := make([]*catalog.Host, 0, len(e.Hosts))
		for _, h := range e.Hosts {
			if host := setup.Host(h.ID); host.Active {
				hosts = append(hosts, host)
			}
		}
		return hosts, nil
	}
	id, err := id.Parse[catalog.HostIDKind](ref)
	host := setup.Host(id)
	if err != nil || host == nil {
		return nil, fault.Missing("host", ref)
	}
	if !e.ServedBy(id) || !host.Active {
		return nil, fault.Invalid("host", "%s does not serve %s", host.Name, e.Title)
	}
	return []*catalog.Host{host}, nil
}
