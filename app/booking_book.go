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
	"daybook/app/id"
	"daybook/app/slot"
	"daybook/app/when"
)

const PaymentHold = 30 * time.Minute // how long a time is held for a payment

// Book creates a booking; the check and the write are one transaction. Errors: bad_request with the first reason that
// applies of inactive, in_past, too_soon, too_far, outside_hours, off_grid and day_full; not_found (event type, host);
// those of Links.Claim; hold_expired; forbidden; and conflict: calendar_unknown (see AskCalendars), already_booked if
// the invitee already has this booking, with details.bookingId if the actor may see it; slot_taken with
// details.alternatives if the time is taken. For actors who may waive rules, details.reasons lists all reasons against
// the start; those in in.Override are ignored.
func (s *Service) Book(ctx context.Context, a Actor, in booking.BookInput) (booking.Booking, error) {
	if err := a.May(MayBook); err != nil {
		return booking.Booking{}, err
	}
	known, err := s.SetupFor(a)
	if err != nil {
		return booking.Booking{}, err
	}
	if in.WalkIn {
		if in.Invitation != "" {
			return booking.Booking{}, fault.Invalid("walkIn", "must not be given together with invitation")
		}
		if _, err := s.walkIn(a, &in.Start, in.Hold, &in.Override); err != nil {
			return booking.Booking{}, err
		}
	}
	start, err := in.Check(known.Workspace.PhoneCountry(), (a.Desk() || in.WalkIn) && in.Invitation == "")
	if err != nil {
		return booking.Booking{}, err
	}
	if in.Spoken {
		if err := a.understandChosen(known, &in.Host, &in.EventType, &in.AddOns); err != nil {
			return booking.Booking{}, err
		}
	}
	if in.Host, err = a.NamedHost(known, in.Host); err != nil {
		return booking.Booking{}, err
	}
	unknown, err := s.AskCalendars(ctx, a, in.EventType, in.Host)
	if err != nil {
		return booking.Booking{}, err
	}
	if err := s.FindPass(ctx, a, in.PayWith); err != nil {
		return booking.Booking{}, err
	}
	var b booking.Booking
	var setup *catalog.Setup
	for longest, again := longer(0), true; again; again = errors.As(err, &longest) {
		err = s.Write(ctx, func(tx Tx) error {
			if err := s.lengthen(tx, a, in, time.Duration(longest)); err != nil {
				return err
			}
			ch, err := s.Lock(tx, a, in.EventType, func(setup *catalog.Setup, e *catalog.EventType) {
				s.ahead(tx, setup, e, start, in, s.clock())
			}, catalog.Locks{})
			if err != nil {
				return err
			}
			setup, ch.insert, ch.Unknown = ch.Setup, true, unknown
			if err := s.admit(ch, start, &in); err != nil {
				return err
			}
			b, err = s.book(ch, start, in)
			return err
		})
	}
	if err != nil {
		return booking.Booking{}, s.Suggest(ctx, a, err, availability.Input{EventType: in.EventType, Host: in.Host,
			TimeZone: in.Invitee.TimeZone, Choice: in.Choice()}, start)
	}
	s.Present(setup, a, &b)
	return b, nil
}

// ofNow are the rules that a time breaks because it is now.
var ofNow = booking.OverrideNames(slot.ReasonsOf(slot.InPast, slot.TooSoon, slot.OffGrid))

// walkIn has what is booked for somebody who stands there begin now, and returns when that is; or 0 where it says when.
// Errors: forbidden, bad_request.
func (s *Service) walkIn(a Actor, start *string, hold string, override *[]string) (now when.Instant, err error) {
	switch err := a.May(MayWaive); {
	case err != nil:
		return 0, err
	case *start != "":
		return 0, nil
	case hold != "":
		return 0, fault.Invalid("start", "is required: that of the hold")
	}
	now = when.At(s.clock().Truncate(time.Minute))
	*start, *override = now.String(), slices.Concat(*override, ofNow)
	return now, nil
}

// ahead repeats the reads of book. Keep the two equal.
func (s *Service) ahead(tx Tx, setup *catalog.Setup, e *catalog.EventType, start when.Instant, in booking.BookInput, now time.Time) {
	hosts, err := availability.Candidates(setup, e, in.Host)
	if err == nil {
		e, err = e.Chosen(in.Choice())
	}
	if err != nil {
		return // book refuses it, perhaps by a newer set-up
	}
	if !in.Invitee.WalksIn() {
		identity := in.Invitee.Identity(setup.Workspace.PhoneCountry())
		_, _, _ = tx.LiveDuplicate(setup.Workspace.ID, identity, e.ID, start) // it is looked at in book
	}
	availability.Among(hosts, setup, e, now).Ahead(tx, start)
}

