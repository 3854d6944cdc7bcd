package app

import (
	"context"
)

// RescheduleInput says where a booking is to move.
type RescheduleInput struct {
	Start  string
	Host   string
	Reason string
}

// Reschedule moves a live booking. It keeps its id, length, price and, when that is free, its host; the rules are
// those of Book, its own old time not counted as taken. The same start and host again changes nothing and is no error.
// Errors: as Book, and not_found (booking), conflict wrong_state, conflict too_late (an invitee within the notice).
func (s *Service) Reschedule(ctx context.Context, a Actor, id string, in RescheduleInput) (Booking, error) {
	start, err := parseStart(in.Start)
	if err != nil {
		return Booking{}, err
	}
	if in.Host, err = checkLine("host", in.Host, 0, maxRef); err != nil {
		return Booking{}, err
	}
	if in.Reason, err = checkText("reason", in.Reason, 500); err != nil {
		return Booking{}, err
	}
	if a.own() {
		in.Host = a.Host.String()
	}
	b, err := s.Change(ctx, a, id, func(ch *Change) error {
		return s.move(ch, start, in)
	})
	if err == nil {
		return b, nil
	}
	old, findErr := s.find(ctx, a, id)
	if findErr != nil {
		return Booking{}, err
	}
	return Booking{}, s.suggest(ctx, a, err, AvailabilityInput{
		EventType: old.EventTypeID.String(), Host: in.Host, TimeZone: old.Invitee.TimeZone, ExcludeBooking: old.ID.String(),
	}, start)
}

func (s *Service) move(ch *Change, start Instant, in RescheduleInput) error {
	b := ch.Booking
	if !b.Status.Live() {
		return wrongState(b, "moved")
	}
	if start == b.Start && (in.Host == "" || in.Host == b.Host.ID.String()) {
		return nil
	}
	if err := withinNotice(ch); err != nil {
		return err
	}
	e := ch.Setup.EventTypeByID(b.EventTypeID)
	if start != b.Start {
		if _, err := refuseDuplicate(ch, b.Invitee.Email, e.ID, start, b.ID); err != nil {
			return err
		}
	}
	hosts, err := candidates(ch.Setup, e, in.Host)
	if err != nil {
		return err
	}
	q := &search{setup: ch.Setup, event: e, rules: b.keepLength(e.rules()), hosts: hosts, zone: ch.Setup.Zone, now: At(ch.Now), exclude: b.ID}
	p, err := q.find(ch.Tx, start, b.Host.ID)
	if err != nil {
		return err
	}
	to := Rescheduled
	if b.Status == Pending {
		to = Pending
	}
	if to == Pending && !b.NeedsPay {
		b.setPending(min(b.CreatedAt.Add(approvalHold), start))
	}
	b.PreviousStart, b.Start, b.End, b.BusyStart, b.BusyEnd = b.Start, start, p.end, p.busyStart, p.busyEnd
	b.Host = HostRef{p.host.ID, p.host.Name}
	b.RescheduleCount++
	return ch.become(to, ActRescheduled, in.Reason, BookingRescheduled)
}
