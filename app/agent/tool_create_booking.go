package agent

import (
	"context"
	"reflect"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/subjects"
)

var createBooking = tool{
	view: confirmView, name: "create_booking", title: "Book a time",
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
			"check_availability. start is that of the first."), discountArg("Taken off the price: percent or amount. For those who may give discounts.")}, repeatArgs)...),
	output: bookingModel, visits: true,
	run: reading(readBooking, func(ctx context.Context, s *subjects.Set, a app.Actor, in toBook) (any, error) {
		if in.series != nil {
			return bookSeries(ctx, s, a, &in)
		}
		if in.discount != nil {
			return bookForLess(ctx, s, a, &in)
		}
		if len(in.services) > 0 {
			v, err := s.BookVisit(ctx, a, in.visit())
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
	discount *counter.Discount    // nil for none
}

// visit returns the visit that is to be booked.
func (b *toBook) visit() booking.VisitInput {
	return booking.VisitInput{Items: b.services, Start: b.Start, Invitee: b.Invitee, Notes: b.Notes, Answers: b.Answers,
		Metadata: b.Metadata, Override: b.Override, WalkIn: b.WalkIn, Hold: b.Hold, Spoken: true}
}

// bookForLess books, and takes something off the price by an open sale of what was booked, as the till does: both or
// neither.
func bookForLess(ctx context.Context, s *subjects.Set, a app.Actor, in *toBook) (answer any, err error) {
	for _, c := range []app.Command{app.MayTakeMoney, app.MayGiveDiscount} { // before anything is looked for
		if err := a.May(c); err != nil {
			return nil, err
		}
	}
	err = s.Write(ctx, func(tx app.Tx) (err error) {
		in1 := s.In(tx)
		line := counter.SaleLineInput{Kind: counter.ServiceLine}
		var v booking.Visit
		var b booking.Booking
		if len(in.services) > 0 {
			if v, err = in1.BookVisit(ctx, a, in.visit()); err != nil {
				return err
			}
			line.VisitID = v.ID.String()
		} else {
			if b, err = in1.Book(ctx, a, in.BookInput); err != nil {
				return err
			}
			line.BookingID = b.ID.String()
		}
		off := *in.discount
		if _, err := in1.Counter.Sell(ctx, a, counter.SaleInput{Lines: []counter.SaleLineInput{line}, Discount: &off}); err != nil {
			return ofPayment(err)
		}
		if len(in.services) > 0 {
			answer, err = visited(in1, a, v, nil)
			return err
		}
		b, err = in1.Booking(ctx, a, line.BookingID)
		answer, err = booked(in1, a, b, err)
		return err
	})
	if e := fault.Refusal(err); e != nil && e.Later != nil { // such as the times that are free instead
		if err := e.Later(ctx); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, ofServices(err)
	}
	return answer, nil
}

func readBooking(in *args) (b toBook) {
	in.into(&b.BookInput)
	if in.given("invitee") == nil && !b.WalkIn {
		in.wrong("invitee", "is required: an object with name, and email or phone")
	}
	if b.discount = in.discount(); b.discount != nil {
		for _, name := range []string{"repeat", "payWith"} {
			if in.given(name) != nil {
				in.wrong(name, "must not be given together with discount: take it off each booking when it is paid")
			}
		}
	}
	if in.given("repeat") != nil {
		if b.WalkIn {
			in.wrong("walkIn", "is for one date: leave it out with repeat")
		}
		if b.Hold != "" {
			in.wrong("hold", "is for one date: release it first, which frees its time, and book the series without it")
		}
		for _, name := range []string{"invitation", "payWith"} {
			if in.given(name) != nil {
				in.wrong(name, "is for one date: leave it out with repeat, or book the dates one by one")
			}
		}
	}
	b.Spoken, b.services, b.series = true, in.services(), in.series()
	if in.given("services") != nil {
		in.notWithServices("eventType", "host", "addOns", "seats", "participants", "invitation", "payWith")
	}
	return b
}
