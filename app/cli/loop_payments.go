package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/cli/console"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
)

// paymentLoops charge, refund and compare with Stripe.
func paymentLoops(flags *pflag.FlagSet) func(*wiring) error {
	base := console.AddStripeFlag(flags)
	return func(w *wiring) error {
		w.Payment.SetProvider(stripe.New(base.String()))
		l := payment.NewLoop(w.Payment, payment.LoopOptions{Logger: w.Log()})
		w.OnCommit(l.Wake)
		w.Loop("payments", l.Run)
		w.Loop("payments reconciliation", l.Reconcile)
		return nil
	}
}
