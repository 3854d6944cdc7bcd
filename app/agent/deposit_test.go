package agent_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/page"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/rest"
)

// A deposit and a late cancellation fee are the same through the set-up file, REST, the tools and the booking page. The
// dashboard's form of them has a test there.
func TestDepositsAreTheSameEverywhere(t *testing.T) {
	w := newWorld(t)
	s := stripetest.New(t)
	s.Now = w.Clock.Now
	w.Payment.SetProvider(stripe.New(s.URL))
	_, err := w.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key,
		SigningSecret: stripetest.SigningSecret})
	must(t, err)
	restDoor, pages := rest.New(w.Set, rest.Options{}), http.NewServeMux()
	page.New(w.Set, page.Options{TakesCards: w.Payment.TakesCards}).Pages(pages)
	ask := func(door http.Handler, method, path, body string) string {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+w.key)
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		rec := httptest.NewRecorder()
		door.ServeHTTP(rec, r)
		answer, err := io.ReadAll(rec.Result().Body)
		must(t, err)
		return string(answer)
	}
	wants := func(where, got string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if !strings.Contains(got, text) {
				t.Errorf("%s lacks %s: %s", where, text, got)
			}
		}
	}
	const fee = `"lateCancellationFee":{"amount":2000,"currency":"EUR"}`
	for i, c := range []struct{ file, deposit, booked, parts string }{
		{"{percent: 20}", `"deposit":{"percent":20}`, `"deposit":{"amount":900,"currency":"EUR"}`, "€9 now, €36 on site"},
		{"{amount: {amount: 1000}}", `"deposit":{"amount":{"amount":1000,"currency":"EUR"}}`,
			`"deposit":{"amount":1000,"currency":"EUR"}`, "€10 now, €35 on site"},
	} {
		w.Apply("workspace: {slug: salon}\neventTypes:\n  - {slug: cut, deposit: " + c.file +
			", lateCancellationFee: {amount: 2000}, cancellationNoticeMinutes: 60}\n")
		document, err := w.SetupFile.ExportSetup(t.Context(), w.Owner)
		must(t, err)
		exported, err := document.YAML()
		must(t, err)
		wants("the file", strings.NewReplacer(`"`, "", " ", "").Replace(string(exported)),
			strings.NewReplacer(`"`, "").Replace(fee))
		wants("REST", ask(restDoor, "GET", "/api/v1/event-types/cut", ""), c.deposit, fee)
		wants("the tool", string(w.call("list_event_types", `{}`).Structured), c.deposit, fee)
		wants("the page", ask(pages, "GET", "/salon/cut?lang=en", ""), c.parts, "costs €20")
		body := func(day, person string) string {
			return `{"eventType":"cut","start":"2026-12-0` + day + `T08:00:00Z","invitee":{"name":"` + person + `","email":"` +
				person + `@x.example"}}`
		}
		day := []string{"1", "2"}[i]
		wants("booked by the tool", string(w.call("create_booking", body(day, "mei")).Structured), c.booked, fee,
			`"payment":{"kind":"deposit","status":"unpaid"`, `"freeCancellationUntil":"2026-12-0`+day+`T07:00:00Z"`)
		wants("booked by REST", ask(restDoor, "POST", "/api/v1/bookings", strings.Replace(body(day, "bo"), "T08", "T10", 1)), c.booked,
			fee, `"payment":{"kind":"deposit","status":"unpaid"`)
	}
}
