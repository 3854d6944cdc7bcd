package web

import (
	"testing"

	"daybook/app/booking"
	"daybook/views"
)

// Every status has a name in every language.
func TestStatusesHaveNames(t *testing.T) {
	for _, lang := range []string{"en", "de", "fr", "es"} {
		c := Call{Locale: views.MatchLocale(lang, "")}
		for _, s := range booking.Statuses {
			if name := c.StatusName(s); name == "" || name == "dash_status_"+string(s) {
				t.Errorf("%s in %s is %q", s, lang, name)
			}
		}
	}
}
