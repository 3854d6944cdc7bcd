package rest_test

import (
	"strings"
	"testing"
)

// TestEmptyFilters: a filter that names a person or a thing and is empty doesn't list everybody.
func TestEmptyFilters(t *testing.T) {
	w := newWorld(t)
	for path, field := range map[string]string{
		"contacts?email=": "email", "contacts?phone=": "phone", "contacts?email=%20": "email", "bookings?invitee=": "invitee",
		"bookings?eventType=": "eventType", "bookings?host=": "host", "receipts?booking=": "booking",
		"availability?eventType=cut&host=": "host", "invitations?eventType=": "eventType",
	} {
		got := w.do(w.full, "GET", "/api/v1/"+path, "")
		if got.Code != 400 || !strings.Contains(got.text, `"field":"`+field+`"`) {
			t.Errorf("%s: %d %s", path, got.Code, got.text)
		}
	}
}
