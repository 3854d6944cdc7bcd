package cli

import (
	"net/http"

	"github.com/spf13/pflag"

	"daybook/app/payment"
	"daybook/app/payment/stripe"
)

// paymentDoor takes Stripe's events, and sends invitees to Stripe's page and back.
func paymentDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.Mount(func(mux *http.ServeMux) {
			mux.Handle("/api/stripe/{workspace}", stripe.Hook(w.Payment, w.Log()))
			mux.Handle("/booking/{token}/pay", payment.Pay(w.Payment, w.Log(), nil))
			mux.Handle("/booking/{token}/paid", payment.Done(w.Payment, w.Log(), nil))
			mux.Handle("/visit/{token}/pay", payment.PayVisit(w.Payment, w.Log(), nil))
			mux.Handle("/visit/{token}/paid", payment.VisitDone(w.Payment, w.Log(), nil))
		})
		return nil
	}
}
