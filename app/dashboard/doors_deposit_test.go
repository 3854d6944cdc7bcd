package dashboard

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/agent"
	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/page"
	"daybook/app/payment"
	"daybook/app/payment/stripetest"
	"daybook/app/rest"
	"daybook/app/when"
)

// A deposit, of a percentage or an amount, and a late cancellation fee are the same whether a set-up file or the
// dashboard's form makes them, and are said alike by that form, by REST, by the agents' tools and by the booking page.
// Booked by each of these and by the dashboard, for one or several places, they are fixed alike on the booking, paid alike, leave
// the same rest on site, and are given back alike.
func TestDepositsAtEveryDoor(t *testing.T) {
	eur := func(amount int64) money.Money { return money.Money{Amount: amount, Currency: "EUR"} }
	for name, c := range map[string]struct {
		file, json  string   // the deposit as a set-up file and REST have it
		form        []string // and as the form has it
		seats       int
		fixed, rest int64  // of a booking, in cents
		said, parts string // in the form again, and on the page for one
	}{
		"percent of one":   {"{percent: 20}", `{"percent":20}`, []string{"deposit", "20", "depositUnit", "percent"}, 1, 900, 3600, "20", "€9 now, €36 on site"},
		"percent of three": {"{percent: 25}", `{"percent":25}`, []string{"deposit", "25", "depositUnit", "percent"}, 3, 3375, 10125, "25", "€11.25 now, €33.75 on site"},
		"amount":           {"{amount: {amount: 1050}}", `{"amount":{"amount":1050,"currency":"EUR"}}`, []string{"deposit", "10.50", "depositUnit", "amount"}, 2, 1050, 7950, "10.50", "€10.50 now, €34.50 on site"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			s := w.stripe()
			_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Owner.Workspace), payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
			w.Must(err)
			owner, host := w.asOwner(), &w.setup().Hosts[0]
			key := w.Key(account.FullScope).Value
			api, tools := rest.New(w.Set, rest.Options{}), agent.New(w.Set, agent.Options{})
			mux, pages := http.NewServeMux(), http.NewServeMux()
			tools.Routes(mux)
			defer tools.Close(context.Background())
			page.New(w.Set, page.Options{TakesCards: w.Payment.TakesCards}).Pages(pages)

			// Made by three doors.
			w.Apply(fmt.Sprintf(`
workspace: {slug: %s, name: %q, timeZone: %s, currency: EUR}
eventTypes:
  - {slug: by-file, title: Paid, durationMinutes: 30, slotStepMinutes: 30, seats: 6, price: {amount: 4500}, bookingWindowDays: 60, minimumNoticeMinutes: 0,
     cancellationNoticeMinutes: 120, hosts: [%s], deposit: %s, lateCancellationFee: {amount: 2000}}
`, w.Workspace.Slug, w.Workspace.Name, w.Workspace.TimeZone, host.Email, c.file))
			form := append([]string{"title", "Paid", "slug", "by-form", "durationMinutes", "30", "slotStepMinutes", "30", "seats", "6", "bookingWindowDays", "60",
				"minimumNoticeMinutes", "0", "bufferBeforeMinutes", "0", "bufferAfterMinutes", "0", "refundOnCancel", "within_notice", "hosts", host.ID.String(),
				"price", "45", "payment", "on_site", "lateCancellationFee", "20", "cancellationNoticeMinutes", "120"}, c.form...)
			owner.wants(owner.post("/dashboard/types/new", form...), 303)
			file := w.setup().EventType("by-file")
			byForm := w.setup().EventType("by-form")
			if !reflect.DeepEqual(byForm.Deposit, file.Deposit) || !reflect.DeepEqual(byForm.LateCancellationFee, file.LateCancellationFee) || byForm.Payment != file.Payment {
				t.Errorf("by the form %+v, %v, %s; by the file %+v, %v, %s", byForm.Deposit, byForm.LateCancellationFee, byForm.Payment, file.Deposit, file.LateCancellationFee, file.Payment)
			}
			get := func(door http.Handler, method, path, form string) string {
				r := httptest.NewRequest(method, path, strings.NewReader(form))
				r.Header.Set("Authorization", "Bearer "+key)
				r.Header.Set("Sec-Fetch-Site", "same-origin")
				if form != "" {
					r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				}
				answer := httptest.NewRecorder()
				door.ServeHTTP(answer, r)
				return answer.Body.String()
			}
			says := func(door, got string, texts ...string) {
				t.Helper()
				for _, text := range texts {
					if !strings.Contains(got, text) {
						t.Errorf("%s lacks %s: %.3000s", door, text, mainOf(got))
					}
				}
			}
			for _, slug := range []string{"by-file", "by-form"} { // and said by four
				if value, _ := shownIn(owner.get("/dashboard/types/"+w.setup().EventType(slug).ID.String()).body, "deposit"); value != c.said {
					t.Errorf("%s: the form shows %q", slug, value)
				}
				says("the page", get(pages, "GET", "/"+w.Workspace.Slug+"/"+slug, ""), c.parts, "costs €20")
				says("REST", get(api, "GET", "/api/v1/event-types/"+slug, ""), `"deposit":`+c.json)
				list := w.asks(mux, key, "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_event_types","arguments":{"limit":100}}}`)
				_, of, _ := strings.Cut(strings.ReplaceAll(list, `\"`, `"`), `"slug":"`+slug+`"`)
				of, _, _ = strings.Cut(of, `"slug":`)
				says("the tool", of, `"deposit":`+c.json)
			}

			// Booked by four.
			open, err := w.Availability(t.Context(), w.Owner, availability.Input{EventType: "by-file", Host: host.ID.String(), Choice: catalog.Choice{Seats: c.seats},
				From: quietDay, Limit: new(4)})
			w.Must(err)
			slots := open.Slots()
			body := func(person string, start when.Instant) string {
				return fmt.Sprintf(`{"eventType":"by-file","start":%q,"host":%q,"seats":%d,"invitee":{"name":%q,"email":"%s@x.example"}}`, start, host.ID, c.seats, person, person)
			}
			for i, d := range []struct {
				person string
				book   func(start when.Instant) string
			}{
				{"rest", func(start when.Instant) string { return w.asks(api, key, "/api/v1/bookings", body("rest", start)) }},
				{"tool", func(start when.Instant) string {
					return w.asks(mux, key, "/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_booking","arguments":`+body("tool", start)+`}}`)
				}},
				{"page", func(start when.Instant) string {
					at := "/" + w.Workspace.Slug + "/by-file"
					says("the page's form", get(pages, "GET", fmt.Sprintf("%s?host=%s&seats=%d&start=%s", at, host.ID, c.seats, url.QueryEscape(start.String())), ""),
						" now, ", "costs €20", `name="feeConsent"`)
					return get(pages, "POST", at, url.Values{"start": {start.String()}, "host": {host.ID.String()}, "seats": {fmt.Sprint(c.seats)}, "name": {"page"},
						"email": {"page@x.example"}, "feeConsent": {"on"}}.Encode())
				}},
				{"dashboard", func(start when.Instant) string {
					return owner.post("/dashboard/bookings/new", "type", "by-file", "host", host.ID.String(), "start", start.String(), "seats", fmt.Sprint(c.seats),
						"name", "dashboard", "email", "dashboard@x.example").body
				}},
			} {
				start := slots[i].Start
				answer := d.book(start)
				found, err := w.Bookings(t.Context(), w.Owner, booking.ListBookingsInput{Invitee: d.person + "@x.example"})
				w.Must(err)
				if len(found.Data) != 1 {
					t.Errorf("%s: %d bookings: %.900s", d.person, len(found.Data), mainOf(answer))
					continue
				}
				b := found.Data[0]
				now := func() booking.Booking {
					k, err := w.Booking(t.Context(), w.Owner, b.ID.String())
					w.Must(err)
					return k
				}
				if b = now(); b.Deposit == nil || *b.Deposit != eur(c.fixed) || b.LateFee == nil || *b.LateFee != eur(2000) || b.FreeCancel != start.Add(-2*time.Hour) ||
					*b.Price != eur(4500*int64(c.seats)) || b.Payment == nil || b.Payment.For() != booking.ForDeposit {
					t.Errorf("%s: deposit %v, fee %v until %s, price %v, payment %+v", d.person, b.Deposit, b.LateFee, b.FreeCancel, b.Price, b.Payment)
					continue
				}
				w.paysFor(s, b, stripetest.Good)
				if b = now(); b.Paid == nil || *b.Paid != eur(c.fixed) || *b.Due != eur(c.rest) || b.Status != booking.Confirmed {
					t.Errorf("%s: %s, paid %v, due %v", d.person, b.Status, b.Paid, b.Due)
				}
				owner.wants(owner.get("/dashboard/bookings/"+b.ID.String()), 200, "Deposit", "Late cancellation fee")
				owner.wants(owner.post("/dashboard/bookings/"+b.ID.String()+"/cancel", "refund", "on"), 303)
				w.works()
				if b = now(); b.Payment.Status != "refunded" || b.Status != booking.Cancelled {
					t.Errorf("%s: %s, payment %+v", d.person, b.Status, b.Payment)
				}
			}
		})
	}
}
