package page

import (
	"context"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/subjects"
)

// The fields by which the script asks: Field is "1" to hold the time and "0" to let go of it, and Hold is the last
// hold.
const (
	Field = "keep"
	Hold  = "hold"
)

// perHour is how many holds an address may ask for in an hour, as a multiple of its bookings.
const perHour = 4

// Time does what the script of a form asks. id is that of the hold, or "" if the time is not held.
func Time(ctx context.Context, s *subjects.Set, a app.Actor, c gate.Client, how string, in app.HoldInput) (id string, err error) {
	if how == "0" {
		return "", unlessRefused(s.ReleaseHold(ctx, a, in.Visitor.Before))
	}
	if err := s.Gate.Count(ctx, gate.Client{Address: c.Address, Most: perHour * c.Most, Times: c.Times, What: "hold "}); err != nil {
		return "", unlessRefused(err)
	}
	in.Visitor.Address = c.Address
	h, err := s.Hold(ctx, a, in)
	if err != nil {
		return "", unlessRefused(err)
	}
	return h.ID.String(), nil
}

func unlessRefused(err error) error {
	if fault.As(err) != nil {
		return nil
	}
	return err
}

// Book books with the hold of a form, and without it when that is over or is of another time.
func Book[T any](hold string, book func(hold string) (T, error)) (T, error) {
	b, err := book(hold)
	if e := fault.As(err); hold != "" && e != nil && (e.Reason == "hold_expired" || e.Reason == "invalid") {
		return book("")
	}
	return b, err
}
