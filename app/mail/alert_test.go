package mail_test

import (
	"strings"
	"testing"

	post "daybook/app/mail"
	"daybook/views"
)

// A mail about a room's calendar says which room it is, and what becomes of its bookings.
func TestCalendarAlertOfARoom(t *testing.T) {
	for refuses, want := range map[bool]string{false: "Studio is booked as before", true: "No booking takes Studio"} {
		var p views.MailPage
		c := post.CalendarAlert{Connection: "cc_1", Name: "Shared", Blocks: true, Resource: "Studio", Refuses: refuses}
		c.Write(&p, views.MatchLocale("en", ""), nil, "https://book.example")
		var facts []string
		for _, f := range p.Facts {
			facts = append(facts, f.Label+": "+f.Value)
		}
		if got := strings.Join(facts, "\n"); !strings.Contains(got, "Of: Studio") || !strings.Contains(got, want) {
			t.Errorf("refuses %t: %s", refuses, got)
		}
	}
}
