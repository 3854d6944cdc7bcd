package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// BookSeries books the same services for one person on several dates, in one transaction: those that in.Repeat gives, or
// exactly in.Dates. What becomes of a date that can't be booked is in.Conflicts. Each date is checked as Book and
// BookVisit check it, but for the booking window, which counts for the first, of in.Dates that are later ones of the
// repetition for its start; the limits of a person count the dates before. Errors: those of Book and BookVisit that are of no date; conflict series_conflict with details.dates;
// already_booked with details.seriesId where all dates are.
func (s *Service) BookSeries(ctx context.Context, a Actor, in booking.SeriesInput) (booking.Series, error) {
	if err := a.May(MayBook); err != nil {
		return booking.Series{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return booking.Series{}, err
	}
	start, err := in.Check(setup.Workspace.PhoneCountry(), a.Desk())
	if err != nil {
		return booking.Series{}, err
	}
	if in.Items, err = s.namedItems(a, setup, &in); err != nil {
		return booking.Series{}, err
	}
	wanted, err := in.Wanted(start, setup.Zone)
	if err != nil {
		return booking.Series{}, err
	}
	items := in.All()
	if err := mayRepeat(a, setup, items, wanted); err != nil {
		return booking.Series{}, err
	}
	unknown, err := s.askForSeries(ctx, a, &in)
	if err != nil {
		return booking.Series{}, err
	}
	var made booking.Series
	for longest, again := longer(0), true; again; again = errors.As(err, &longest) {
		err = s.Write(ctx, func(tx Tx) error {
			for i := range items { // before any host is locked
				one := booking.BookInput{EventType: items[i].EventType, AddOns: items[i].AddOns, Seats: in.Seats}
				if err := s.lengthen(tx, a, one, time.Duration(longest)); err != nil {
					return err
				}
			}
			ch, err := s.lockItems(tx, a, setup, items)
			if err != nil {
				return err
			}
			setup, ch.Unknown = ch.Setup, unknown
			b := seriesBooking{Service: s, ch: ch, r: tx, in: &in, start: start, dates: slices.Clone(wanted)}
			made, err = b.book()
			return err
		})
	}
	if err != nil {
		return booking.Series{}, err
	}
	for i := range made.Bookings {
		s.Present(setup, a, &made.Bookings[i])
	}
	return made, nil
}

// mayRepeat returns why a visitor may not book so many dates of these services, all of which are known, at once, or nil.
func mayRepeat(a Actor, setup *catalog.Setup, items []booking.VisitItem, wanted []booking.WantedDate) error {
	if a.Business() {
		return nil
	}
	dates := 0
	for i := range wanted {
		if wanted[i].State != booking.SeriesSkipped {
			dates++
		}
	}
	for _, item := range items {
		switch e := setup.EventType(item.EventType); {
		case dates <= max(e.SeriesUpTo, 1):
		case e.SeriesUpTo < 2:
			return fault.Invalid("repeat", "%s can't be booked as a series: book one date", e.Title)
		default:
			return fault.Invalid("repeat", "at most %d dates of %s can be booked at once, and these are %d", e.SeriesUpTo, e.Title, dates)
		}
	}
	return nil
}

// askForSeries is AskCalendars for a series: of all who may be booked on any of its dates.
func (s *Service) askForSeries(ctx context.Context, a Actor, in *booking.SeriesInput) (unknown []catalog.CalendarOwner, err error) {
	type question struct{ eventType, host string }
	var all []question
	for _, item := range in.All() {
		all = append(all, question{item.EventType, item.Host})
	}
	for _, d := range in.Dates {
		if d.Host != "" {
			all = append(all, question{in.EventType, d.Host})
		}
		for _, item := range d.Items {
			all = append(all, question{item.EventType, item.Host})
		}
	}
	for i, q := range all {
		if slices.Contains(all[:i], q) {
			continue
		}
		more, err := s.AskCalendars(ctx, a, q.eventType, q.host)
		if err != nil {
			return nil, err
		}
		unknown = append(unknown, more...)
	}
	return unknown, nil
}

// namedItems looks up what the input names, and returns its items. It sets its event type and host.
func (s *Service) namedItems(a Actor, setup *catalog.Setup, in *booking.SeriesInput) ([]booking.VisitItem, error) {
	items := in.All()
	if in.Spoken {
		if err := a.understandItems(setup, items, new(string)); err != nil {
			return nil, err
		}
	}
	if err := s.checkItems(a, setup, items); err != nil {
		return nil, err
	}
	byID(setup, items)
	for i := range in.Dates {
		var err error
		if in.Dates[i].Host, err = a.NamedHost(setup, in.Dates[i].Host); err != nil {
			return nil, err
		}
		if len(in.Dates[i].Items) > 0 {
			if err := s.checkItems(a, setup, in.Dates[i].Items); err != nil {
				return nil, err
			}
			byID(setup, in.Dates[i].Items)
		}
	}
	if in.Visits() {
		return items, nil
	}
	in.EventType, in.Host, in.AddOns = items[0].EventType, items[0].Host, items[0].AddOns
	return nil, nil
}

// byID makes the items, of which all are known, name their event types by id.
func byID(setup *catalog.Setup, items []booking.VisitItem) {
	for i := range items {
		items[i].EventType = setup.EventType(items[i].EventType).ID.String()
	}
}

// seriesBooking books the dates of a series behind the locks.
type seriesBooking struct {
	*Service
	ch    *Change
	r     Reader // what is read: behind the locks, or before anything is booked
	in    *booking.SeriesInput
	start when.Instant // of the repetition
	dates []booking.WantedDate

	anybody bool // nobody knows who books: limits and requirements of a person don't count
	made    booking.Series
	chosen  catalog.HostID // who takes all dates that they can; 0 is whoever is free
	behind  bool           // the first date of the repetition was not chosen, and lies in the booking window of all that are
	beyond  bool           // the first date lies beyond the booking window, which no other one makes good
	needsOK bool           // one of the dates must be approved, so that all must
	paid    bool           // the first date that is booked is paid online, and the others wait for that
}

// errOthers says that the bookings were made as others than they have to be: what they say of their series is not true, or
// not all of them wait for approval.
var errOthers = errors.New("the series has other dates than expected")

func (s *seriesBooking) book() (booking.Series, error) {
	for _, item := range s.in.All() {
		if _, err := s.service(item); err != nil {
			return s.made, err
		}
	}
	var err error
	if s.behind, err = s.chosenBehind(); err != nil {
		return s.made, err
	}
	if err := s.choose(); err != nil {
		return s.made, err
	}
	left := 0
	for i := range s.dates {
		if s.dates[i].State != booking.SeriesSkipped {
			left++
		}
	}
	for expected := left; ; {
		booked := 0
		err := s.ch.Try(func() (err error) {
			if booked, err = s.bookAll(expected); err == nil {
				err = s.refused(booked)
			}
			if err == nil && booked != expected {
				err = errOthers
			}
			return err
		})
		if err != errOthers {
			return s.made, err
		}
		expected = booked // once more, without those that are skipped by now, or with what is to be approved
	}
}

// bookAll books all dates that aren't skipped, and returns how many. Refusals are kept in the dates.
func (s *seriesBooking) bookAll(expected int) (booked int, err error) {
	s.made, s.paid = booking.Series{Repeat: s.in.Repeat, Bookings: []booking.Booking{}}, false
	for i := range s.dates {
		d := &s.dates[i]
		if d.State == booking.SeriesSkipped {
			continue
		}
		if d.Instead == 0 { // what was found before counts no more
			d.Reason, d.Reasons = "", nil
		}
		var waived slot.Reasons
		step := booking.SeriesStep{Ref: booking.SeriesRef{ID: s.made.ID, Position: booked + 1, Of: expected}, First: s.first(), Later: i > 0 || s.behind,
			Waived: &waived}
		made, err := s.bookDate(d, step)
		e := fault.Refusal(err)
		s.beyond = s.beyond || i == 0 && e != nil && isBeyond(e)
		if e != nil && d.Instead == 0 && ofStart(e) && e.Reason != "already_booked" && s.in.Conflicts == booking.SeriesNearest && s.in.Dates == nil {
			s.note(d, e)
			near, found := s.nearest(i)
			if found != nil {
				return 0, found
			}
			if near != 0 {
				d.Instead = near
				step.First = s.first()
				made, err = s.bookDate(d, step)
				e = fault.Refusal(err)
			}
		}
		switch {
		case e != nil && ofStart(e):
			s.note(d, e)
			d.State, d.Instead, d.Host, d.Items, d.Booking = booking.SeriesSkipped, 0, nil, nil, 0
			continue
		case err != nil:
			return 0, err
		}
		if booked++; booked == 1 {
			s.made.ID, s.paid = made[0].Series.ID, made[0].NeedsPay
		}
		if d.State = booking.SeriesFree; d.Instead != 0 {
			d.State = booking.SeriesMoved
		} else {
			setAside(d, waived)
		}
		d.Booking = made[0].ID
		s.place(d, made)
		s.made.Bookings = append(s.made.Bookings, made...)
	}
	if asks := func(b booking.Booking) bool { return b.NeedsOK }; !s.needsOK && slices.ContainsFunc(s.made.Bookings, asks) {
		s.needsOK = slices.ContainsFunc(s.made.Bookings, func(b booking.Booking) bool { return !b.NeedsOK })
		if s.needsOK {
			return booked, errOthers
		}
	}
	for i := range s.dates {
		s.made.Dates = append(s.made.Dates, s.dates[i].SeriesDate)
	}
	if booked == 0 {
		return 0, nil
	}
	return booked, s.ch.SaveSeries(s.ch.Setup.Workspace.ID, &s.made)
}

// chosenBehind reports whether the dates that were chosen are later ones of the repetition, for whose first one the booking
// window counts, and whether that lies in it. Of visitors, the repetition must be one that they may book.
func (s *seriesBooking) chosenBehind() (bool, error) {
	if s.in.Dates == nil || s.dates[0].Start <= s.start {
		return false, nil
	}
	starts, _, err := s.in.Repeat.Dates(s.start, s.ch.Setup.Zone)
	if err != nil || s.dates[0].Start > starts[len(starts)-1].Add(nearDays*when.Day) {
		return false, err
	}
	for _, item := range s.in.All() {
		e, err := s.service(item)
		if err != nil {
			return false, err
		}
		if s.start > when.At(s.ch.Now).Add(time.Duration(e.BookingWindowDays)*when.Day) || !s.ch.Actor.Business() && len(starts) > e.SeriesUpTo {
			return false, nil
		}
	}
	return true, nil
}

// first returns when the first date begins that is booked.
func (s *seriesBooking) first() when.Instant {
	first := when.Instant(0)
	for i := range s.dates {
		if at := s.dates[i].At(); s.dates[i].State != booking.SeriesSkipped && (first == 0 || at < first) {
			first = at
		}
	}
	return first
}

// place says in the date with whom it is booked.
func (s *seriesBooking) place(d *booking.WantedDate, made []booking.Booking) {
	d.Host, d.Items = nil, nil
	if !s.in.Visits() {
		host := made[0].Host.ID
		d.Host = &host
		return
	}
	for i := range made {
		b := &made[i]
		item := booking.VisitItem{EventType: b.EventType, Host: b.Host.ID.String(), AddOns: []string{}, Start: b.Start.String(), End: b.End.String()}
		for _, x := range b.AddOns {
			item.AddOns = append(item.AddOns, x.ID)
		}
		d.Items = append(d.Items, item)
	}
}

// bookDate books one date, in a part of its own that a refusal undoes.
func (s *seriesBooking) bookDate(d *booking.WantedDate, step booking.SeriesStep) (made []booking.Booking, err error) {
	err = s.ch.Try(func() error {
		made = nil
		if s.in.Visits() {
			in := s.in.Visit(d.At().String())
			in.Series, in.NeedsOK, in.NeedsPay, in.Override = &step, s.needsOK, s.paid, slices.Concat(in.Override, d.Override)
			if step.Ref.Position == 1 {
				in.ContactFields, in.MustGive = s.in.ContactFields, s.in.MustGive
			}
			arranged := d.Places
			if arranged != nil {
				in.Items = d.Chosen
			} else if arranged, err = arrangeDate(s.ch, &in, d.At(), step.Later); err != nil {
				return err
			}
			v, err := s.bookItems(s.ch, &in, arranged)
			made = v.Items
			return err
		}
		in := s.in.Book()
		in.Start, in.Series, in.Prefer, in.NeedsOK, in.NeedsPay = d.At().String(), &step, s.chosen, s.needsOK, s.paid
		in.Override = slices.Concat(in.Override, d.Override)
		if step.Ref.Position == 1 {
			in.ContactFields, in.MustGive = s.in.ContactFields, s.in.MustGive
		}
		if d.Named != "" {
			in.Host, in.AnyHost = d.Named, s.in.Host == ""
		}
		of, err := s.Lock(s.ch.Tx, s.ch.Actor, in.EventType, func(setup *catalog.Setup, e *catalog.EventType) {
			s.ahead(s.ch.Tx, setup, e, d.At(), in, s.ch.Now)
		}, catalog.Locks{})
		if err != nil {
			return err
		}
		of.Now, of.insert, of.Unknown = s.ch.Now, true, s.ch.Unknown
		if err := s.admit(of, d.At(), &in); err != nil {
			return err
		}
		b, err := s.Service.book(of, d.At(), in)
		made = []booking.Booking{b}
		return err
	})
	return made, err
}

// choose finds who takes all the dates that they can: who is free on most of them and, of those, whom a booking on the first
// of their dates would get.
func (s *seriesBooking) choose() error {
	if s.in.Visits() || s.in.Host != "" || s.in.Dates != nil {
		return nil
	}
	e, err := s.service(s.in.All()[0])
	if err != nil {
		return err
	}
	if hosts, err := availability.Candidates(s.ch.Setup, e, ""); err != nil || len(hosts) < 2 {
		return err
	}
	q, err := s.search(false)
	if err != nil {
		return err
	}
	count, most, free := map[catalog.HostID]int{}, 0, make([][]catalog.HostRef, len(s.dates))
	for i := range s.dates {
		if s.dates[i].State == booking.SeriesSkipped {
			continue
		}
		if i > 0 {
			q.AnyTimeAhead()
		}
		if free[i], err = q.FreeAt(s.r, s.dates[i].Start); err != nil {
			return err
		}
		for _, h := range free[i] {
			count[h.ID]++
			most = max(most, count[h.ID])
		}
	}
	if most == 0 {
		return nil
	}
	best := func(h catalog.HostRef) bool { return count[h.ID] == most }
	first := slices.IndexFunc(free, func(hosts []catalog.HostRef) bool { return slices.ContainsFunc(hosts, best) })
	if q, err = s.search(first > 0, func(h catalog.HostID) bool { return count[h] == most }); err != nil {
		return err
	}
	p, err := q.Find(s.r, s.dates[first].Start, 0)
	if err != nil {
		return err
	}
	s.chosen = p.Host.ID
	return nil
}

// service returns what is booked of a service on each date. Errors: not_found, also where the set-up has changed since it was
// looked at; those of Chosen.
func (s *seriesBooking) service(item booking.VisitItem) (*catalog.EventType, error) {
	e := s.ch.Actor.Limits.Of(s.ch.Setup.EventType(item.EventType))
	if e == nil {
		return nil, fault.Missing("event type", item.EventType)
	}
	return e.Chosen(catalog.Choice{AddOns: item.AddOns, Seats: s.in.Seats})
}

// search returns the search for a date, among those of its hosts that are wanted; later says that it isn't the first date.
func (s *seriesBooking) search(later bool, wanted ...func(catalog.HostID) bool) (*availability.Search, error) {
	e, err := s.service(s.in.All()[0])
	if err != nil {
		return nil, err
	}
	hosts, err := availability.Candidates(s.ch.Setup, e, s.in.Host)
	if err != nil {
		return nil, err
	}
	for _, is := range wanted {
		hosts = slices.DeleteFunc(hosts, func(h *catalog.Host) bool { return !is(h.ID) })
	}
	q, err := s.ch.Among(hosts, e, s.in.Override)
	if err == nil && later {
		q.AnyTimeAhead()
	}
	return q, err
}

// arrangeDate is arrange for a visit of a series; later says that it isn't the first date.
func arrangeDate(ch *Change, in *booking.VisitInput, start when.Instant, later bool) ([]booking.VisitPlace, error) {
	if !later {
		return arrange(ch, in, start)
	}
	v, err := itemsAmong(ch, in, in.Override)
	if err != nil {
		return nil, err
	}
	v.AnyTimeAhead()
	found, err := v.Arrange(ch.Tx, start)
	if err != nil || found != nil {
		return found, err
	}
	if len(in.Override) > 0 {
		found, _, err = v.Follow(ch.Tx, start)
		return found, err
	}
	return nil, ch.withReasons(v.Against(ch.Tx, start), start, func() (*availability.Visit, error) {
		again, err := itemsAmong(ch, in, nil)
		if err == nil {
			again.AnyTimeAhead()
		}
		return again, err
	})
}

// ofStart reports whether the refusal is of a start, and not of what is asked for whenever it begins.
func ofStart(e *fault.Error) bool {
	return e.Reason == "slot_taken" || e.Reason == "already_booked" || slot.ReasonsOf(slot.Reason(e.Reason)) != 0
}

// whyRefused returns why a start is refused and, for those who may waive rules, all that stand against it but for those
// that are waived; the reason is then the first of these.
func whyRefused(e *fault.Error, waived []string) (reason string, rules []slot.Reason) {
	all, _ := e.Details["reasons"].([]slot.Reason)
	for _, r := range all {
		if !slices.Contains(waived, string(r)) {
			rules = append(rules, r)
		}
	}
	if e.Reason == "slot_taken" && len(rules) > 0 {
		return string(rules[0]), rules
	}
	return e.Reason, rules
}

// isBeyond reports whether a start is refused because it lies beyond the booking window, perhaps among other reasons.
func isBeyond(e *fault.Error) bool {
	all, _ := e.Details["reasons"].([]slot.Reason)
	return e.Reason == string(slot.TooFar) || slices.Contains(all, slot.TooFar)
}

// note keeps why a date is not booked where it lies.
func (s *seriesBooking) note(d *booking.WantedDate, e *fault.Error) {
	if d.Reason != "" { // the date that lies nearest was refused, too
		return
	}
	d.Reason, d.Reasons = whyRefused(e, slices.Concat(s.in.Override, d.Override))
	if b, ok := e.Details["bookingId"].(booking.BookingID); ok {
		d.Other = b
	}
	if e := s.ch.Setup.EventType(s.in.All()[0].EventType); e != nil {
		d.Holiday = s.holiday(e, d.Start)
	}
}

// setAside says in a date that is booked where it lies which rules are set aside for it.
func setAside(d *booking.WantedDate, rules slot.Reasons) {
	if rules != 0 {
		d.Reason, d.Reasons = string(rules.First()), rules.List()
	}
}

// holiday returns the name of the public holiday on which none of those who can do it works, or "".
func (s *seriesBooking) holiday(e *catalog.EventType, start when.Instant) (name string) {
	end := start.Add(time.Duration(e.DurationMinutes) * time.Minute)
	hosts, err := availability.Candidates(s.ch.Setup, e, s.in.Host)
	if err != nil || len(hosts) == 0 {
		return ""
	}
	for _, h := range hosts {
		if name = h.HolidayIn(start, end); name == "" {
			return ""
		}
	}
	return name
}

// refused returns why the series is not booked, or nil. Unless dates are to be skipped, one that isn't booked is enough.
func (s *seriesBooking) refused(booked int) error {
	missing, twice := 0, 0
	var other booking.BookingID
	for i := range s.dates {
		if d := &s.dates[i]; d.State == booking.SeriesSkipped && d.Reason != booking.SeriesExcept {
			if missing++; d.Reason == "already_booked" {
				twice++
				other = max(other, d.Other)
			}
		}
	}
	switch {
	case booked == 0 && twice == missing && twice > 0:
		e := fault.Conflictf("already_booked", "This invitee has booked all of these dates already.")
		if other != 0 {
			if b, err := s.ch.Tx.Booking(s.ch.Setup.Workspace.ID, other); err == nil && b.Series != nil {
				e.With("seriesId", b.Series.ID)
			}
		}
		return e
	case missing == 0, booked > 0 && s.in.Conflicts == booking.SeriesSkip && s.in.Dates == nil && !s.beyond:
		return nil
	}
	dates := slices.Clone(s.made.Dates)
	for i := range dates {
		dates[i].Booking = 0
	}
	e := fault.Conflictf("series_conflict", "%d dates can't be booked, so that nothing was: see details.dates.", missing)
	if missing == 1 {
		e = fault.Conflictf("series_conflict", "One date can't be booked, so that nothing was: see details.dates.")
	}
	return e.With("dates", dates)
}
