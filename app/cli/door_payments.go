package cli

import (
	"net/http"

	"github.com/spf13/pflag"

	"daybook/app/payment"
)

// paymentDoor takes what Stripe tells, and leads invitees to Stripe's page and back.
func paymentDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.mount(func(mux *http.ServeMux) {
			mux.Handle("/api/stripe/{workspace}", payment.Hook(w.Payment, w.log()))
			mux.Handle("/booking/{token}/pay", payment.Pay(w.Payment, w.log(), nil))
			mux.Handle("/booking/{token}/paid", payment.Done(w.Payment, w.log(), nil))
		})
		return nil
	}
}
