package app_test

import (
	"testing"

	"daybook/app/booking"
	"daybook/app/contact"
)

func TestContactsAreFoundByTheirTerms(t *testing.T) {
	w := newWorld(t)
	_, _, err := w.People.CreateContact(t.Context(), w.API, booking.ContactInput{Name: "Zoë Anna-Lena Krüger", Email: "z.krueger@mail.example", Phone: "+49 (30) 90-18"})
	w.Must(err)
	for q, found := range map[string]bool{
		"": true, "zoë": true, "ZO": true, "krü": true, "lena": true, "anna-l": true, "zoë kr": true, "z.kru": true, "Z.KRUEGER@mail": true,
		"+49": true, "+4": true, "49": true, "+49 30 90": true, "(+49)30": true,
		"oë": false, "Zoe": true, "zoë x": false, "mail": true, "90-18": true, "mai": false, "rueger": true, "18": false, "+": false, "%": false, "+48": false, "_oë": false,
	} {
		page, err := w.People.Contacts(t.Context(), w.API, contact.Filter{Q: q}, nil, "")
		w.Must(err)
		if got := len(page.Data) == 1; got != found {
			t.Errorf("q=%q: found %v, want %v", q, got, found)
		}
	}
}
