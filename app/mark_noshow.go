package app

import (
	"context"
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
)

// MarkNoShow records, after the start, that the invitee did not come. Errors: not_found, forbidden, conflict
// wrong_state, conflict has_come when the booking is marked as arrived or done.
func (s *Service) MarkNoShow(ctx context.Context, a Actor, id string) (booking.Booking, error) {
	return s.mark(ctx, a, id, miss)
}

func miss(ch *Change) error {
	b := ch.Booking
	if err := MayMiss(b, when.At(ch.Now)); err != nil {
		return err
	}
	b.Status, b.NoShow = booking.NoShow, &booking.NoShowRecord{At: when.At(ch.Now)}
	if err := ch.Till().NoShow(ch); err != nil {
		return err
	}
	if err := ch.Become(booking.NoShow, booking.ActNoShow, ""); err != nil {
		return err
	}
	return ch.EmitBooking(catalog.BookingNoShow)
}

// MarkVisitNoShow records that the invitee came to nothing of a visit: for all of its bookings that stand and have begun,
// or none. match is the value of an If-Match header, or "" for none. Errors: those of MarkNoShow, of any of them, and of
// the first where none is left; precondition_failed.
func (s *Service) MarkVisitNoShow(ctx context.Context, a Actor, ref, match string) (booking.Visit, error) {
	if err := a.May(MayMarkAttendance); err != nil {
		return booking.Visit{}, err
	}
	return s.changeNamed(ctx, a, ref, func(bound *Service, _ Tx, _ *catalog.Setup, v *booking.Visit) error {
		if err := fault.CheckETag(match, v.ETag(), "visit"); err != nil {
			return err
		}
		now, missed := when.At(bound.at), 0
		for i := range v.Items {
			b := &v.Items[i]
			if !b.Status.Stands() || b.Start > now {
				continue
			}
			missed++
			_, err := bound.Change(ctx, a, b.ID.String(), func(ch *Change) error {
				ch.withVisit = true
				return miss(ch)
			})
			if err != nil {
				return err
			}
		}
		if missed > 0 {
			return nil
		}
		for _, b := range v.Live() {
			return MayMiss(&b, now)
		}
		return WrongState(&v.Items[0], "marked as a no-show")
	})
}

// MayMiss returns why the booking can't be marked as a no-show now, as a conflict, or nil if it can.
func MayMiss(b *booking.Booking, now when.Instant) error {
	if !b.Status.MayBecome(booking.NoShow) {
		return WrongState(b, "marked as a no-show")
	}
	if LastMark(b) != "" {
		return fault.Conflictf("has_come", "The booking is marked as %s. Take that back first.", LastMark(b)).
			With("status", b.Status)
	}
	if now < b.Start {
		return fault.Conflictf("wrong_state", "A booking can be marked as a no-show from its start on, %s.",
			b.Start).With("status", b.Status)
	}
	return nil
}

// undoNoShow returns a no-show to the state that it had before, unless its time has been booked since. Where only a
// buffer has been entered, its own or another's, it comes back without buffers, and where it is too close to a booking
// at another place, it comes back as it was; the history says so of both.
func undoNoShow(ch *Change) error {
	b := ch.Booking
	hosts := []catalog.HostID{b.Host.ID}
	for _, h := range b.Others() {
		hosts = append(hosts, h.ID)
	}
	if err := ch.takeBack(b.Start, hosts); err != nil {
		return err
	}
	rows, err := readAround(ch)
	if err != nil {
		return err
	}
	entered, err := refuseMet(ch, rows)
	if err != nil {
		return err
	}
	if entered || tooFar(ch, rows) {
		ch.Waived = slot.ReasonsOf(slot.Buffer)
	}
	if entered {
		b.WithoutMargins()
	}
	b.Status = booking.Confirmed
	if b.RescheduleCount > 0 {
		b.Status = booking.Rescheduled
	}
	b.NoShow = nil
	if err := ch.Till().UndoNoShow(ch); err != nil {
		return err
	}
	return ch.Become(b.Status, booking.ActNoShowUndone, "")
}

// readAround lists what takes the host's time around the booking, as far as the longest way reaches.
func readAround(ch *Change) ([]booking.Occupation, error) {
	b, held := ch.Booking, ch.Setup.HeldAt(ch.Now)
	if b.Place == 0 { // nobody travels to it
		return ch.Occupied(nil, b.Host.ID, b.BusyStart, b.BusyEnd, held)
	}
	var longest time.Duration
	for i := range ch.Setup.EventTypes {
		longest = max(longest, travelTime(&ch.Setup.EventTypes[i]))
	}
	from, to := min(b.BusyStart, b.Start.Add(-longest)), max(b.BusyEnd, b.End.Add(longest))
	return ch.OccupiedPlaces(nil, b.Host.ID, from, to, held)
}

// refuseMet returns the conflict for a booking of whose time something is now taken by another one, or nil: its host's, of
// whom rows are read, a resource's or a second person's. entered says that there is room for the booking, but not for the
// buffers.
func refuseMet(ch *Change, rows []booking.Occupation) (entered bool, err error) {
	if ch.Booking.Untimed { // takes nothing, as before
		return false, nil
	}
	lead, err := refuseOccupied(ch, rows)
	if err != nil {
		return false, err
	}
	there, err := refuseTaken(ch)
	if err != nil {
		return false, err
	}
	beside, err := refuseOthers(ch)
	return lead || there || beside, err
}

