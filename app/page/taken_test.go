package page_test

import (
	"net/http"
	"strings"
	"testing"

	"daybook/app/page"
)

// A time that is taken says the same to whoever booked it as to a stranger, so that nobody learns of another person's
// appointments by typing their address; both are told where the link of a booking is.
func TestTakenSaysTheSameToEverybody(t *testing.T) {
	w := newWorld(t, page.Options{})
	first := w.send("POST", "/salon/cut", bookingForm("1T10:00", "mia"))
	if first.StatusCode != http.StatusSeeOther {
		t.Fatalf("booked: %d %.800s", first.StatusCode, first.text)
	}
	said := func(person string) string {
		t.Helper()
		r := w.send("POST", "/salon/cut", bookingForm("1T10:00", person))
		if r.StatusCode != http.StatusConflict || !strings.Contains(r.text, "If it was you who booked it") {
			t.Errorf("%s: %d %.2000s", person, r.StatusCode, r.text)
		}
		_, notice, _ := strings.Cut(r.text, `role="alert"`)
		notice, _, _ = strings.Cut(notice, "<form")
		return strings.ReplaceAll(notice, person, "")
	}
	if mia, eva := said("mia"), said("eva"); mia != eva {
		t.Errorf("who booked is told\n%s\na stranger\n%s", mia, eva)
	}
}
