package cli

import (
	"context"
	"fmt"

	"daybook/app"
	"daybook/app/cli/console"
	"daybook/app/payment/stripe"
)

// checkPayments asks Stripe whether the keys of the connected workspaces work.
func checkPayments(ctx context.Context, t *target) (all []result) {
	t.Set.Payment.SetProvider(stripe.New(t.server.Flags.Lookup(console.StripeFlag).Value.String()))
	workspaces, err := t.Set.Workspaces(ctx, app.Operator(0))
	if err != nil {
		return []result{fail("payments", err.Error(), "")}
	}
	for _, w := range workspaces {
		c, err := t.Set.Payment.Connection(ctx, app.Operator(w.ID), true)
		switch {
		case err != nil:
			all = append(all, fail("payments", err.Error(), ""))
		case !c.Connected:
		case !c.KeyWorks:
			all = append(all, fail("payments", fmt.Sprintf("%s: the Stripe key does not work: %s", w.Slug, c.Problem),
				"Connect it again: daybook payments connect --workspace "+w.Slug))
		case c.LastEventAt == 0:
			all = append(all, warn("payments",
				fmt.Sprintf("%s: connected in %s mode, but no event of Stripe's has arrived yet.", w.Slug, c.Mode),
				"Add the webhook endpoint in Stripe's dashboard: daybook payments status --workspace "+w.Slug))
		default:
			all = append(all, fine("payments", "%s: connected in %s mode, the key works, events arrive", w.Slug, c.Mode))
		}
	}
	if len(all) == 0 {
		return []result{fine("payments", "no workspace is connected to Stripe: prices are paid on site")}
	}
	return all
}
