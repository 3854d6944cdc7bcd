package waitlist

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/field"
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

const (
	mostOffered  = 3                // people who are offered one time, one after the other
	offeredFor   = 90 * time.Minute // in all; then it is open to everybody
	leastOffered = 10 * time.Minute // an offer that would be shorter isn't made
	pendingAgain = 30 * time.Second // how often a payment is looked after
)

// offerUntil returns until when a start may be offered: for so many minutes, at most half of the time that is left. ok says
// that this is enough.
func offerUntil(setup *catalog.Setup, start when.Instant, now time.Time) (until when.Instant, ok bool) {
	d := time.Duration(setup.Workspace.Settings.OfferMinutes()) * time.Minute
	d = min(d, start.Time().Sub(now)/2)
	return when.At(now.Add(d).Truncate(time.Second)), d >= leastOffered
}

// letOffer ends what an entry is offered, if anything: whoever comes next is asked, where goesOn says so; else the time is
// taken.
func (s *Service) letOffer(tx Tx, e *Entry, now when.Instant, goesOn bool) error {
	o := e.Offer
	if e.Status != Offered || o == nil {
		return nil
	}
	e.Status, e.Offer = Waiting, nil
	j, err := tx.WaitJob(e.WorkspaceID, o.Job)
	gone := errors.Is(err, fault.ErrNotFound) || err == nil && j.Entry != e.ID
	if err != nil && !gone {
		return err
	}
	if !gone { // what is held for the house below is free then
		var all catalog.Locks = catalog.SubjectsOf(j.Hosts, j.Resources...)
		if j.Host != 0 {
			all = append(all, catalog.OfHost(j.Host))
		}
		if _, err := tx.LockTaken(j.Workspace, all.Without(catalog.Locks{})); err != nil {
			return err
		}
	}
	if err := tx.EndHeldFor(e.WorkspaceID, e.ID.String(), now); err != nil || gone {
		return err
	}
	if !goesOn || j.ByHand {
		return tx.DeleteWaitJob(j.Workspace, j.ID)
	}
	j.Entry, j.Due = 0, now
	if !slices.Contains(j.Asked, e.ID) {
		j.Asked = append(j.Asked, e.ID)
	}
	if err := s.houseAgain(tx, &j, cmp.Or(j.Host, o.Host), now.Add(app.HouseHold), true); err != nil {
		return err
	}
	return tx.UpdateWaitJob(&j)
}

// houseAgain holds the time of a job for the house until then, unless it is night: that of the host, which is free, and where
// these are locked also what is free of its other hosts and its resources.
func (s *Service) houseAgain(tx Tx, j *app.WaitJob, host catalog.HostID, until when.Instant, locked bool) error {
	now := s.Now()
	setup, err := s.Core.Setup(j.Workspace)
	if err != nil {
		return err
	}
	if _, night := app.Morning(now, setup.Zone); night {
		return nil
	}
	h := app.Hold{Host: catalog.HostRef{ID: host}, Seats: max(1, j.Seats), EventTypeID: j.EventType,
		Taken: booking.Taken{Start: j.Start, End: j.End, BusyStart: j.Start, BusyEnd: j.End}}
	if h.Start = max(h.Start, when.At(now)); h.Start >= h.End {
		return nil
	}
	h.BusyStart = h.Start
	if locked && j.Seats == 0 {
		if err := freeWith(tx, setup, j, host, now, &h.Taken); err != nil {
			return err
		}
	}
	return app.HoldForHouse(tx, now, &h, j, when.At(until.Time().Truncate(time.Second)))
}

// freeWith adds to what is held of one host of a job those of its other hosts and of its resources that are free meanwhile.
func freeWith(tx Tx, setup *catalog.Setup, j *app.WaitJob, lead catalog.HostID, now time.Time, t *booking.Taken) error {
	for _, host := range j.Hosts {
		rows, err := tx.Occupied(nil, host, t.Start, t.End, setup.HeldAt(now))
		if err != nil {
			return err
		}
		if len(rows) > 0 || host == lead {
			continue
		}
		if len(t.Hosts) == 0 {
			t.Hosts = []catalog.HostRef{{ID: lead}}
		}
		t.Hosts = append(t.Hosts, catalog.HostRef{ID: host})
	}
	if len(j.Resources) == 0 {
		return nil
	}
	rows, err := tx.OccupiedThings(catalog.SubjectsOf(nil, j.Resources...), t.Start, t.End, setup.HeldAt(now))
	if err != nil {
		return err
	}
	for i, r := range j.Resources {
		if len(rows[i]) == 0 {
			t.Resources = append(t.Resources, catalog.ResourceRef{ID: r})
		}
	}
	return nil
}

