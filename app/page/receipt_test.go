package page_test

import (
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/page"
	"daybook/app/when"
)

// The receipt says of the mail what is so, and always shows the link to move or cancel.
func TestTheReceiptClaimsNoMailThatWasNotSent(t *testing.T) {
	const sent, soon, none = "We’ve sent the confirmation to", "The confirmation is on its way to", "Please keep the link below"
	w := newWorld(t, page.Options{})
	b := w.book("cut", "2026-12-02T09:00:00Z", "bo")
	shows := func(want string) {
		t.Helper()
		body := w.get(strings.TrimPrefix(b.ManageURL, "https://book.example.com") + "?new=1").text
		for _, text := range []string{sent, soon, none} {
			if strings.Contains(body, text) != (text == want) {
				t.Errorf("%q is shown: %v, want %q", text, !(text == want), want)
			}
		}
		if !strings.Contains(body, `value="`+b.ManageURL+`"`) || !strings.Contains(body, `data-copy="own-link"`) {
			t.Error("the link to copy is missing")
		}
	}
	shows(none)
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587, From: netmail.Address{Address: "book@salon.example"}})
	shows(soon)
	for n := 1; n > 0; {
		var err error
		n, err = w.Mail.WriteMails(t.Context(), 100)
		w.Must(err)
	}
	shows(soon)
	settle := func(o mail.Outcome) {
		t.Helper()
		all, err := w.Mail.ClaimMails(t.Context(), 0, time.Minute, 10)
		w.Must(err)
		for _, m := range all {
			o.ID, o.Lease = m.ID, m.Lease
			w.Must(w.Mail.SettleMail(t.Context(), o))
		}
	}
	settle(mail.Outcome{State: mail.Waiting, Next: when.At(w.Clock.Now()), Answer: "535"})
	shows(none) // it was tried, in vain
	settle(mail.Outcome{State: mail.Sent})
	shows(sent)
}

// The form promises a confirmation by e-mail only where one will be sent.
func TestTheFormPromisesNoMailThatIsNotSent(t *testing.T) {
	const hint = "For the confirmation, and to move or cancel."
	w := newWorld(t, page.Options{})
	shows := func(want bool) {
		t.Helper()
		if got := strings.Contains(w.get("/salon/cut?start=2026-12-02T09:00:00Z").text, hint); got != want {
			t.Errorf("the hint is shown: %v, want %v", got, want)
		}
	}
	shows(false)
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587, From: netmail.Address{Address: "book@salon.example"}})
	shows(true)
}
