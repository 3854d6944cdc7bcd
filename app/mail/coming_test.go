package mail_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
)

// A reminder of a service that asks has one link to the page with the two buttons, and once it was sent the booking says that
// its invitee was asked; a reminder of another service has and does neither.
func TestRemindersAsk(t *testing.T) {
	for _, asks := range []bool{true, false} {
		x, k := newBed(t), newSink(t, nil, false)
		x.event(func(e *catalog.EventType) {
			e.MailsOff, e.AsksComing, e.ReminderMinutes = []catalog.MailKind{catalog.MailTeamNew, catalog.MailConfirmed}, asks, []int{60}
		})
		l, _ := x.run(k.server(smtp.NoTLS), nil)
		b := x.book("bo", 30)
		apptest.Eventually(t, "planned", func() bool { return len(x.log()) == 1 })
		x.Clock.Set(b.Start.Time().Add(-50 * time.Minute))
		l.Wake()
		apptest.Eventually(t, "reminded", func() bool { return len(k.mails()) == 1 })
		body := strings.ReplaceAll(k.mails()[0].body, "=\r\n", "")
		if got := strings.Contains(body, "/coming"); got != asks || strings.Contains(body, "Are you coming?") != asks {
			t.Errorf("the reminder asks: %v, want %v\n%s", got, asks, body)
		}
		coming := func() *booking.Coming {
			now, err := x.Booking(t.Context(), x.API, b.ID.String())
			x.Must(err)
			return now.Coming
		}
		if asks {
			apptest.Eventually(t, "noted", func() bool { c := coming(); return c != nil && c.AskedAt != 0 && c.Answer == nil })
		} else if x.tried("bo", 1); coming() != nil {
			t.Errorf("nobody was asked, and there is %+v", coming())
		}
	}
}