// holdsWith notes in a job what else an offer takes.
func holdsWith(j *app.WaitJob, t *booking.Taken) {
	for _, h := range t.Others() {
		if !slices.Contains(j.Hosts, h.ID) {
			j.Hosts = append(j.Hosts, h.ID)
		}
	}
	for _, r := range t.Resources {
		if !slices.Contains(j.Resources, r.ID) {
			j.Resources = append(j.Resources, r.ID)
		}
	}
}

// Taken is what somebody has booked by taking an offer: a booking or a visit.
type Taken struct {
	Booking booking.Booking
	Visit   booking.Visit // with an id, if it is one
}

// errOver says that what was offered can't be taken any more.
func errOver() *fault.Error {
	return fault.Conflictf("offer_over", "This time is not offered to you any more.")
}

// TakeInput is what a person says who takes an offer, as far as Asked asks for it.
type TakeInput struct {
	Email, Phone           string
	Answers, ContactFields map[string]any
}

// Asked returns what the person must still say to take what the entry is offered, as the booking page asks for it: the
// questions of its services that must be answered, an e-mail address or a telephone number where one is asked for and the entry
// has none (AskBoth; else it asks for what the entry has), and the workspace's own fields that must be given.
func (e *Entry) Asked(setup *catalog.Setup) (*catalog.EventType, []catalog.ContactField) {
	all := slices.DeleteFunc(e.services(setup), func(s *catalog.EventType) bool { return s == nil })
	asked := catalog.AskedTogether(all...)
	asked.Questions = slices.DeleteFunc(asked.Questions, func(q catalog.Question) bool { return !q.Required })
	asks, has := asked.Asks(), &e.Invitee
	either := asks == catalog.AskEither
	switch {
	case !either && (asks.Email() && has.Email == "" || asks.Phone() && has.Phone == ""):
		asked.AsksFor = catalog.AskBoth
	case has.Email == "":
		asked.AsksFor = catalog.AskPhone
	default:
		asked.AsksFor = catalog.AskEmail
	}
	own := slices.DeleteFunc(setup.Workspace.Settings.FormFields(), func(f catalog.ContactField) bool { return f.OnForm != catalog.MustBeGiven })
	return asked, own
}

// Input returns what is booked of the person where the offer is taken, as the booking page would: it has the problems of what
// must be said.
func (in *TakeInput) Input(e *Entry, asked *catalog.EventType) booking.BookInput {
	b := booking.BookInput{Invitee: e.Invitee, Answers: asked.OwnAnswers(in.Answers), ContactFields: in.ContactFields, MustGive: true}
	if asked.AsksFor == catalog.AskBoth {
		b.Invitee.Email, b.Invitee.Phone = cmp.Or(e.Invitee.Email, in.Email), cmp.Or(e.Invitee.Phone, in.Phone)
	}
	return b
}

// Take books what an entry is offered, by the link that they were sent. Errors: not_found, conflict offer_over, bad_request (something
// that Asked asks for is missing or wrong), those of a booking.
func (s *Service) Take(ctx context.Context, token string, in TakeInput) (t Taken, err error) {
	found, _, err := s.ByToken(ctx, token)
	if err != nil {
		return t, err
	}
	err = s.locked(ctx, found.WorkspaceID, found.ID, func(tx Tx, e *Entry, now when.Instant) (err error) {
		t, err = s.take(ctx, tx, e, &in, now)
		return err
	})
	return t, fault.OrMissing(err, errGone())
}

