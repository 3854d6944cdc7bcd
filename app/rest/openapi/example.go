package openapi

import (
	"maps"

	"daybook/app/catalog"
)

const (
	ExampleID        = "bk_1p4s8ywa0g0m3"
	ExampleHost      = "hs_1p4s8yvz00n1b"
	ExampleTimeOff   = "my0qjq80-my50va80-3hya0di7i8jff"
	exampleEventType = "et_1p4s8yvz04k2c"
	ExampleRequestID = "req_01kb3j7v2m9q4x8w"
)

var ExampleBooking = map[string]any{
	"id": ExampleID, "eventType": "haircut", "eventTypeId": exampleEventType, "start": "2026-12-01T09:00:00Z",
	"end":     "2026-12-01T09:45:00Z",
	"status":  "confirmed",
	"invitee": map[string]any{"name": "Bo Berg", "email": "bo@example.com", "timeZone": "Europe/Berlin"},
	"contact": map[string]any{"id": "ct_1p4s8ywa0g0m3"},
	"host":    map[string]any{"id": ExampleHost, "name": "Ana"}, "location": "Lindenstr. 4, Berlin", "notes": "",
	"answers":  map[string]any{},
	"metadata": map[string]any{}, "price": map[string]any{"amount": 4500, "currency": "EUR"}, "payment": nil,
	"paid": map[string]any{"amount": 0, "currency": "EUR"}, "due": map[string]any{"amount": 4500, "currency": "EUR"},
	"payments":      []any{},
	"pendingReason": nil,
	"expiresAt":     nil, "previousStart": nil, "rescheduleCount": 0, "cancellation": nil, "noShow": nil,
	"arrivedAt": nil, "doneAt": nil, "hostNamed": true, "addOns": []any{}, "seats": 1,
	"manageUrl": "https://book.example.com/booking/1p4s8ywa0g0m3x2k9", "createdAt": "2026-11-30T08:12:45.120Z",
	"updatedAt": "2026-11-30T08:12:45.120Z",
}

// ExampleEvent returns an event of the kind.
func ExampleEvent(kind catalog.EventKind) map[string]any {
	data := map[string]any{
		"id": "pay_1p4s8ywa0g0m3", "bookingId": ExampleID, "kind": "booking", "for": "price", "amount": 4500, "currency": "EUR",
		"status":         "succeeded",
		"refundedAmount": 0, "invitee": ExampleBooking["invitee"],
	}
	if kind.Data() == catalog.CounterData {
		data = exampleCounterData(kind)
	} else if kind.Data() == catalog.ContactData {
		data = map[string]any{"id": "ct_1p4s8ywa0g0m3", "createdAt": "2026-11-30T09:30:00Z"}
	} else if kind.Data() == catalog.CalendarData {
		data = map[string]any{"id": "cc_1p4s8ywa0g", "name": "iCloud",
			"host": map[string]any{"id": ExampleHost, "name": "Ana"}}
	} else if kind.Data() == catalog.ResourceCalendarData {
		data = map[string]any{"id": "cc_1p4s8ywa0g", "name": "Treatment room",
			"resource": map[string]any{"id": "rs_1p4s8yvz04k2c", "name": "Room 1"}}
	} else if kind.Data() == catalog.WaitlistData {
		data = map[string]any{"id": "wl_1p4s8yvz04k2c", "eventTypes": []any{exampleEventType}, "createdAt": "2026-11-29T18:02:11Z",
			"status": map[catalog.EventKind]string{catalog.WaitlistJoined: "waiting", catalog.WaitlistOffered: "offered",
				catalog.WaitlistBooked: "booked", catalog.WaitlistEnded: "ended"}[kind]}
	} else if _, paid := EventOf(kind).(paymentEvent); !paid {
		data = maps.Clone(ExampleBooking)
		data["reason"], data["by"] = "", "invitee"
	}
	const at = "2026-11-30T09:30:00Z"
	switch kind {
	case catalog.BookingRescheduled:
		data["status"], data["previousStart"], data["rescheduleCount"] = "rescheduled", "2026-12-01T08:15:00Z", 1
	case catalog.BookingCancelled:
		data["status"], data["reason"] = "cancelled", "I am ill."
		data["cancellation"] = map[string]any{"reason": "I am ill.", "by": "invitee", "at": at}
	case catalog.BookingPending:
		data["status"], data["pendingReason"], data["expiresAt"] = "pending", "approval", "2026-12-01T08:00:00Z"
	case catalog.BookingApproved:
		data["by"] = "owner"
	case catalog.BookingDeclined:
		data["status"], data["reason"], data["by"] = "cancelled", "We are full.", "owner"
		data["cancellation"] = map[string]any{"reason": "We are full.", "by": "owner", "at": at}
	case catalog.BookingLapsed:
		data["status"], data["reason"], data["by"] = "cancelled", "not paid in time", "system"
		data["cancellation"] = map[string]any{"reason": "not paid in time", "by": "system", "at": at}
	case catalog.BookingConfirmedByInvitee:
		data["confirmedAt"] = at
		data["coming"] = map[string]any{"askedAt": "2026-11-30T08:00:00Z", "answer": "yes", "answeredAt": at, "by": "page"}
	case catalog.BookingNotComing:
		data["coming"] = map[string]any{"askedAt": "2026-11-30T08:00:00Z", "answer": "no", "answeredAt": at, "by": "page"}
	case catalog.PaymentFailed:
		data["status"] = "failed"
	case catalog.BookingNoShow:
		fee := map[string]any{"status": "pending", "amount": 2000, "currency": "EUR"}
		data["status"], data["by"], data["fee"], data["noShow"] = "no_show", "owner", fee,
			map[string]any{"at": at, "fee": fee}
	case catalog.PaymentRefunded:
		data["status"], data["refundedAmount"] = "refunded", 4500
	case catalog.PaymentVoided:
		data["refundedAmount"], data["receipt"] = 5000, nil
		data["paid"], data["due"] = data["due"], data["paid"]
	}
	return map[string]any{"id": "evt_1p4s8ywa0g0m3", "event": string(kind), "createdAt": "2026-11-30T09:30:00.000Z",
		"data": data}
}

// exampleCounterData is money that was taken at the counter, or given back.
func exampleCounterData(kind catalog.EventKind) map[string]any {
	data := map[string]any{
		"id": "pay_1p4s8ywa0g0m4", "bookingId": ExampleID, "amount": 4500, "tip": 500, "currency": "EUR", "method": "cash",
		"note": "", "refundedAmount": 0, "receipt": "rc_1p4s8ywa0g0m5", "by": "owner",
		"createdAt": "2026-12-01T09:46:10.000Z", "invitee": ExampleBooking["invitee"],
		"paid": map[string]any{"amount": 4500, "currency": "EUR"}, "due": map[string]any{"amount": 0, "currency": "EUR"},
	}
	if kind == catalog.PaymentVoided {
		data["refundedAmount"], data["receipt"], data["paid"], data["due"] = 5000, nil, data["due"], data["paid"]
	}
	return data
}
