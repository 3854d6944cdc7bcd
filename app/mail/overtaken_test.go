package mail_test

import (
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
)

// A confirmation that waits for a mail server is of no use once the booking is over; one of a booking ahead is sent.
func TestAConfirmationOfABookingThatIsOverIsNotSent(t *testing.T) {
	x := newBed(t)
	_, stop := x.run(nil, nil)
	x.book("over", 4)
	x.book("ahead", 30)
	apptest.Eventually(t, "both are in the log", func() bool { return len(x.log()) == 2 })
	stop()
	x.Clock.Advance(5 * time.Hour)
	k := newSink(t, nil, false)
	x.run(k.server(smtp.NoTLS), nil)
	apptest.Eventually(t, "both are settled", func() bool {
		all := x.log()
		return all[0].State != mail.Waiting && all[1].State != mail.Waiting
	})
	all := x.log()
	if all[0].State != mail.Dropped || all[0].Answer != "the booking's time has passed" {
		t.Errorf("over: %s, %q", all[0].State, all[0].Answer)
	}
	if all[1].State != mail.Sent || len(k.mails()) != 1 {
		t.Errorf("ahead: %s, %q, %d mails", all[1].State, all[1].Answer, len(k.mails()))
	}
	x.counted(1, 0, 0, 1)
}