func (s *Service) take(ctx context.Context, tx Tx, e *Entry, said *TakeInput, now when.Instant) (t Taken, err error) {
	o := e.Offer
	if e.Status != Offered || o == nil || o.Until <= now || e.Taken() {
		return t, errOver()
	}
	setup, err := s.Core.Setup(e.WorkspaceID)
	if err != nil {
		return t, err
	}
	asked, _ := e.Asked(setup)
	given := said.Input(e, asked)
	var p fault.Problems
	for _, problem := range given.Problems(asked, setup.Workspace.PhoneCountry()) {
		p.Add(problem)
	}
	_, err = setup.Workspace.Settings.CheckWritten(given.ContactFields, true)
	p.Add(err)
	if err := p.Err(); err != nil {
		return t, err
	}
	a := app.Actor{Kind: booking.ByInvitee, Workspace: e.WorkspaceID, Waits: e.ID}
	core, pending := s.Core.In(tx), false
	if len(e.Items) > 1 {
		in := booking.VisitInput{Start: o.Start.String(), Hold: o.Hold.String(), Invitee: given.Invitee, Answers: given.Answers,
			ContactFields: given.ContactFields, MustGive: true}
		in.Order = e.Order
		for _, item := range e.Items {
			in.Items = append(in.Items, booking.VisitItem{EventType: item.EventType, Host: item.Host, AddOns: item.AddOns})
		}
		if t.Visit, err = core.BookVisit(ctx, a, in); err == nil {
			e.VisitID = t.Visit.ID
			pending = slices.ContainsFunc(t.Visit.Items, isPending)
		}
	} else {
		item := &e.Items[0]
		t.Booking, err = core.Book(ctx, a, booking.BookInput{EventType: item.EventType, Start: o.Start.String(), Host: item.Host,
			AddOns: item.AddOns, Seats: e.Seats, Invitee: given.Invitee, Answers: given.Answers, ContactFields: given.ContactFields,
			MustGive: true, Hold: o.Hold.String(), Proven: given.Invitee.Email == e.Invitee.Email})
		if err == nil {
			e.BookingID, pending = t.Booking.ID, isPending(t.Booking)
		}
	}
	switch refused := fault.Refusal(err); {
	case refused != nil && refused.Reason == "hold_expired":
		return t, errOver()
	case err != nil:
		return t, err
	case !pending:
		return t, s.hasBooked(tx, e, now)
	}
	j, err := tx.WaitJob(e.WorkspaceID, o.Job) // which looks whether it is paid and approved
	if err != nil {
		return t, err
	}
	j.Due = now.Add(pendingAgain)
	if err := tx.UpdateWaitJob(&j); err != nil {
		return t, err
	}
	return t, tx.UpdateWaitEntry(e)
}

func isPending(b booking.Booking) bool { return b.Status == booking.Pending }

// hasBooked ends an entry that has become its booking or visit.
func (s *Service) hasBooked(tx Tx, e *Entry, now when.Instant) error {
	if e.Offer != nil {
		if err := tx.DeleteWaitJob(e.WorkspaceID, e.Offer.Job); err != nil {
			return err
		}
	}
	e.Status, e.Offer, e.EndedAt = Booked, nil, now
	if err := tx.UpdateWaitEntry(e); err != nil {
		return err
	}
	return s.event(tx, catalog.WaitlistBooked, e)
}

// Refuse ends what an entry is offered, by the link that they were sent: it waits on, and isn't offered that time again. Doing it
// again changes nothing. Errors: not_found.
func (s *Service) Refuse(ctx context.Context, token string) error {
	found, _, err := s.ByToken(ctx, token)
	if err != nil {
		return err
	}
	err = s.locked(ctx, found.WorkspaceID, found.ID, func(tx Tx, e *Entry, now when.Instant) error {
		if e.Status != Offered || e.Taken() {
			return nil
		}
		e.refuses(e.Offer.Start)
		if err := s.letOffer(tx, e, now, true); err != nil {
			return err
		}
		return tx.UpdateWaitEntry(e)
	})
	return fault.OrMissing(err, errGone())
}

// refuses notes that the entry isn't to be offered that start again.
func (e *Entry) refuses(start when.Instant) {
	if e.Refused = append(e.Refused, start); len(e.Refused) > mostRefused {
		e.Refused = e.Refused[len(e.Refused)-mostRefused:]
	}
}

// OfferTime is what the business offers to somebody by hand.
type OfferTime struct {
	Start string `json:"start"`
	Host  string `json:"host"`
}

// OfferTimeFields describes the fields of OfferTime.
var OfferTimeFields = field.Resource{
	Text: "A time to be offered.",
	Fields: []field.Field{
		{Name: "start", Text: "When it begins: an ISO 8601 time with a zone, which must be open.", Format: "date-time", Example: "2026-12-01T09:00:00Z", Required: true},
		{Name: "host", Most: booking.MaxRef, Pattern: booking.HostPattern, Text: "Id of the host; left out for whoever is free, of a visit always."},
	},
}

