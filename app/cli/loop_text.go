package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/text"
)

// textLoop sends texts to customers' telephones.
func textLoop(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		loop := text.NewLoop(text.LoopConfig{Service: w.Text, Logger: w.Log()})
		w.OnCommit(loop.Wake)
		w.Loop("text", loop.Run)
		w.Registry.MustRegister(textMetrics(w.Text.Counts())...)
		return nil
	}
}