// longer is the error of a booking that takes longer than all others of its workspace, which lengthen was not told of:
// the event type has been changed since the cached set-up was read.
type longer time.Duration

func (l longer) Error() string {
	return "app: no booking has taken " + time.Duration(l).String() + " before"
}

// lengthen raises the workspace's LongestBooking to the length of the event type, or to least. A transaction that locks
// a workspace and its hosts must lock the workspace first, so this is called before the hosts are locked.
func (s *Service) lengthen(tx Tx, a Actor, in booking.BookInput, least time.Duration) error {
	setup, err := s.cachedSetup(a.Workspace)
	if err != nil {
		return err
	}
	if e := setup.EventType(in.EventType); e != nil {
		if e, err = e.Chosen(in.Choice()); err != nil {
			return nil // book refuses it, perhaps by a newer set-up
		}
		_, longest := e.Lengths()
		least = max(least, time.Duration(longest)*time.Minute)
	}
	if least <= setup.Workspace.LongestBooking {
		return nil
	}
	return tx.SetLongestBooking(a.Workspace, least)
}

func (s *Service) book(ch *Change, start when.Instant, in booking.BookInput) (booking.Booking, error) {
	e, err := ch.Actor.Limits.Of(ch.Setup.EventType(in.EventType)).Chosen(in.Choice())
	if err != nil {
		return booking.Booking{}, err
	}
	questions := e.Questions
	if ch.Actor.Desk() {
		questions = catalog.Optional(questions)
	}
	answers, err := catalog.CheckAnswers(questions, in.Answers)
	if err != nil {
		return booking.Booking{}, err
	}
	ignored := e.OtherAnswers(answers)
	if in.Spoken { // an agent can ask again
		if err := e.UnknownAnswers(ignored); err != nil {
			return booking.Booking{}, err
		}
	}
	answers = e.OwnAnswers(answers)
	own := &ch.Setup.Workspace.Settings
	written, err := own.CheckWritten(in.ContactFields, in.MustGive)
	if err != nil {
		return booking.Booking{}, err
	}
	if !ch.Actor.Business() {
		if err := in.Invitee.Gives(e.Asks()); err != nil {
			return booking.Booking{}, err
		}
	}
	contact, twice, told, err := duplicate(ch, &in.Invitee, e.ID, start)
	if err != nil {
		return booking.Booking{}, err
	}
	if told {
		return booking.Booking{}, twice
	}
	if !ch.Actor.Business() && !in.Proven && in.Invitation == "" {
		twice = nil // the address may be anybody's: a refusal would tell of its appointments
	}
	hosts, err := availability.Candidates(ch.Setup, e, in.Host)
	if err != nil {
		return booking.Booking{}, err
	}
	if in.Series != nil {
		in.Override = withoutOffered(in.Override)
	}
	q, err := ch.Among(hosts, e, in.Override)
	if err != nil {
		return booking.Booking{}, err
	}
	q.For(contact, &in.Invitee, 0)
	if ch.Actor.Business() {
		lacks, err := Lacking(ch.Tx, ch.Setup, e, contact, start)
		if err != nil {
			return booking.Booking{}, err
		}
		q.Lacks(lacks)
	} else if asks, err := ch.asksFirst(e, contact, start); err != nil {
		return booking.Booking{}, err
	} else if asks {
		in.NeedsOK = true
	}
	if in.Hold != "" || in.Step != nil && in.Step.Held { // the notice counted when the time was held
		q.AtShortNotice()
	}
	if in.Step != nil {
		q.Within(in.Step)
	}
	if in.Series != nil && in.Series.Later {
		q.AnyTimeAhead()
	}
	p, err := q.Find(ch.Tx, start, in.Prefer)
	if err == nil && in.Step != nil {
		err = in.Step.Check(p.End)
	}
	if err != nil {
		return booking.Booking{}, err
	}
	if twice != nil {
		return booking.Booking{}, twice
	}
	ch.Waived = p.Waived
	if in.Series != nil && in.Series.Waived != nil {
		*in.Series.Waived |= p.Waived
	}
	if contact == 0 && !in.Invitee.WalksIn() {
		if contact, err = insertContact(ch, in.Invitee); err != nil {
			return booking.Booking{}, err
		}
	}
	b := newBooking(ch, e.With(p.Host.ID), p, contact, in, answers)
	b.UIDDomain, b.Invitation = s.UIDDomain(), ch.invitation
	if in.Step != nil {
		b.ID, b.Visit = in.Step.Ref.Bookings[in.Step.Ref.Position-1], &in.Step.Ref
	}
	if in.Series != nil {
		if b.Series = &in.Series.Ref; b.Series.ID == 0 {
			b.Series.ID = booking.NewSeries(b.ID)
		}
	}
	ch.Booking = &b
	if in.PayWith != nil {
		if in.NeedsPay { // what the others of it wait for can't become less
			return b, fault.Invalid("payWith", "can't pay for several dates or services that are paid online: leave it out, or book them one by one")
		}
		if err := s.payWith(ch, in.PayWith.Known); err != nil {
			return b, err
		}
	}
	if err = s.saveNew(ch); err == nil {
		err = keepWritten(ch, own, written)
	}
	for _, key := range ignored {
		b.Ignored = append(b.Ignored, "answers."+key)
	}
	return b, err
}

