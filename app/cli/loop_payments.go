package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/payment"
)

const stripeFlag = "stripe-api-base"

func addStripeFlag(flags *pflag.FlagSet) *webURL {
	base := &webURL{}
	flags.Var(base, stripeFlag, "a stand-in for Stripe's API, for tests")
	return base
}

// paymentLoops charge, refund and compare with Stripe.
func paymentLoops(flags *pflag.FlagSet) func(*wiring) error {
	base := addStripeFlag(flags)
	return func(w *wiring) error {
		w.Payment.TakePayments(payment.New(base.String()))
		loop := payment.NewLoop(w.Payment, payment.Options{Logger: w.log()})
		w.OnCommit(loop.Wake)
		w.loop("payments", loop.Run)
		w.loop("payments reconciliation", loop.Reconcile)
		return nil
	}
}
