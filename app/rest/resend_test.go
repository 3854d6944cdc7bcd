package rest_test

import (
	"strings"
	"testing"
)

// The mail of a booking is sent again to who may be mailed, by who may edit the booking.
func TestResend(t *testing.T) {
	w := newWorld(t)
	id := w.book("cut", "2026-12-01T08:00:00Z", "bo@mail.example")
	path := "/api/v1/bookings/" + id + "/resend"
	refused := func(key, path string, status int, reason string) {
		t.Helper()
		if got := w.do(key, "POST", path, ""); got.Code != status || !strings.Contains(got.text, reason) {
			t.Errorf("%d %s, want %d %s", got.Code, got.text, status, reason)
		}
	}
	refused(w.full, path, 409, `"overtaken"`) // nothing has been written yet
	for n := 1; n > 0; {
		var err error
		n, err = w.Mail.WriteMails(t.Context(), 100)
		w.Must(err)
	}
	refused(w.readOnly, path, 403, `"read_only_key"`)
	refused(w.foreign, path, 404, `"not_found"`)
	refused(w.full, "/api/v1/bookings/bk_0/resend", 404, `"not_found"`)
	got := w.do(w.full, "POST", path, "")
	if m := got.json(t); got.Code != 202 || m["kind"] != "confirmed" || m["to"] != "bo@mail.example" || m["bookingId"] != id ||
		!strings.HasPrefix(m["id"].(string), "ml_") || m["dueAt"] == nil {
		t.Errorf("%d %s", got.Code, got.text)
	}
	w.do(w.full, "POST", "/api/v1/bookings/"+id+"/reschedule", `{"start":"2026-12-01T08:45:00Z"}`)
	refused(w.full, path, 409, `"overtaken"`) // the mail of the old time is not sent again

	phone := w.do(w.full, "POST", "/api/v1/bookings", `{"eventType":"cut","start":"2026-12-01T09:30:00Z","invitee":{"name":"Pia","phone":"+4930901820"}}`).json(t)
	if of, ok := phone["id"].(string); !ok {
		t.Errorf("not booked: %v", phone)
	} else {
		refused(w.full, "/api/v1/bookings/"+of+"/resend", 409, `"no_email"`)
	}
}
