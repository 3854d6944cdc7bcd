package text_test

import (
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/contact"
)

// A person is told by the way that they like, as far as they agreed to texts; else by mail.
func TestThePersonsWay(t *testing.T) {
	for _, c := range []struct {
		name, email, phone string
		agreed             bool
		by                 contact.TellBy
		texts, mails       string
	}{
		{"nothing said", "a@mail.example", mine, true, "", "", "confirmed"},
		{"mail", "a@mail.example", mine, true, contact.TellByEmail, "", "confirmed"},
		{"call", "a@mail.example", mine, true, contact.TellByCall, "", "confirmed"},
		{"text", "a@mail.example", mine, true, contact.TellByText, "confirmed waiting", ""},
		{"both", "a@mail.example", mine, true, contact.TellByBoth, "confirmed waiting", "confirmed"},
		{"text, not agreed", "a@mail.example", mine, false, contact.TellByText, "", "confirmed"},
		{"text, to a land line", "a@mail.example", "+4930901820", true, contact.TellByText, "", "confirmed"},
		{"phone alone", "", mine, true, "", "confirmed waiting", ""},
		{"phone alone, not agreed", "", mine, false, "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newBed(t)
			x.book(x.site, x.somebody("Mia", c.email, c.phone, c.agreed, c.by), "1T09")
			x.plan()
			x.want("texts", x.states(), c.texts)
			if c.email != "" {
				x.want("mails", strings.Join(x.mails(c.email), ", "), c.mails)
			}
		})
	}
}

// A kind that is switched off, for the workspace or the service, goes by mail.
func TestKindsAreSwitchedOff(t *testing.T) {
	x := newBed(t)
	c := x.somebody("Mia", "mia@mail.example", mine, true, contact.TellByText)
	x.Alter("cut", func(e *catalog.EventType) { e.TextsOff = []catalog.TextKind{catalog.TextConfirmed} })
	b := x.book(x.site, c, "1T09")
	x.plan()
	x.want("texts", x.states(), "")
	x.wantMails("mia@mail.example", "confirmed")
	_, err := x.Cancel(t.Context(), x.Owner, b.ID.String(), app.CancelInput{})
	x.Must(err)
	x.plan()
	x.want("texts", x.states(), "cancelled waiting")
}

// What is sent says what it is about, in the person's language, and has a link.
func TestWhatATextSays(t *testing.T) {
	x := newBed(t)
	x.run()
	c := x.somebody("Mia", "", mine, true, "")
	b := x.book(x.site, c, "1T09")
	x.plan()
	x.settled()
	x.want("texts", x.states(), "confirmed sent")
	got := x.sent()
	if len(got) != 1 || !strings.HasPrefix(got[0], mine+" Salon Ana: your appointment is booked. Haircut, Tue, Dec 1, 10:00") || !strings.Contains(got[0], "/t/") {
		t.Fatalf("sent: %q", got)
	}
	code := got[0][strings.LastIndex(got[0], "/t/")+3:]
	if linked, err := x.Text.Linked(t.Context(), code); err != nil || linked.BookingID != b.ID {
		t.Errorf("the link opens %v, %v", linked.BookingID, err)
	}
	if _, err := x.Text.Linked(t.Context(), strings.Repeat("0", 12)); err == nil {
		t.Error("a wrong code opens something")
	}
	x.Alter("cut", func(e *catalog.EventType) {
		e.TextWords = []catalog.TextWords{{Kind: catalog.TextCancelled, Text: "Bye {name}, no {service} on {date} at {time}."}}
	})
	_, err := x.Cancel(t.Context(), x.Owner, b.ID.String(), app.CancelInput{})
	x.Must(err)
	x.plan()
	x.settled()
	if got := x.sent(); len(got) != 2 || got[1] != mine+" Bye Mia, no Haircut on Tue, Dec 1 at 10:00 a.m.." && !strings.Contains(got[1], "Bye Mia, no Haircut on Tue, Dec 1 at") {
		t.Errorf("own words: %q", got)
	}
}
