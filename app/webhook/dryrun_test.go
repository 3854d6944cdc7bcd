package webhook_test

import (
	"context"
	"net/netip"
	"testing"

	"daybook/app/address"
	"daybook/app/apptest"
	"daybook/app/catalog"
	"daybook/app/subjects"
	"daybook/app/webhook"
)

// A dry run of a new endpoint answers as the call does, and has its host's name looked up outside of the transaction,
// where nobody waits for it.
func TestDryRunLooksNamesUpOutside(t *testing.T) {
	looked := 0
	s := apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		c.Webhook.Resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			if looked++; address.Leave(ctx) != nil {
				t.Error("looked up within the transaction")
			}
			to := map[string]string{"good.example.com": "93.184.216.34", "inside.example.com": "10.0.0.7"}[host]
			return []netip.Addr{netip.MustParseAddr(to)}, nil
		}
	}})
	for url, well := range map[string]bool{"https://good.example.com/hook": true, "https://inside.example.com/hook": false} {
		in := webhook.EndpointInput{URL: url, Events: []string{string(catalog.BookingCreated)}}
		looked = 0
		_, dry := s.DryRun(t.Context(), s.Owner, func(ctx context.Context, within *subjects.Set) (any, error) {
			return within.Webhook.CreateEndpoint(ctx, s.Owner, in)
		})
		_, err := s.Webhook.CreateEndpoint(t.Context(), s.Owner, in)
		if (err == nil) != well || (dry == nil) != well || !well && dry.Error() != err.Error() {
			t.Errorf("%s: dry %v, then %v", url, dry, err)
		}
		if looked != 2 {
			t.Errorf("%s: %d look-ups", url, looked)
		}
	}
}
