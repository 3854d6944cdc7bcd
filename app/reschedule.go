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
	b, err := s.change(ctx, a, id, func(tx *locked, b *Booking) error {
		return s.move(tx, a, b, start, in)
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

func (s *Service) move(tx *locked, a Actor, b *Booking, start Instant, in RescheduleInput) error {
	if !b.Status.Live() {
		return wrongState(b, "moved")
	}
	if start == b.Start && (in.Host == "" || in.Host == b.Host.ID.String()) {
		return nil
	}
	if err := withinNotice(tx, a, b); err != nil {
		return err
	}
	e := tx.setup.EventTypeByID(b.EventTypeID)
	if start != b.Start {
		if _, err := refuseDuplicate(tx, b.Invitee.Email, e.ID, start, b.ID); err != nil {
			return err
		}
	}
	hosts, err := candidates(tx.setup, e, in.Host)
	if err != nil {
		return err
	}
	q := &search{setup: tx.setup, event: e, rules: b.keepLength(e.rules()), hosts: hosts, zone: tx.setup.Zone, now: At(tx.now), exclude: b.ID}
	p, err := q.find(tx, start, b.Host.ID)
	if err != nil {
		return err
	}
	from := b.Status
	if b.Status != Pending {
		b.Status = Rescheduled
	} else if !b.NeedsPay {
		b.setPending(min(b.CreatedAt.Add(approvalHold), start))
	}
	b.PreviousStart, b.Start, b.End, b.BusyStart, b.BusyEnd = b.Start, start, p.end, p.busyStart, p.busyEnd
	b.Host = HostRef{p.host.ID, p.host.Name}
	b.RescheduleCount++
	return s.saveChange(tx, a, b, from, "rescheduled", in.Reason, BookingRescheduled)
}
