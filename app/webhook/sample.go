package webhook

import (
	"bytes"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/waitlist"
	"daybook/app/when"
)

// The ids in test events. No real object has them.
const (
	sampleBooking    booking.BookingID = 1
	samplePayment    booking.PaymentID = 1
	sampleConnection                   = "cc_0000000001"
)

// sampleBody returns the body of a made-up event, with every field that a real one has, and "test": true.
func sampleBody(setup *catalog.Setup, e *booking.Event, now time.Time) (body []byte, err error) {
	invitee := booking.Invitee{Name: "Test Invitee", Email: "test@example.com", TimeZone: setup.Workspace.TimeZone}
	switch e.Kind.Data() {
	case catalog.PaymentData:
		p := booking.PaymentEventData{
			ID: samplePayment, BookingID: sampleBooking, Kind: "booking", For: booking.ForPrice, Amount: 4500, Currency: setup.Workspace.Currency,
			Status: "succeeded", Invitee: invitee,
		}
		switch e.Kind {
		case catalog.PaymentRefunded:
			p.Status, p.RefundedAmount = "refunded", p.Amount
		case catalog.PaymentFailed:
			p.Status = string(booking.PaymentFailed)
		}
		body, err = booking.EncodeEvent(e.ID, e.Kind, e.CreatedAt, &p)
	case catalog.CounterData:
		p := booking.CounterPayment{ID: samplePayment, Amount: 4500, Currency: setup.Workspace.Currency,
			Method: booking.ByCash, By: booking.BySystem, CreatedAt: when.At(now)}
		due := int64(0)
		if e.Kind == catalog.PaymentVoided {
			p.RefundedAmount, due = p.Amount, p.Amount
		}
		b := booking.Booking{ID: sampleBooking, Invitee: invitee,
			Paid: &money.Money{Amount: p.Amount - due, Currency: p.Currency},
			Due:  &money.Money{Amount: due, Currency: p.Currency}}
		body, err = booking.EncodeCounterEvent(e.ID, e.Kind, e.CreatedAt, &b, &p)
	case catalog.ContactData:
		body, err = booking.EncodeEvent(e.ID, e.Kind, e.CreatedAt,
			catalog.ContactEventData{ID: booking.ContactID(1).String(), CreatedAt: e.CreatedAt})
	case catalog.CalendarData:
		body, err = booking.EncodeEvent(e.ID, e.Kind, e.CreatedAt, &CalendarEventData{ID: sampleConnection,
			Name: "Test Calendar", Host: catalog.HostRef{ID: 1, Name: "Test Host"}})
	case catalog.ResourceCalendarData:
		body, err = booking.EncodeEvent(e.ID, e.Kind, e.CreatedAt, &ResourceCalendarEventData{ID: sampleConnection,
			Name: "Test Calendar", Resource: catalog.ResourceRef{ID: 1, Name: "Test Room"}})
	case catalog.WaitlistData:
		status := map[catalog.EventKind]waitlist.State{catalog.WaitlistJoined: waitlist.Waiting, catalog.WaitlistOffered: waitlist.Offered,
			catalog.WaitlistBooked: waitlist.Booked, catalog.WaitlistEnded: waitlist.Ended}[e.Kind]
		d := waitlist.EventData{ID: booking.WaitID(1).String(), Status: status.String(), EventTypes: []string{catalog.EventTypeID(1).String()},
			CreatedAt: e.CreatedAt}
		if status == waitlist.Booked {
			d.BookingID = sampleBooking.String()
		}
		if status == waitlist.Ended {
			d.EndedBy = string(waitlist.ByTime)
		}
		body, err = booking.EncodeEvent(e.ID, e.Kind, e.CreatedAt, &d)
	default:
		b, reason := sampleBookingOf(setup, e.Kind, now), ""
		b.Invitee = invitee
		if b.Cancellation != nil {
			reason = b.Cancellation.Reason
		}
		body, err = booking.EncodeBookingEvent(e.ID, e.Kind, e.CreatedAt, b, reason, booking.BySystem)
	}
	return bytes.Replace(body, []byte(`,"data":`), []byte(`,"test":true,"data":`), 1), err
}

func sampleBookingOf(setup *catalog.Setup, kind catalog.EventKind, now time.Time) *booking.Booking {
	start := when.At(now.Truncate(time.Hour).Add(when.Day))
	b := &booking.Booking{
		ID: sampleBooking, EventType: "test", EventTypeID: 1,
		Taken:  booking.Taken{Start: start, End: start.Add(30 * time.Minute)},
		Status: booking.Confirmed,
		Host:   catalog.HostRef{ID: 1, Name: "Test Host"}, Notes: "This is a test. Nothing was booked.",
		Contact: &booking.ContactRef{ID: 1},
		Answers: map[string]any{}, Metadata: map[string]string{}, Payments: []booking.CounterPayment{},
		CreatedAt: when.At(now), UpdatedAt: when.At(now),
	}
	if len(setup.EventTypes) > 0 {
		b.EventType, b.EventTypeID = setup.EventTypes[0].Slug, setup.EventTypes[0].ID
	}
	if len(setup.Hosts) > 0 {
		b.Host = catalog.HostRef{ID: setup.Hosts[0].ID, Name: setup.Hosts[0].Name}
	}
	switch kind {
	case catalog.BookingRescheduled:
		b.Status, b.PreviousStart, b.RescheduleCount = booking.Rescheduled, start.Add(-time.Hour), 1
	case catalog.BookingCancelled:
		b.Status, b.Cancellation = booking.Cancelled, &booking.Cancellation{Reason: "test", By: booking.BySystem,
			At: when.At(now)}
	case catalog.BookingPending:
		waits := booking.ForApproval
		b.Status, b.PendingReason, b.ExpiresAt = booking.Pending, &waits, when.At(now).Add(time.Hour)
	case catalog.BookingDeclined, catalog.BookingLapsed:
		b.Status, b.Cancellation = booking.Cancelled, &booking.Cancellation{Reason: "test", By: booking.BySystem,
			At: when.At(now)}
	case catalog.BookingConfirmedByInvitee:
		b.AnswerComing(booking.ComingYes, booking.ComingByPage, when.At(now))
		b.ShowConfirmed()
	case catalog.BookingNotComing:
		b.AnswerComing(booking.ComingNo, booking.ComingByPage, when.At(now))
	case catalog.BookingNoShow:
		b.Status, b.NoShow = booking.NoShow, &booking.NoShowRecord{At: when.At(now)}
	}
	return b
}