// duplicate finds what keeps an invitee from booking the same thing twice, for example by a retry, even if the contact
// has changed in between. It returns the contact with that e-mail, or without one the phone, or zero, and the refusal,
// or nil. told says that the actor may see that other booking, which the refusal then names. Else it must come last,
// behind all that refuses the start to everybody, and not at all for visitors who may have typed somebody else's
// address: they learn what they would learn with any other. Who walks in is nobody who has booked before. The bookings in
// except don't count.
func duplicate(ch *Change, p *booking.Invitee, e catalog.EventTypeID, start when.Instant,
	except ...booking.BookingID) (contact booking.ContactID, twice *fault.Error, told bool, err error) {
	if p.WalksIn() {
		return 0, nil, false, nil
	}
	w := &ch.Setup.Workspace
	contact, id, err := ch.LiveDuplicate(w.ID, p.Identity(w.PhoneCountry()), e, start)
	if err != nil || id == 0 || slices.Contains(except, id) {
		return contact, nil, false, err
	}
	if told = ch.Actor.Business(); told && (ch.Actor.Own() || ch.Actor.Limits.Narrows()) {
		b, err := ch.Tx.Booking(w.ID, id)
		if err != nil {
			return contact, nil, false, err
		}
		told = ch.Actor.SeesBooking(&b)
	}
	if !told {
		return contact, fault.Conflictf("already_booked", "This invitee has booked that time already."), false, nil
	}
	return contact, fault.Conflictf("already_booked",
		"This invitee has booked that time already: see details.bookingId.").With("bookingId", id), true, nil
}

// perhapsByThis returns the refusal of a booking whose hold or link is used up: already_booked where that was done by
// this very booking, as far as the actor may see it, else err.
func perhapsByThis(ch *Change, p *booking.Invitee, e catalog.EventTypeID, start when.Instant, err error) error {
	_, twice, told, failed := duplicate(ch, p, e, start)
	switch {
	case failed != nil:
		return failed
	case told:
		return twice
	}
	return err
}

// RefuseDuplicate returns the conflict already_booked if the booking's invitee has another live booking of that event
// type and start.
func (c *Change) RefuseDuplicate(e catalog.EventTypeID, start when.Instant) error {
	_, twice, _, err := duplicate(c, &c.Booking.Invitee, e, start, c.Booking.ID)
	if err == nil && twice != nil {
		err = twice
	}
	return err
}

func insertContact(ch *Change, p booking.Invitee) (booking.ContactID, error) {
	c := booking.Contact{
		ID: id.New[booking.ContactIDKind](ch.Now), WorkspaceID: ch.Setup.Workspace.ID, CreatedAt: when.At(ch.Now),
		Name: p.Name, Email: p.Email, Phone: p.Phone, TimeZone: p.TimeZone,
	}
	ch.met = &c
	return c.ID, ch.InsertContact(&c)
}

// tellOfContact adds the event of a contact whom the booking has made.
func (c *Change) tellOfContact() error {
	if c.met == nil {
		return nil
	}
	return c.Emit(catalog.ContactCreated, func(e *booking.Event) ([]byte, error) {
		return booking.EncodeEvent(e.ID, e.Kind, e.CreatedAt,
			catalog.ContactEventData{ID: c.met.ID.String(), CreatedAt: c.met.CreatedAt})
	})
}

