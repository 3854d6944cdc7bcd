package app

import (
	"context"
	"time"

	"daybook/app/booking"
	"daybook/app/when"
)

// MarkVisit marks what the actor sees of a visit at once, or nothing of it: each booking of which the mark can be given
// now, see MarkArrived, MarkDone and MarkNoShow; the others stay as they are. Errors: theirs, where it can be given to
// none.
func (s *Service) MarkVisit(ctx context.Context, a Actor, ref string, mark Mark) (booking.Visit, error) {
	if err := a.May(MayMarkAttendance); err != nil {
		return booking.Visit{}, err
	}
	setup, err := s.SetupFor(a)
	if err != nil {
		return booking.Visit{}, err
	}
	return s.markEach(ctx, a, ref, func(bound *Service, b *booking.Booking, last bool) (bool, error) {
		zone, now := setup.Zone, when.At(s.clock())
		can, do := MayMiss(b, now), bound.MarkNoShow
		switch mark {
		case ArrivedMark:
			can, do = MayArrive(b, zone, now), bound.MarkArrived
		case DoneMark:
			can, do = MayDone(b, now), bound.MarkDone
		}
		if can != nil && !last {
			return false, nil
		}
		_, err := do(ctx, a, b.ID.String())
		return true, err
	})
}

// UndoVisitMark takes a mark back from each booking of a visit that the actor sees and of which it is the last, or from
// none. Errors: those of UndoMark, where it is the last of none.
func (s *Service) UndoVisitMark(ctx context.Context, a Actor, ref string, mark Mark) (booking.Visit, error) {
	return s.markEach(ctx, a, ref, func(bound *Service, b *booking.Booking, last bool) (bool, error) {
		if LastMark(b) != mark && !last {
			return false, nil
		}
		_, err := bound.UndoMark(ctx, a, b.ID.String(), mark)
		return true, err
	})
}

// markEach does in one transaction what is to be done with the bookings of a visit. do reports whether there was
// anything; if there was for none, it is called for the first with last, to say why.
func (s *Service) markEach(ctx context.Context, a Actor, ref string,
	do func(bound *Service, b *booking.Booking, last bool) (bool, error)) (booking.Visit, error) {
	if err := a.May(MayMarkAttendance); err != nil {
		return booking.Visit{}, err
	}
	err := s.WithSeenVisit(ctx, a, ref, func(tx Tx, now time.Time, v *booking.Visit) error {
		bound, found := s.In(tx), false
		bound.at = now
		for i := range v.Items {
			done, err := do(bound, &v.Items[i], false)
			if err != nil {
				return err
			}
			found = found || done
		}
		if found {
			return nil
		}
		_, err := do(bound, &v.Items[0], true)
		return err
	})
	if err != nil {
		return booking.Visit{}, err
	}
	return s.Visit(ctx, a, ref)
}
