package agent

import (
	"context"
	"reflect"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/subjects"
)

var createBooking = tool{
	name: "create_booking", title: "Book a time",
	description: "Books a time for an invitee, or with services a whole visit, or with repeat a series of either: all or none. It tells the invitee and the host by e-mail and the business's systems " +
		"by webhook. Ask the person for name and e-mail and never make them up; without " +
		"e-mail a phone number does, but then no mail goes to them, so tell them the time and " +
		"manageUrl yourself; answer the service's required questions. " +
		"The booking is confirmed at once, or pending: until the invitee has paid at payment.url " +
		"(30 minutes), or until " +
		"the business approves it. Nothing is charged by this call itself. A taken start fails " +
		"with the next open ones; a " +
		"repeated call fails with details.bookingId and books nothing twice. To undo it, cancel_booking.",
	repeatable: true, reachesOut: true,
	input: object("", slices.Concat(optional(arguments(reflect.TypeFor[booking.BookInput]()), "eventType"), []property{servicesArg(
		"Several services of one person, one after the other: give it in place of eventType, host and addOns, as to " +
			"check_availability. start is that of the first.")}, repeatArgs)...),
	output: bookingModel, visits: true,
	run: reading(readBooking, func(ctx context.Context, s *subjects.Set, a app.Actor, in toBook) (any, error) {
		if in.series != nil {
			return bookSeries(ctx, s, a, &in)
		}
		if len(in.services) > 0 {
			v, err := s.BookVisit(ctx, a, booking.VisitInput{Items: in.services, Start: in.Start, Invitee: in.Invitee,
				Notes: in.Notes, Answers: in.Answers, Metadata: in.Metadata, Override: in.Override, Spoken: true})
			return visited(s, a, v, err)
		}
		b, err := s.Book(ctx, a, in.BookInput)
		return booked(s, a, b, err)
	}),
}

// toBook is a booking, or a visit, to be made, once or again and again.
type toBook struct {
	booking.BookInput
	services []booking.VisitItem
	series   *booking.SeriesInput // nil for once
}

func readBooking(in *args) (b toBook) {
	if in.given("invitee") == nil {
		in.wrong("invitee", "is required: an object with name, and email or phone")
	}
	in.into(&b.BookInput)
	b.Spoken, b.services, b.series = true, in.services(), in.series()
	if in.given("services") != nil {
		for _, name := range []string{"eventType", "host", "addOns", "seats", "participants", "invitation", "hold"} {
			if in.given(name) != nil {
				in.wrong(name, "is for one service: leave it out with services")
			}
		}
	}
	return b
}
