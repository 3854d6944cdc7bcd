package app_test

import (
	"testing"
	"time"

	"daybook/app/fault"
)

// A mail that has just gone out is not sent again, nor is one that went out often.
func TestResendHasLimits(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, nil)
	b := w.Booked("cut", "3T09", "bo")
	w.sendMails()
	again := func() error {
		m, err := w.Mail.SendAgain(t.Context(), w.API, b.ID.String())
		if err == nil && m.To != "bo@mail.example" {
			t.Errorf("to %s", m.To)
		}
		return err
	}
	e := w.Refused(again(), fault.Conflict, "sent_lately")
	if e.Details["retryAfter"] != 60 {
		t.Errorf("%v", e.Details)
	}
	for n := range 10 {
		w.Clock.Advance(time.Minute)
		w.Must(again())
		if sent := w.sendMails(); len(sent) != 1 || sent[0].Resends != n+1 {
			t.Errorf("sent %+v", sent)
		}
		w.Refused(again(), fault.Conflict, map[bool]string{false: "sent_lately", true: "sent_often"}[n == 9])
	}
	w.Clock.Advance(time.Hour)
	w.Refused(again(), fault.Conflict, "sent_often")
}
