package cli

import (
	"github.com/spf13/pflag"
)

// healthLoop finds out every minute how the server is, and tells owners before something hurts. The demo has none: its
// machine is nobody's to look after.
func healthLoop(flags *pflag.FlagSet) func(*wiring) error {
	serves := flags.Lookup("base-url") != nil
	return func(w *wiring) error {
		if serves {
			w.Loop("health", w.Health.Watch)
			w.Registry.MustRegister(healthMetrics(w.Health.Figures, w.Log()))
		}
		return nil
	}
}
