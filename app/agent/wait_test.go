package agent_test

import (
	"strings"
	"testing"

	"daybook/app/mail/smtp"
)

// Where nothing is open the assistant learns the page on which the customer asks to be told, if that mails anybody.
func TestNothingOpenLeadsToTheWaitlist(t *testing.T) {
	w := newWorld(t)
	call := w.fitting()
	const night = `{"eventType":"cut","from":"2026-12-06T01:00:00+01:00","to":"2026-12-06T05:00:00+01:00"}`
	hint := func() string { t.Helper(); return string(call("check_availability", night).Structured) }
	if got := hint(); !strings.Contains(got, "Nothing is open") || strings.Contains(got, "_wait") {
		t.Errorf("without mails: %s", got)
	}
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	if got := hint(); !strings.Contains(got, "/_wait/cut.") {
		t.Errorf("%s", got)
	}
}