func newBooking(ch *Change, e *catalog.EventType, p availability.Place, contact booking.ContactID,
	in booking.BookInput, answers map[string]any) booking.Booking {
	now := when.At(ch.Now)
	b := booking.Booking{
		ID: id.New[booking.BookingIDKind](ch.Now), WorkspaceID: ch.Setup.Workspace.ID, EventTypeID: e.ID, EventType: e.Slug,
		Taken: p.Taken,
		Host:  catalog.HostRef{ID: p.Host.ID, Name: p.Host.Name}, ContactID: contact, Invitee: in.Invitee,
		Location: e.Location, Notes: in.Notes, Answers: answers, Metadata: in.Metadata,
		Price: e.Price, NoShowFee: e.NoShowFee, CreatedAt: now, UpdatedAt: now,
		Status: booking.Confirmed, NeedsOK: e.RequiresApproval && ch.Actor.Waits == 0 || in.NeedsOK, HostNamed: in.Host != "" && !in.AnyHost,
	}
	if b.NeedsOK {
		b.Status = booking.Pending
	}
	expires := booking.ApprovalEnds(now, now, b.Start)
	if in.Series != nil {
		expires = booking.ApprovalEnds(now, now, in.Series.First)
	}
	// Who walks in pays at the counter: there is nobody to send a link to. Of a series the first date is paid, or all are,
	// and the card for fees is saved for each.
	pays := ch.Setup.WaitsForPayment(e) && !in.Invitee.WalksIn()
	priced := in.Series == nil || in.Series.Ref.Position == 1 || e.SeriesPayment == catalog.SeriesPayAll
	due := pays && (priced || ch.Setup.AsksForFee(e))
	if pays && !priced && e.PaysAhead() && e.SeriesPayment == catalog.SeriesPayEach {
		b.OfferPayLink(e)
	}
	if due || in.NeedsPay {
		b.Status, b.NeedsPay, expires = booking.Pending, true, now.Add(PaymentHold)
		if due {
			b.SetDue(e, priced)
		}
	}
	b.SetPending(expires)
	b.SetChosen(e)
	b.Participants = in.Participants
	b.TakePlace(ch.Setup, e)
	if b.Answers == nil {
		b.Answers = map[string]any{}
	}
	if b.Metadata == nil {
		b.Metadata = map[string]string{}
	}
	return b
}

// saveNew saves a new booking, with an event if it is confirmed.
func (s *Service) saveNew(ch *Change) error {
	b := ch.Booking
	if length := time.Duration(b.End-b.Start) * time.Millisecond; length > ch.Setup.Workspace.LongestBooking {
		return longer(length)
	}
	ch.record(booking.ActCreated, "")
	kind := catalog.BookingCreated
	if b.Status == booking.Pending {
		kind = catalog.BookingPending
	}
	if err := errors.Join(ch.EmitBooking(kind), ch.tellOfContact()); err != nil {
		return err
	}
	if b.NeedsPay {
		if err := s.till.Due(ch); err != nil {
			return err
		}
	}
	return ch.save()
}

const suggestions = 3

// Suggest adds the next open slots to a slot_taken error, and the zone of their local times: the zone of in, or the
// workspace's for agents, which act for the business. Inside a transaction a search would delay all other writes, so
// the caller runs it after the transaction has ended (Error.Later).
func (s *Service) Suggest(ctx context.Context, a Actor, cause error, in availability.Input, start when.Instant) error {
	e := fault.As(cause)
	if e == nil || e.Reason != "slot_taken" {
		return cause
	}
	if a.Kind == booking.ByAgent {
		in.TimeZone = ""
	}
	free := &Service{core: s.core} // without the transaction
	search := func(ctx context.Context) error {
		q, err := free.search(ctx, a, in)
		if err != nil {
			return nil // the caller gets the conflict, not this error
		}
		found, err := q.NextSlots(ctx, free.Reader(ctx), start, suggestions)
		if err != nil && !fault.Is(err, fault.Unavailable) {
			return err
		}
		e.With("alternatives", found).With("timeZone", q.Zone().String())
		return nil
	}
	return s.nowOrLater(ctx, e, search)
}

// nowOrLater returns the error with what the search adds to it, or within a transaction with the search to be made after
// it.
func (s *Service) nowOrLater(ctx context.Context, e *fault.Error, search func(context.Context) error) error {
	if s.tx != nil {
		e.Later = search
		return e
	}
	if err := search(ctx); err != nil {
		return err
	}
	return e
}
