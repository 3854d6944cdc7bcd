package factor_test

import (
	"net/netip"
	"testing"
	"time"

	"daybook/app/factor"
	"daybook/app/fault"
	"daybook/store/enginetest"
)

// An address is asked for a passkey 300 times in an hour at most, over all servers, and again as the hour of the first
// question is over. A network of IPv6 is one address; others are asked meanwhile, and nothing is kept of a question too
// many.
func TestQuestionsInAnHour(t *testing.T) {
	b := newBed(t)
	servers := []*factor.Service{b.Factor, b.Another().Factor}
	ask := func(n int, from string) error {
		q, err := servers[n%2].BeginSignIn(t.Context(), netip.MustParseAddr(from))
		if (err == nil) != (q.Token != "") {
			t.Errorf("%+v, %v", q, err)
		}
		return err
	}
	refused := func(wait int) {
		t.Helper()
		raw := enginetest.Raw(t, b.Store.Engine)
		before := enginetest.Dump(t, raw)
		for n, from := range []string{"2001:db8::1", "2001:db8::1", "2001:db8::2:3"} {
			e := b.Refused(ask(n, from), fault.RateLimited, "")
			if e.Details["retryAfter"] != wait {
				t.Errorf("%v, want %d s", e.Details, wait)
			}
		}
		if changed := enginetest.Differences(before, enginetest.Dump(t, raw)); changed != "" {
			t.Errorf("refused questions are kept:\n%s", changed)
		}
	}
	b.Must(ask(0, "2001:db8::1"))
	b.Clock.Advance(20 * time.Minute)
	for n := range 299 {
		b.Must(ask(n, "2001:db8::1"))
	}
	refused(40 * 60)
	b.Must(ask(0, "2001:db8:0:1::1"))
	b.Must(ask(0, "198.51.100.7"))
	b.Clock.Advance(40 * time.Minute)
	b.Must(ask(1, "2001:db8::1")) // in place of the first
	refused(20 * 60)
	b.Clock.Advance(20 * time.Minute)
	b.Must(ask(0, "2001:db8::1"))
}