// OfferEntry offers an entry a time that is open, whether it came free or the entry wishes for it. Errors: forbidden, not_found,
// bad_request, conflict wrong_state (it doesn't wait, or its person is offered another time), slot_taken and others of a
// booking, too_soon (no time is left to answer), page_only (nothing goes out that could tell them).
func (s *Service) OfferEntry(ctx context.Context, a app.Actor, ref string, in OfferTime) (e Entry, err error) {
	if err := a.May(app.MayBook); err != nil {
		return e, err
	}
	if a.Kind == booking.ByInvitee {
		return e, fault.Missing("waitlist entry", ref)
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return e, err
	}
	start, err := booking.ParseStart(in.Start)
	if err != nil {
		return e, err
	}
	host, err := fault.CheckLine("host", in.Host, 0, booking.MaxRef)
	if err == nil {
		host, err = a.NamedHost(setup, host)
	}
	if err != nil {
		return e, err
	}
	if e, err = s.find(s.Reader(ctx), a, setup, ref); err != nil {
		return e, err
	}
	if by, err := s.ways(ctx, setup); err != nil {
		return e, err
	} else if !e.reached(by) {
		return e, fault.Conflictf("page_only", "This business sends no mails at present, or to a number alone no texts, so that nothing can be offered.")
	}
	err = s.locked(ctx, a.Workspace, e.ID, func(tx Tx, now *Entry, at when.Instant) error {
		e = *now
		until, ok := offerUntil(setup, start, s.Now())
		if !ok && start > at {
			return fault.Conflictf("too_soon", "It begins too soon: no time is left to answer.")
		}
		j := app.WaitJob{ID: id.New[booking.WaitJobIDKind](s.Now()), Workspace: a.Workspace, Kind: app.WaitFreed, WaitState: app.WaitState{ByHand: true}}
		_, err := s.offerTo(tx, &e, &j, start, host, until, tx.InsertWaitJob)
		if err == nil && slices.ContainsFunc(e.Offer.hosts(), func(h catalog.HostID) bool { return !a.Sees(h) }) {
			err = fault.Conflictf("slot_taken", "None of the hosts that you see is free then.")
		}
		return err
	})
	if err != nil {
		return Entry{}, fault.OrMissing(err, fault.Missing("waitlist entry", ref))
	}
	e.present(setup)
	return e, nil
}

// offerTo offers a start to an entry, behind the lock of the workspace, with the host if one is named, and saves the job that
// goes on when the offer ends, with those rooms of the time that the offer takes. It returns the others. The errors are those of
// OfferEntry.
func (s *Service) offerTo(tx Tx, e *Entry, j *app.WaitJob, start when.Instant, host string, until when.Instant,
	save func(*app.WaitJob) error) (left []catalog.ResourceID, err error) {
	if e.Status != Waiting {
		return nil, fault.Conflictf("wrong_state", "An entry that is %s can't be offered a time.", e.Status).With("status", e.Status.String())
	}
	now := when.At(s.Now())
	n, err := tx.WaitsOf(e.WorkspaceID, e.Person(), now, Offered)
	if err != nil {
		return nil, err
	}
	if n > 0 {
		return nil, fault.Conflictf("wrong_state", "This person is offered another time right now.").With("status", Offered.String())
	}
	in := e.wants(start, host)
	in.House, in.Until = j.Hold, until
	h, err := s.Core.Offer(tx, e.WorkspaceID, in)
	if err != nil {
		return nil, err
	}
	if host != "" && len(e.Items) == 1 && h.Host.ID.String() != host {
		return nil, fault.Conflictf("slot_taken", "This person waits for another host.")
	}
	e.Status, e.Offer = Offered, &Offer{Start: h.Start, End: h.End, Host: h.Host.ID, Items: h.Items, Until: h.ExpiresAt, Hold: h.ID, Job: j.ID}
	holdsWith(j, &h.Taken)
	if j.Start == 0 { // it is offered by hand
		j.Host, j.Start, j.End = h.Host.ID, h.BusyStart, h.BusyEnd
	}
	if h.Host.ID != j.Host && !slices.Contains(j.Hosts, h.Host.ID) { // it is led by somebody else
		j.Hosts = append(j.Hosts, h.Host.ID)
	}
	takes := func(r catalog.ResourceID) bool {
		return slices.ContainsFunc(h.Resources, func(t catalog.ResourceRef) bool { return t.ID == r })
	}
	left = slices.DeleteFunc(slices.Clone(j.Rooms), takes)
	j.Rooms = slices.DeleteFunc(slices.Clone(j.Rooms), func(r catalog.ResourceID) bool { return !takes(r) })
	if j.First == 0 {
		j.First = now
	}
	j.Entry, j.Offers, j.Due, j.Hold, j.HeldUntil = e.ID, j.Offers+1, h.ExpiresAt, 0, 0
	if err := save(j); err != nil {
		return nil, err
	}
	if err := tx.UpdateWaitEntry(e); err != nil {
		return nil, err
	}
	if err := s.tell.Offer(tx, e, h.ExpiresAt); err != nil {
		return nil, err
	}
	return left, s.event(tx, catalog.WaitlistOffered, e)
}

