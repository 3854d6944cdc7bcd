package page_test

import (
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/waitlist"
)

// The mail that tells of a time leads to the page with that time chosen, and to the page that ends the wait; for a visit, too.
// The form by which one waits says that it is a race.
func TestTheMailOfAnOpeningLeadsToTheTime(t *testing.T) {
	w := newMailing(t)
	w.Alter("cut", func(e *catalog.EventType) { e.Waitlist = catalog.WaitlistTell })
	w.Clock.Set(apptest.Monday.Add(10 * time.Hour))
	if a := w.get("/salon/_wait/cut"); !strings.Contains(a.text, "whoever books first") {
		t.Errorf("the form says %s", a.text)
	}
	day := apptest.Monday.AddDate(0, 0, 2).Format(time.DateOnly)
	b := w.book("cut", "2T11:00", "gone")
	for name, items := range map[string][]waitlist.Item{"bo": {{EventType: "cut"}}, "vi": {{EventType: "cut"}, {EventType: "either"}}} {
		in := waitlist.Input{Items: items, Wishes: []waitlist.Wish{{From: day, To: day}}}
		in.Invitee.Name, in.Invitee.Email = name, name+"@mail.example"
		_, err := w.Waitlist.Join(t.Context(), w.Owner, in)
		w.Must(err)
	}
	w.Must(w.Waitlist.CarryOut(t.Context()))
	_, err := w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
	w.Must(err)
	w.Must(w.Waitlist.CarryOut(t.Context()))
	page, err := w.Mail.Mails(t.Context(), w.Owner, mail.ListInput{})
	w.Must(err)
	n := 0
	for _, m := range page.Data {
		if m.Kind != catalog.MailOpening {
			continue
		}
		n++
		about, err := w.Mail.MailSubject(t.Context(), &m)
		w.Must(err)
		if about.Dropped != "" {
			t.Fatal(about.Dropped)
		}
		about.Sends = true
		sent, err := mail.ComposeAbout(t.Context(), w.Mail, &m, &about, netmail.Address{})
		w.Must(err)
		if !strings.Contains(sent.Text, "whoever books first") || !strings.Contains(sent.Text, "/wait") {
			t.Errorf("%s says %s", m.To, sent.Text)
		}
		_, link, _ := strings.Cut(sent.Text, "https://book.example.com")
		link, _, _ = strings.Cut(strings.Fields(link)[0], "#")
		a := w.get(link)
		if a.StatusCode != 200 || !strings.Contains(a.text, `name="email"`) || !strings.Contains(a.text, "11:00") {
			t.Errorf("%s leads to %s: %d %s", m.To, link, a.StatusCode, a.text)
		}
	}
	if n != 2 {
		t.Errorf("%d are told", n)
	}
}
