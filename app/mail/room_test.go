package mail_test

import (
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/mail"
)

// Mails tell customers of the rooms and things that the business shows them, and the team of all, for a booking as for a
// visit.
func TestRoomsInMails(t *testing.T) {
	x := teamBed(t)
	var needs []catalog.Need
	for _, r := range []catalog.Resource{{Name: "Blue room", Kind: "room", Shown: true}, {Name: "Laser seven", Kind: "equipment"}} {
		r, err := x.Shop.AddResource(t.Context(), x.Owner, r)
		x.Must(err)
		needs = append(needs, catalog.Need{OneOf: []catalog.ResourceID{r.ID}, During: catalog.DuringAll})
	}
	x.Alter("colour", func(e *catalog.EventType) { e.Needs = needs })
	seen := 0
	check := func(what string) {
		t.Helper()
		x.write(t.Context())
		customers, team := 0, 0
		for _, m := range x.log()[seen:] {
			got, err := mail.Compose(t.Context(), x.Mail, &m, netmail.Address{})
			x.Must(err)
			all := got.Text + got.HTML
			if !strings.HasSuffix(m.To, "@salon.example") {
				customers++
				if !strings.Contains(all, "Blue room") || strings.Contains(all+got.Invitation, "Laser") {
					t.Errorf("%s: to the customer:\n%s", what, got.Text)
				}
			} else if strings.HasPrefix(m.To, "ana@") || strings.HasPrefix(m.To, "olga@") {
				team++
				if !strings.Contains(all, "Blue room") || !strings.Contains(all, "Laser seven") {
					t.Errorf("%s: to %s:\n%s", what, m.To, got.Text)
				}
			}
		}
		if seen = len(x.log()); customers != 1 || team != 2 {
			t.Errorf("%s: %d mails to the customer, %d to the team", what, customers, team)
		}
	}
	_, err := x.Book(t.Context(), x.API, apptest.Input("colour", apptest.Hours(30), "Bo"))
	x.Must(err)
	check("a booking")
	x.Clock.Advance(time.Hour)
	x.comes("Mia", "en", 54)
	check("a visit")
}
