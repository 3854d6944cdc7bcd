package rest_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
)

// Money at the counter by the routes: what is answered and refused, to whom, and that a repetition takes none again.
func TestMoneyAtTheCounter(t *testing.T) {
	w := newWorld(t)
	id := w.book("color", "2026-12-08T14:00:00Z", "due@x.example")
	ask := func(key, method, path, body string, status int, has string) string {
		t.Helper()
		got := w.do(key, method, "/api/v1/"+path, body)
		if got.Code != status || !strings.Contains(got.text, has) {
			t.Errorf("%s %s %s: %d %s, want %d and %s", method, path, body, got.Code, got.text, status, has)
		}
		return got.text
	}
	pay, payment := "bookings/"+id+"/payments", `"payments":[{"id":"pay_`
	ask(w.readOnly, "POST", pay, `{"amount":1,"method":"cash"}`, 403, `"read_only_key"`)
	ask(w.foreign, "POST", pay, `{"amount":1,"method":"cash"}`, 404, `"not_found"`)
	ask(w.full, "POST", pay, `{"amount":9001,"method":"cash"}`, 400, `"reason":"overpaid"`)
	ask(w.full, "POST", pay, `{"amount":1,"method":"gold"}`, 400, `"field":"method"`)
	ask(w.full, "POST", pay, `{"amount":1,"method":"cash","currency":"USD"}`, 400, `"field":"currency"`)
	ask(w.full, "POST", pay, `{"amount":-1,"method":"cash"}`, 400, `"field":"amount"`)
	ask(w.full, "GET", "bookings/"+id, "", 200, `"paid":{"amount":0,"currency":"EUR"},"due":{"amount":9000,"currency":"EUR"},"payments":[]`)
	for range 2 { // the second time it is the stored answer
		got := w.do(w.full, "POST", "/api/v1/"+pay, `{"amount":9000,"tip":500,"method":"card","note":"n"}`, "Idempotency-Key", "once")
		if got.Code != 201 || !strings.Contains(got.text, `"due":{"amount":0,`) || strings.Count(got.text, `"pay_`) != 1 {
			t.Errorf("paid: %d %s", got.Code, got.text)
		}
	}
	list := ask(w.readOnly, "GET", "bookings?from=2026-12-08", "", 200, payment)
	_, rest, _ := strings.Cut(list, payment)
	paid := "pay_" + rest[:strings.IndexByte(rest, '"')]
	ask(w.readOnly, "GET", "receipts?booking="+id, "", 200, `"number":"2026-1","kind":"receipt"`)
	ask(w.foreign, "POST", "payments/"+paid+"/refund", "", 404, `"not_found"`)
	ask(w.full, "POST", "payments/pay_nothing/refund", "", 404, `"not_found"`)
	ask(w.full, "POST", "payments/"+paid+"/refund", `{"amount":9501}`, 400, `"field":"amount"`)
	ask(w.full, "POST", "payments/"+paid+"/refund", "", 200, `"refundedAmount":9500`)
	ask(w.full, "POST", "payments/"+paid+"/refund", "", 409, `"nothing_to_refund"`)
	ask(w.full, "GET", "receipts", "", 200, `"number":"2026-2","kind":"reversal"`)
	ask(w.full, "POST", "bookings/"+id+"/receipt", "", 409, `"nothing_to_receipt"`)
	ask(w.full, "POST", "till/close", `{"counted":95,"opening":100}`, 200, `"difference":-5`)
	ask(w.full, "GET", "till", "", 200, `"opening":100,"cash":0,"expected":100`)

	if events := ask(w.full, "GET", "events", "", 200, "booking.created"); strings.Contains(events, "payment.") {
		t.Errorf("money at the counter is in the list of events: %s", events)
	}
}

// The route that gives money of the counter back refunds what was paid online at Stripe, too: a part, then the rest.
func TestRefundOfAnOnlinePayment(t *testing.T) {
	w := newWorld(t)
	standIn := stripetest.New(t)
	standIn.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(standIn.URL))
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID),
		payment.Keys{SecretKey: stripetest.Key, SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	w.eventType("paid", 60, func(e *catalog.EventType) {
		e.Price, e.Payment = &money.Money{Amount: 4500, Currency: "EUR"}, catalog.PayOnline
	})
	hook := http.NewServeMux()
	hook.Handle("/api/stripe/{workspace}", stripe.Hook(w.Payment, slog.New(slog.DiscardHandler)))
	settle := func() {
		t.Helper()
		for range 2 {
			jobs, err := w.Payment.ClaimPaymentJobs(t.Context(), 10, time.Minute)
			w.Must(err)
			for _, j := range jobs {
				w.Must(w.Payment.RunPaymentJob(t.Context(), j))
			}
			for i := range standIn.Events() {
				standIn.Send(t, hook, "/api/stripe/"+w.Workspace.Slug, i)
			}
		}
	}
	id := w.book("paid", "2026-12-08T14:00:00Z", "paid@x.example")
	b, err := w.Booking(t.Context(), w.API, id)
	w.Must(err)
	link, err := w.Payment.CheckoutURL(t.Context(), b.ManageURL[strings.LastIndexByte(b.ManageURL, '/')+1:])
	w.Must(err)
	standIn.Pay(t, link[strings.LastIndexByte(link, '/')+1:], stripetest.Good)
	settle()
	_, made, _ := strings.Cut(w.do(w.full, "GET", "/api/v1/events", "").text, `"event":"payment.succeeded"`)
	_, made, _ = strings.Cut(made, `"id":"pay_`)
	refund := "/api/v1/payments/pay_" + made[:strings.IndexByte(made, '"')] + "/refund"
	for _, c := range []struct {
		key, body string
		status    int
		refunds   int64 // at Stripe, afterwards
	}{
		{w.foreign, "", 404, 0}, {w.readOnly, "", 403, 0}, {w.full, `{"amount":4501}`, 400, 0},
		{w.full, `{"amount":1500}`, 200, 1500}, {w.full, "", 200, 4500}, {w.full, "", 409, 4500},
	} {
		got := w.do(c.key, "POST", refund, c.body)
		settle()
		sum := int64(0)
		for _, n := range standIn.Refunds() {
			sum += n
		}
		if got.Code != c.status || sum != c.refunds {
			t.Errorf("%s: %d %s, Stripe gave %d back; want %d, %d", c.body, got.Code, got.text, sum, c.status, c.refunds)
		}
	}
	if got := w.do(w.full, "GET", "/api/v1/bookings/"+id, ""); !strings.Contains(got.text, `"refundedAmount":4500`) ||
		!strings.Contains(got.text, `"due":{"amount":0,`) || !strings.Contains(got.text, `"payments":[]`) {
		t.Errorf("afterwards: %s", got.text)
	}
}
