package agent_test

import (
	"testing"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/report"
)

func TestBookMoveCancel(t *testing.T) {
	w := newWorld(t)
	var open struct {
		Data          []availability.Slot
		TimeZone      string
		NextAvailable *string
	}
	w.get("check_availability", `{"eventType":"cut","days":2,"timeZone":"America/New_York"}`, &open)
	if len(open.Data) == 0 || open.Data[0].Local != "2026-11-30T04:00:00-05:00" {
		t.Fatalf("%+v", open)
	}
	var b booking.Booking
	w.get("create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Mei","email":"mei@x.example"}}`, &b)
	again := w.call("create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Mei","email":"MEI@x.example"}}`).failure()
	if again.Code != "conflict" || again.Details["bookingId"] != b.ID.String() {
		t.Errorf("%+v", again)
	}
	w.get("reschedule_booking", `{"id":"`+b.ID.String()+`","start":"2026-12-01T09:00:00Z"}`, &b)
	if b.Status != booking.Rescheduled {
		t.Errorf("status %s", b.Status)
	}
	w.get("cancel_booking", `{"id":"`+b.ID.String()+`","reason":"ill"}`, &b)
	if b.Status != booking.Cancelled || b.Cancellation.By != booking.ByAgent {
		t.Errorf("%+v", b.Cancellation)
	}
	var page fault.Page[map[string]any]
	if w.get("list_bookings", `{}`, &page); len(page.Data) != 0 {
		t.Errorf("cancelled bookings are listed unasked: %+v", page)
	}
	if w.get("list_bookings", `{"status":["cancelled","no_show"]}`, &page); len(page.Data) != 1 {
		t.Errorf("%+v", page)
	}
	w.Clock.Advance(48 * time.Hour)
	if e := w.call("mark_no_show", `{"id":"`+b.ID.String()+`"}`).failure(); e.Details["reason"] != "wrong_state" {
		t.Errorf("%+v", e)
	}
	var figures report.Analytics
	if w.get("analytics_overview", `{}`, &figures); figures.Totals.Of(booking.Cancelled) != 1 || figures.ShowRate != nil {
		t.Errorf("%+v", figures)
	}
}
