package cli

import (
	"net/http"

	"github.com/spf13/pflag"

	"daybook/app/payment"
)

func init() { parts = append(parts, payments) }

const stripeFlag = "stripe-api-base"

func addStripeFlag(flags *pflag.FlagSet) *webURL {
	base := &webURL{}
	flags.Var(base, stripeFlag, "a stand-in for Stripe's API, for tests")
	return base
}

func payments(flags *pflag.FlagSet) func(*wiring) error {
	base := addStripeFlag(flags)
	return func(w *wiring) error {
		w.Payment.TakePayments(payment.New(base.String()))
		loop := payment.NewLoop(w.Payment, payment.Options{Logger: w.log()})
		w.OnCommit(loop.Wake)
		w.loop("payments", loop.Run)
		w.loop("payments reconciliation", loop.Reconcile)
		w.mount(func(mux *http.ServeMux) {
			mux.Handle("/api/stripe/{workspace}", payment.Hook(w.Payment, w.log()))
			mux.Handle("/booking/{token}/pay", payment.Pay(w.Payment, w.log(), nil))
			mux.Handle("/booking/{token}/paid", payment.Done(w.Payment, w.log(), nil))
		})
		return nil
	}
}
