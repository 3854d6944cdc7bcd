package cli

import "github.com/spf13/pflag"

func init() { parts = append(parts, maintenance) }

func maintenance(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.loop("maintenance", w.Upkeep.Maintain)
		return nil
	}
}
