package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/cli/console"
	"daybook/app/cli/server"
	"daybook/app/payment"
)

// paymentLoops charge, refund and compare with Stripe.
func paymentLoops(flags *pflag.FlagSet) func(*server.Wiring) error {
	base := console.AddStripeFlag(flags)
	return func(w *server.Wiring) error {
		w.Payment.TakePayments(payment.New(base.String()))
		loop := payment.NewLoop(w.Payment, payment.Options{Logger: w.Log()})
		w.OnCommit(loop.Wake)
		w.Loop("payments", loop.Run)
		w.Loop("payments reconciliation", loop.Reconcile)
		return nil
	}
}
