package mail_test

import (
	netmail "net/mail"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
)

// The customer's mails lead to the customer's calendar, to the map and the way, and say until when the booking can be
// changed; the team's don't, nor does one about what is over.
func TestMailLeadsToCalendarAndPlace(t *testing.T) {
	x, k := newBed(t), newSink(t, nil, false)
	x.event(func(e *catalog.EventType) {
		e.Where = &catalog.Where{Kind: catalog.InPerson, Text: "Oranienstraße 25, Berlin"}
		e.CancellationNoticeMinutes, e.MailsOff = 24*60, []catalog.MailKind{catalog.MailReminder}
	})
	b := x.book("bo", 50)
	x.run(k.server(smtp.NoTLS), nil)
	to := func(person string, n int) (texts []part) {
		t.Helper()
		apptest.Eventually(t, "a mail to "+person, func() bool { return len(k.mails()) >= n })
		for _, got := range k.mails() {
			m, err := netmail.ReadMessage(strings.NewReader(got.body))
			x.Must(err)
			if strings.Contains(m.Header.Get("To"), person+"@") {
				texts = parts(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
			}
		}
		for i := range texts {
			texts[i].text = strings.ReplaceAll(texts[i].text, "&amp;", "&")
		}
		return texts
	}
	links := []string{"https://calendar.google.com/calendar/render?", "https://outlook.live.com/calendar/0/deeplink/compose?",
		b.ManageURL + "/calendar.ics", "https://www.openstreetmap.org/search?query=Oranienstra%C3%9Fe+25%2C+Berlin",
		"https://www.google.com/maps/dir/?api=1&destination=Oranienstra%C3%9Fe+25%2C+Berlin", "Free of charge until Tue, Dec 1, 4:00"}
	has := func(of []part, want bool) {
		t.Helper()
		for _, i := range []int{2, 3} {
			for n, link := range links {
				if i == 2 && n < 2 { // too long for a text
					continue
				}
				if strings.Contains(strings.ReplaceAll(of[i].text, "\u202f", " "), link) != want {
					t.Errorf("part %d, %q: want %v:\n%s", i, link, want, of[i].text)
				}
			}
		}
	}
	has(to("bo", 2), true)
	has(to("ana", 2), false)
	_, err := x.Cancel(t.Context(), x.API, b.ID.String(), app.CancelInput{})
	x.Must(err)
	apptest.Eventually(t, "the cancellation", func() bool { return len(k.mails()) >= 4 })
	has(to("bo", 4), false)
}
