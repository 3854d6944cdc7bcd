package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/counter"
)

// A booking may be made for less: what is taken off stands in an open sale of it, as at the till, and all of it is undone
// together.
func TestBookingForLess(t *testing.T) {
	w := newWorld(t)
	check := w.fitting()
	make := func(start, more string) answer {
		t.Helper()
		return check("create_booking", `{"eventType":"cut","start":"2026-12-01T`+start+`:00Z","invitee":{"name":"Mei","email":"mei@x.example"},`+more+`}`)
	}
	ten := `"discount":{"percent":10,"reason":"Ten visits"}`
	foreseen := make("08:00", ten+`,"dryRun":true`)
	if foreseen.IsError || !strings.Contains(string(foreseen.Structured), `"onSite":{"amount":4050,`) {
		t.Errorf("the dry run: %s", foreseen.Structured)
	}
	var b booking.Booking
	must(t, json.Unmarshal(make("08:00", ten).Structured, &b))
	if b.Due == nil || b.Due.Amount != 4050 || b.Price.Amount != 4500 || b.Discount.Amount != 450 || b.ManageURL == "" {
		t.Errorf("%+v", b)
	}
	sales, err := w.Counter.Sales(t.Context(), w.Owner, counter.SaleQuery{Booking: b.ID.String()})
	must(t, err)
	if len(sales.Data) != 1 || sales.Data[0].Status != counter.SaleOpen || sales.Data[0].Discount.Reason != "Ten visits" {
		t.Errorf("%+v", sales.Data)
	}
	taken := check("create_booking", `{"eventType":"cut","start":"2026-12-01T08:00:00Z","invitee":{"name":"Bo","email":"bo@x.example"},`+ten+`}`)
	if e := taken.failure(); e.Details["reason"] != "slot_taken" || !strings.Contains(e.Message, "These are free: 2026-12-01T09:00:00Z") {
		t.Errorf("taken: %s", taken.Structured)
	}
	for more, field := range map[string]string{
		`"discount":{"amount":4501,"reason":"Too much"}`:                  "discount_too_high",
		`"discount":{"percent":10,"amount":1,"reason":"Both"}`:            `"field":"discount"`,
		ten + `,"repeat":{"every":1,"unit":"week","count":2}`:             `"field":"repeat"`,
		ten + `,"payWith":{"pass":"PASS"}`:                                `"field":"payWith"`,
		`"discount":{"percent":10,"reason":"Ten visits","because":"why"}`: `"field":"discount.because"`,
	} {
		if a := make("10:00", more); !a.IsError || !strings.Contains(string(a.Structured), field) {
			t.Errorf("%s: %s", more, a.Structured)
		}
	}
	all, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Scope: "all"})
	must(t, err)
	if len(all.Data) != 1 {
		t.Errorf("%d bookings: one that was refused for its discount is there", len(all.Data))
	}
	visit := check("create_booking", `{"services":[{"service":"cut"},{"service":"colour"}],"start":"2026-12-02T08:00:00Z","invitee":{"name":"Pia","email":"pia@x.example"},
		"discount":{"amount":1000,"reason":"Opening"}}`)
	var v struct{ Items []struct{ ID string } }
	must(t, json.Unmarshal(visit.Structured, &v))
	off := int64(0)
	for _, item := range v.Items {
		b, err := w.Booking(t.Context(), w.Owner, item.ID)
		must(t, err)
		off += b.Discount.Units()
	}
	if len(v.Items) != 2 || off != 1000 {
		t.Errorf("of the visit %d is taken off: %s", off, visit.Structured)
	}
	// At the desk the rest is paid, and the sale is over.
	id := b.ID.String()
	pay := `{"id":"` + id + `","method":"cash"`
	var dry struct{ Confirm string }
	must(t, json.Unmarshal(w.callAt("/api/mcp/desk", "take_payment", pay+`,"dryRun":true}`).Structured, &dry))
	paid := w.callAt("/api/mcp/desk", "take_payment", pay+`,"confirm":"`+dry.Confirm+`"}`)
	if paid.IsError || !strings.Contains(string(paid.Structured), `"paid":{"amount":4050,`) || !strings.Contains(string(paid.Structured), `"receipt":"`) {
		t.Errorf("paid: %s", paid.Structured)
	}
	w.key = w.readOnly
	if e := make("14:00", ten).failure(); e.Code != "forbidden" {
		t.Errorf("a read-only key: %+v", e)
	}
}