// FreedTime is a time that came free, for the business.
type FreedTime struct {
	ID         booking.WaitJobID
	Host       catalog.HostRef // of a room's time who has it with what is offered, and without an id nobody yet
	Room       string          // the name of the room whose time it is, with any host; "" is the host's
	Start, End when.Instant
	Offered    *Entry // to whom it is offered now; nil is nobody yet
	Next       *Entry // who is likely to be asked next; nil is nobody
	Asked      int    // how many have refused it or were silent
}

// mostFreed is how many times that came free are shown at once.
const mostFreed = 20

// FreedTimes lists the times that came free and are offered, or will be, by their starts: of staff those of their host, and
// none of a room alone.
// Errors: forbidden.
func (s *Service) FreedTimes(ctx context.Context, a app.Actor) (all []FreedTime, err error) {
	if err := a.May(app.MaySeeBookings); err != nil {
		return nil, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil || !setup.Workspace.Waits {
		return nil, err
	}
	r := s.Reader(ctx)
	jobs, err := r.FreedTimes(a.Workspace, 200)
	if err != nil {
		return nil, err
	}
	now := when.At(s.Now())
	entry := func(of booking.WaitID) (*Entry, error) {
		if of == 0 {
			return nil, nil
		}
		e, err := r.WaitEntry(a.Workspace, of)
		if errors.Is(err, fault.ErrNotFound) || err == nil && !e.Status.Live() {
			return nil, nil
		}
		e.present(setup)
		return &e, err
	}
	for i := range jobs {
		j := &jobs[i]
		if j.End <= now || !a.Sees(j.Host) || len(all) == mostFreed {
			continue
		}
		f := FreedTime{ID: j.ID, Host: catalog.HostRef{ID: j.Host}, Start: j.Start, End: j.End, Asked: len(j.Asked)}
		if f.Offered, err = entry(j.Entry); err != nil {
			return nil, err
		}
		if j.Host == 0 {
			for _, room := range j.Rooms[:min(len(j.Rooms), 1)] {
				if r := setup.Resource(room); r != nil {
					f.Room = r.Name
				}
			}
			if f.Offered != nil && f.Offered.Offer != nil {
				f.Host.ID = f.Offered.Offer.Host
			}
		}
		if h := setup.Host(f.Host.ID); h != nil {
			f.Host.Name = h.Name
		}
		if f.Next, err = entry(j.Next); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// SkipOffered asks the next one instead of whom a time is offered to, who keeps their place; it counts as no silence. Doing it
// when nobody is offered it, or they have taken it, changes nothing. Errors: forbidden, not_found.
func (s *Service) SkipOffered(ctx context.Context, a app.Actor, ref string) error {
	return s.changeFreed(ctx, a, ref, true)
}

// OpenFreed ends what a time is offered to: it is open to everybody. Where they have taken it, it changes nothing. Errors:
// forbidden, not_found.
func (s *Service) OpenFreed(ctx context.Context, a app.Actor, ref string) error {
	return s.changeFreed(ctx, a, ref, false)
}

func (s *Service) changeFreed(ctx context.Context, a app.Actor, ref string, next bool) error {
	if err := a.May(app.MayBook); err != nil {
		return err
	}
	missing := fault.Missing("freed time", ref)
	job, err := id.Parse[booking.WaitJobIDKind](ref)
	if err != nil || a.Kind == booking.ByInvitee {
		return missing
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		j, err := tx.WaitJob(a.Workspace, job)
		if err == nil && (j.Kind != app.WaitFreed || !a.Sees(j.Host)) {
			err = fault.ErrNotFound
		}
		if err != nil {
			return err
		}
		now := when.At(s.Now())
		if j.Entry != 0 {
			e, err := tx.WaitEntry(a.Workspace, j.Entry)
			if err != nil && !errors.Is(err, fault.ErrNotFound) {
				return err
			}
			if err == nil && e.Taken() { // it is theirs while it is being paid or approved
				return nil
			}
			if err == nil {
				if err := s.tell.Over(tx, &e, e.OverAt()); err != nil {
					return err
				}
				if err := s.letOffer(tx, &e, now, next); err != nil {
					return err
				}
				return tx.UpdateWaitEntry(&e)
			}
		}
		if next {
			return nil
		}
		return s.drop(tx, &j)
	})
	return fault.OrMissing(err, missing)
}

// drop makes a time that came free open to everybody.
func (s *Service) drop(tx Tx, j *app.WaitJob) error {
	if j.Hold != 0 {
		if _, err := tx.DropHold(j.Workspace, j.Hold); err != nil {
			return err
		}
	}
	return tx.DeleteWaitJob(j.Workspace, j.ID)
}

// spanOf returns the time of a job.
func spanOf(j *app.WaitJob) slot.Span { return slot.Span{Start: int64(j.Start), End: int64(j.End)} }
