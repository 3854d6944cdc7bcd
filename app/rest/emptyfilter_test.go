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

// TestEmptyListsSayWhy: a list of somebody or something unknown is empty, as v1 promises, and has a hint; and an answer
// to bare dates names the time zone in which they were read.
func TestEmptyListsSayWhy(t *testing.T) {
	w := newWorld(t)
	made := w.book("cut", "2026-12-08T08:45:00Z", "a@x.example")
	for path, want := range map[string]string{
		"bookings?eventType=cutt":                                        `"hint":"There is no event type \"cutt\" in this workspace. Did you mean cut?"`,
		"bookings?host=hs_0000000009":                                    `"hint":"There is no host \"hs_0000000009\" in this workspace.`,
		"bookings?host=ana":                                              `is a name: name the host by the id, hs_0000000001."`,
		"bookings?invitee=nobody@x.example":                              `"hint":"Nobody has this e-mail`,
		"contacts?email=nobody@x.example":                                `"hint":"Nobody has this e-mail`,
		"contacts?phone=%2B493012345678":                                 `"hint":"Nobody has this telephone`,
		"invitations?eventType=cutt":                                     `Did you mean cut?`,
		"receipts?booking=bk_0000000000000":                              `"hint":"There is no booking \"bk_0000000000000\" in this workspace."`,
		"receipts?booking=Mia":                                           `"hint":"There is no booking \"Mia\" in this workspace."`,
		"receipts?booking=" + strings.TrimPrefix(made, "bk_"):            `"hint":"Name the booking by its whole id, ` + made + `."`,
		"bookings?from=2026-12-08":                                       `"datesTimeZone":"UTC"}`,
		"bookings?to=2026-12-09&timeZone=Asia/Tokyo":                     `"datesTimeZone":"Asia/Tokyo"}`,
		"receipts?from=2026-12-08":                                       `"datesTimeZone":"UTC"}`,
		"availability?eventType=cut&from=2026-12-08":                     `"datesTimeZone":"UTC"`,
		"availability?eventType=cut&from=2026-12-08&explain=true":        `"datesTimeZone":"UTC"`,
		"availability?eventType=cut&from=2026-12-08&timeZone=Asia/Tokyo": `"timeZone":"Asia/Tokyo","datesTimeZone":"Asia/Tokyo",`,
	} {
		got := w.do(w.full, "GET", "/api/v1/"+path, "")
		empty := strings.Contains(got.text, `"data":[]`)
		if got.Code != 200 || !strings.Contains(got.text, want) || strings.Contains(want, "datesTimeZone") == empty && !strings.HasPrefix(path, "receipts") {
			t.Errorf("%s: %d, want %s in %.400s", path, got.Code, want, got.text)
		}
	}
	if got := w.do(w.full, "GET", "/api/v1/bookings?from=2026-12-08T00:00:00Z", ""); strings.Contains(got.text, "datesTimeZone") {
		t.Errorf("without a bare date: %.300s", got.text)
	}
}
