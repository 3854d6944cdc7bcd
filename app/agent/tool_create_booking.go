package agent

import (
	"context"
	"reflect"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/subjects"
)

var createBooking = tool{
	name: "create_booking", title: "Book a time",
	description: "Books a time for an invitee, and tells the invitee and the host by e-mail and the business's systems " +
		"by webhook. Ask the person for name and e-mail and never make them up; without " +
		"e-mail a phone number does, but then no mail goes to them, so tell them the time and " +
		"manageUrl yourself; answer the service's required questions. " +
		"The booking is confirmed at once, or pending: until the invitee has paid at payment.url " +
		"(30 minutes), or until " +
		"the business approves it. Nothing is charged by this call itself. A taken start fails " +
		"with the next open ones; a " +
		"repeated call fails with details.bookingId and books nothing twice. To undo it, cancel_booking.",
	repeatable: true, reachesOut: true,
	input:  object("", arguments(reflect.TypeFor[booking.BookInput]())...),
	output: bookingModel,
	run: reading(readBooking, func(ctx context.Context, s *subjects.Set, a app.Actor, in booking.BookInput) (any, error) {
		b, err := s.Book(ctx, a, in)
		return booked(s, a, b, err)
	}),
}

func readBooking(in *args) (b booking.BookInput) {
	if in.given("invitee") == nil {
		in.wrong("invitee", "is required: an object with name, and email or phone")
	}
	in.into(&b)
	b.Spoken = true
	return b
}
