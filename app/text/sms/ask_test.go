package sms_test

import (
	"testing"
	"time"

	"daybook/app/text/sms"
	"daybook/app/text/smstest"
)

// After a lost answer a phone says what became of the text, and takes no reference twice.
func TestAskAPhone(t *testing.T) {
	s := services(t)[2]
	c, m := client(), message()
	ask := func(id string, want sms.State) sms.Result {
		t.Helper()
		got := c.Ask(t.Context(), s.sender, m, id)
		if got.State != want {
			t.Fatalf("%+v, want %s", got, want)
		}
		return got
	}
	ask("", sms.Missing)
	s.stand.Fail(smstest.Lose)
	if got := c.Send(t.Context(), s.sender, m); got.State != sms.Unknown {
		t.Fatalf("%+v", got)
	}
	if got := ask("", sms.Taken); got.ID != m.Reference {
		t.Errorf("%+v", got)
	}
	if got := c.Send(t.Context(), s.sender, m); got.State != sms.Taken || len(s.stand.Sent()) != 1 {
		t.Errorf("sent once more: %+v, %d sent", got, len(s.stand.Sent()))
	}
	s.stand.Become(m.Reference, "Delivered")
	ask("", sms.Delivered)
	ask(m.Reference, sms.Delivered)
	s.stand.Become(m.Reference, "Failed")
	if got := ask("", sms.Failed); got.Answer != "RESULT_ERROR_NO_SERVICE" {
		t.Errorf("%+v", got)
	}
}

// The logbook of seven.io says that it has a text. That it hasn't proves nothing.
func TestAskSeven(t *testing.T) {
	s := services(t)[1]
	c := client()
	other := message()
	other.Reference = "tx_00"
	c.Send(t.Context(), s.sender, other)
	if got := c.Ask(t.Context(), s.sender, message(), ""); got.State != sms.Unknown {
		t.Fatalf("%+v", got)
	}
	s.stand.Fail(smstest.Lose)
	c.Send(t.Context(), s.sender, message())
	id := s.stand.Last(t).ID
	for _, by := range []string{"", id} {
		if got := c.Ask(t.Context(), s.sender, message(), by); got.State != sms.Taken || got.ID != id {
			t.Fatalf("%+v", got)
		}
	}
	s.stand.Become(id, "DELIVERED")
	if got := c.Ask(t.Context(), s.sender, message(), ""); got.State != sms.Delivered {
		t.Errorf("%+v", got)
	}
	s.stand.Become(id, "NOTDELIVERED")
	if got := c.Ask(t.Context(), s.sender, message(), id); got.State != sms.Failed || got.Answer != "NOTDELIVERED" {
		t.Errorf("%+v", got)
	}
	s.handler.(*smstest.Seven).Hidden = true
	if got := c.Ask(t.Context(), s.sender, message(), ""); got.State != sms.Unknown {
		t.Errorf("%+v", got)
	}
}

// Twilio has no reference of ours, so that nothing is asked; it knows its own id.
func TestAskTwilio(t *testing.T) {
	s := services(t)[0]
	c := client()
	if got := c.Ask(t.Context(), s.sender, message(), ""); got.State != sms.Unknown {
		t.Fatalf("%+v", got)
	}
	if calls, _ := s.stand.Calls(); calls != 0 {
		t.Error("it was asked")
	}
	id := c.Send(t.Context(), s.sender, message()).ID
	for state, want := range map[string]sms.State{"queued": sms.Taken, "sent": sms.Taken, "delivered": sms.Delivered, "undelivered": sms.Failed} {
		s.stand.Become(id, state)
		if got := c.Ask(t.Context(), s.sender, message(), id); got.State != want || got.ID != id {
			t.Errorf("%s: %+v", state, got)
		}
	}
	if got := c.Ask(t.Context(), s.sender, message(), "SM0"); got.State != sms.Unknown {
		t.Errorf("an id that isn't there: %+v", got)
	}
}

// Where asking fails nothing is learned: it is asked again, and never taken for an answer.
func TestAskInTrouble(t *testing.T) {
	each(t, func(t *testing.T, s *service, c *sms.Client) {
		id := c.Send(t.Context(), s.sender, message()).ID
		for _, trouble := range []smstest.Trouble{smstest.Hang, smstest.Lose, smstest.Broken, smstest.Limited, smstest.Timeout,
			smstest.Huge, smstest.Garbage} {
			c := client()
			if trouble == smstest.Hang {
				c.Within(300 * time.Millisecond)
			}
			s.stand.Fail(trouble)
			if got := c.Ask(t.Context(), s.sender, message(), id); got.State != sms.Again {
				t.Errorf("trouble %d: %+v", trouble, got)
			}
		}
		s.stand.Fail(smstest.Redirect)
		s.sender.Secret += "x"
		for range 2 {
			if got := c.Ask(t.Context(), s.sender, message(), id); got.State != sms.Unknown {
				t.Errorf("%+v", got)
			}
		}
		s.sender.URL = "http://" + closedPort(t)
		if got := c.Ask(t.Context(), s.sender, message(), id); got.State != sms.Again {
			t.Errorf("%+v", got)
		}
	})
}