// refuseOccupied returns the conflict for a booking whose time is now taken, or nil. A free seat in the same session is
// no conflict; entered says that there is room for the booking, but not for the buffers.
func refuseOccupied(ch *Change, rows []booking.Occupation) (entered bool, err error) {
	b := ch.Booking
	seatsTaken, err := ch.SeatsTaken(b.EventTypeID, b.Start, b.Start+1)
	if err != nil {
		return false, err
	}
	seats := ch.Setup.EventTypeByID(b.EventTypeID).Seats
	works := b.Works()
	for _, o := range rows {
		if o.ID == b.ID {
			continue
		}
		session := sameSession(b, &o)
		if session {
			seats -= max(1, o.Seats, seatsTaken[o.ID])
		}
		if session && seats < b.Seats || !session && meetsOwn(works, &o) {
			if o.Held {
				return false, fault.Conflictf("slot_taken", "Somebody holds the time: try again in a few minutes.")
			}
			return false, fault.Conflictf("slot_taken", "The time was booked by somebody else meanwhile.").
				With("bookingId", o.ID)
		}
		entered = entered || !session && slices.ContainsFunc(works, func(w slot.Work) bool { return w.Occupied.Meets(o.Occupied) })
	}
	return entered, nil
}

// meetsOwn reports whether the time of the row itself, without buffers, meets that of a work.
func meetsOwn(works []slot.Work, o *booking.Occupation) bool {
	return slices.ContainsFunc(works, func(w slot.Work) bool { return w.Own.Meets(slot.Span{Start: o.Start, End: o.End}) })
}

// refuseTaken does the same for the things that the booking takes as refuseOccupied does for its host.
func refuseTaken(ch *Change) (entered bool, err error) {
	b := ch.Booking
	var things []catalog.Subject
	var names []string
	for one := range b.Beside() {
		if one.Kind != catalog.SubjectHost {
			things, names = append(things, one.Subject), append(names, one.Name)
		}
	}
	from, to := b.Reach()
	all, err := ch.OccupiedThings(things, from, to, ch.Setup.HeldAt(ch.Now))
	if err != nil {
		return false, err
	}
	for i, rows := range all {
		works := b.Takes(things[i])
		for _, o := range rows {
			switch {
			case o.ID == b.ID || sameSession(b, &o) && o.Host == b.Host.ID, o.ID == 0 && !o.Held: // busy elsewhere
			case !meetsOwn(works, &o):
				entered = entered || slices.ContainsFunc(works, func(w slot.Work) bool { return w.Occupied.Meets(o.Occupied) })
			case o.Held:
				return false, fault.Conflictf("slot_taken", "Somebody holds %s: try again in a few minutes.", names[i])
			default:
				return false, fault.Conflictf("slot_taken", "%s was taken by another booking meanwhile.", names[i]).
					With("bookingId", o.ID)
			}
		}
	}
	return entered, nil
}

// refuseOthers does the same for those who do the booking beside its host. Whom its session has is taken by it already.
func refuseOthers(ch *Change) (entered bool, err error) {
	b, held := ch.Booking, ch.Setup.HeldAt(ch.Now)
	if len(b.Hosts) == 0 {
		return false, nil
	}
	var session []availability.SessionTaken
	if ch.Setup.EventTypeByID(b.EventTypeID).Seats > 1 {
		if session, err = ch.SessionTaken(b.EventTypeID, b.Host.ID, b.Start, held); err != nil {
			return false, err
		}
	}
	from, to := b.Reach()
	for _, h := range b.Others() {
		works := b.Takes(catalog.OfHost(h.ID))
		if slices.ContainsFunc(session, func(s availability.SessionTaken) bool {
			return !s.Held && s.Subject == catalog.OfHost(h.ID)
		}) {
			continue
		}
		rows, err := ch.Occupied(nil, h.ID, from, to, held)
		if err != nil {
			return false, err
		}
		for _, o := range rows {
			switch {
			case o.ID == b.ID:
			case o.ID == 0 && !o.Held: // another calendar's time, which counts for bookings only
			case !meetsOwn(works, &o):
				entered = entered || slices.ContainsFunc(works, func(w slot.Work) bool { return w.Occupied.Meets(o.Occupied) })
			case o.Held:
				return false, fault.Conflictf("slot_taken", "Somebody holds the time of %s: try again in a few minutes.", h.Name)
			default:
				return false, fault.Conflictf("slot_taken", "%s was booked by somebody else meanwhile.", h.Name).With("bookingId", o.ID)
			}
		}
	}
	return entered, nil
}

// tooFar reports whether there is no time for the way between the booking and one of rows at another place.
func tooFar(ch *Change, rows []booking.Occupation) bool {
	b := ch.Booking
	own := travelTime(ch.Setup.EventTypeByID(b.EventTypeID))
	for _, o := range rows {
		if b.Place == 0 || o.Place == 0 || o.Place == b.Place || sameSession(b, &o) {
			continue
		}
		between := max(own, travelTime(ch.Setup.EventTypeByID(o.EventType)))
		other := slot.Span{Start: o.Start - between.Milliseconds(), End: o.End + between.Milliseconds()}
		if slices.ContainsFunc(b.Works(), func(w slot.Work) bool { return w.Own.Meets(other) }) {
			return true
		}
	}
	return false
}

func sameSession(b *booking.Booking, o *booking.Occupation) bool {
	return len(b.Parts) == 0 && o.EventType == b.EventTypeID && o.Start == int64(b.Start) && !o.InParts
}

func travelTime(e *catalog.EventType) time.Duration {
	return time.Duration(e.TravelMinutes()) * time.Minute
}
