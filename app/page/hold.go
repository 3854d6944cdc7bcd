package page

import (
	"context"

	"daybook/app"
	"daybook/app/booking"
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
func Time(ctx context.Context, s *subjects.Set, a app.Actor, c gate.Client, how string,
	in booking.BookInput) (id string, err error) {
	if how == "0" {
		return "", unlessRefused(s.ReleaseHold(ctx, a, in.Hold))
	}
	if err := s.Gate.Count(ctx, gate.Client{Address: c.Address, Most: perHour * c.Most, What: "hold "}); err != nil {
		return "", unlessRefused(err)
	}
	h, err := s.Hold(ctx, a, app.HoldInput{EventType: in.EventType, Start: in.Start, Host: in.Host, AddOns: in.AddOns,
		Seats: in.Seats, Visitor: &app.HoldVisitor{Address: c.Address, Email: in.Invitee.Email, Before: in.Hold}})
	return h.ID.String(), unlessRefused(err)
}

func unlessRefused(err error) error {
	if fault.As(err) != nil {
		return nil
	}
	return err
}

// Book books with the hold of a form, and without it when that is over or is of another time.
func Book(in booking.BookInput, book func(booking.BookInput) (booking.Booking, error)) (booking.Booking, error) {
	b, err := book(in)
	if e := fault.As(err); in.Hold != "" && e != nil && (e.Reason == "hold_expired" || e.Reason == "invalid") {
		in.Hold = ""
		return book(in)
	}
	return b, err
}
