package rest_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/payment"
)

// A booking names its contact, in lists and events, to whom may see contacts; and a list can be kept to one contact, or to
// what takes place or may.
func TestBookingsOfAContact(t *testing.T) {
	w := newWorld(t)
	mine := w.book("cut", "2026-12-08T08:45:00Z", "a@x.example")
	w.book("cut", "2026-12-08T09:30:00Z", "b@x.example")
	contact := object(w.do(w.full, "GET", "/api/v1/contacts?email=a@x.example", "").json(t)["data"].([]any)[0])["id"].(string)
	named := `"contact":{"id":"` + contact + `"}`
	for _, key := range []string{w.full, w.readOnly} {
		if got := w.do(key, "GET", "/api/v1/bookings/"+mine, ""); !strings.Contains(got.text, named) {
			t.Errorf("the booking has no %s: %s", named, got.text)
		}
	}
	narrow := w.keyOf(account.KeyInput{Scope: account.FullScope, Limits: account.Limits{Rights: []string{"bookings:read"}}})
	if got := w.do(narrow, "GET", "/api/v1/bookings/"+mine, ""); got.Code != 200 || strings.Contains(got.text, `"contact"`) {
		t.Errorf("to a key that may not see contacts: %d %s", got.Code, got.text)
	}
	if got := w.do(w.full, "GET", "/api/v1/events", ""); !strings.Contains(got.text, named) {
		t.Errorf("no event has %s: %s", named, got.text)
	}

	ids := func(query string) (all []string, hint any) {
		t.Helper()
		got := w.do(w.full, "GET", "/api/v1/bookings?"+query, "")
		if got.Code != 200 {
			t.Fatalf("%s: %d %s", query, got.Code, got.text)
		}
		for _, b := range got.json(t)["data"].([]any) {
			all = append(all, object(b)["id"].(string))
		}
		return all, got.json(t)["hint"]
	}
	want := func(query string, want ...string) {
		t.Helper()
		if got, _ := ids(query); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	want("contact="+contact, mine)
	want("contact=" + contact + "&invitee=b@x.example")
	want("contact="+contact+"&invitee=A@x.example", mine)
	want("contact="+contact+"&eventType=cut&host="+ana.String(), mine)
	for _, unknown := range []string{"ct_0000000000000", "Bo", mine} {
		if all, hint := ids("contact=" + unknown); len(all) > 0 || hint == nil {
			t.Errorf("an unknown contact has %v, and the hint is %v", all, hint)
		}
	}

	moved := w.book("talk", "2026-12-08T13:00:00Z", "c@x.example") // it waits for approval
	gone := w.book("talk", "2026-12-08T14:00:00Z", "c@x.example")
	for id, action := range map[string]string{mine: `reschedule {"start":"2026-12-08T11:45:00Z"}`, gone: "cancel "} {
		path, body, _ := strings.Cut(action, " ")
		if got := w.do(w.full, "POST", "/api/v1/bookings/"+id+"/"+path, body); got.Code != 200 {
			t.Fatal(got.text)
		}
	}
	other, _ := ids("invitee=b@x.example")
	want("status=live", other[0], mine, moved)
	want("status=live,cancelled&scope=all", gone, moved, mine, other[0])
	want("status=cancelled", gone)

	w.full = w.manager()
	if got := w.do(w.full, "POST", "/api/v1/bookings/"+mine+"/cancel", ""); got.Code != 200 || !strings.Contains(got.text, named) {
		t.Fatal(got.text)
	}
	if got := w.do(w.full, "DELETE", "/api/v1/contacts/"+contact, ""); got.Code > 299 {
		t.Fatal(got.text)
	}
	for _, path := range []string{"/api/v1/bookings/" + mine, "/api/v1/events"} {
		if got := w.do(w.full, "GET", path, ""); got.Code != 200 || strings.Contains(got.text, named) {
			t.Errorf("%s names a contact that was deleted: %s", path, got.text)
		}
	}
}

// What money is for is said alike by a booking and by a payment.
func TestPaymentsSayWhatTheyAreFor(t *testing.T) {
	for kind, want := range map[payment.Kind]booking.PaymentFor{payment.PaysBooking: "price", payment.PaysDeposit: "deposit", payment.PaysFee: "fee",
		payment.PaysLateFee: "fee"} {
		if got := kind.For(); got != want {
			t.Errorf("%s is for %s, want %s", kind, got, want)
		}
	}
	for _, c := range []struct {
		payment booking.Payment
		want    booking.PaymentFor
	}{{booking.Payment{Amount: 5}, "price"}, {booking.Payment{Amount: 5, Kind: booking.ForDeposit}, "deposit"}, {booking.Payment{}, "fee"}} {
		if got := c.payment.Show().Purpose; got != c.want || c.payment.Purpose != "" {
			t.Errorf("%+v is for %s, want %s", c.payment, got, c.want)
		}
	}
}

// A program that keeps a copy of the bookings reads what was changed since it last did, a page at a time, and misses none
// that changes meanwhile.
func TestBookingsChangedSince(t *testing.T) {
	w := newWorld(t)
	old := w.book("cut", "2026-12-08T08:45:00Z", "a@x.example")
	w.Clock.Advance(time.Hour)
	began := w.Clock.Now()
	b := w.book("cut", "2026-12-08T09:30:00Z", "b@x.example")
	w.Clock.Advance(time.Second)
	c := w.book("cut", "2026-12-08T10:15:00Z", "c@x.example")
	page := func(query string) (ids, next string) {
		t.Helper()
		got := w.do(w.readOnly, "GET", "/api/v1/bookings?"+query, "")
		if got.Code != 200 {
			t.Fatalf("%s: %d %s", query, got.Code, got.text)
		}
		body := got.json(t)
		for _, one := range body["data"].([]any) {
			ids += object(one)["id"].(string) + " "
		}
		next, _ = body["nextCursor"].(string)
		return ids, next
	}
	want := func(query string, want ...string) (next string) {
		t.Helper()
		got, next := page(query)
		if got != strings.Join(append(want, ""), " ") {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
		return next
	}
	since := "updatedSince=" + began.Format("2006-01-02T15:04:05.000Z")
	want(since, b, c)
	want(since+"&scope=past", b, c)
	want(since+"&invitee=c@x.example", c)
	want(since + "&status=cancelled")
	want("updatedSince=2026-01-01", old, b, c)

	next := want(since+"&limit=1", b)
	w.Clock.Advance(time.Second)
	for _, id := range []string{b, old} { // b was read already, and old was not changed until now
		if got := w.do(w.full, "POST", "/api/v1/bookings/"+id+"/cancel", ""); got.Code != 200 {
			t.Fatal(got.text)
		}
		w.Clock.Advance(time.Second)
	}
	next = want(since+"&limit=2&cursor="+next, c, b)
	want(since+"&limit=2&cursor="+next, old)
	want(since+"&from=2026-12-08T09:00:00Z&host="+ana.String()+"&eventType=cut", c, b)
	want("updatedSince=" + w.Clock.Now().Format(time.RFC3339))

	for query, field := range map[string]string{"updatedSince=": "updatedSince", "updatedSince=soon": "updatedSince", since + "&limit=1&scope=all&cursor=" + next: "cursor"} {
		got := w.do(w.full, "GET", "/api/v1/bookings?"+query, "")
		if details := object(object(got.json(t)["error"])["details"]); got.Code != 400 || details["field"] != field {
			t.Errorf("%s: %d %s", query, got.Code, got.text)
		}
	}
}
