package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/push"
)

// pushLoop sends notifications to members' devices.
func pushLoop(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		loop := push.NewLoop(push.LoopConfig{Service: w.Push, Logger: w.Log()})
		w.OnCommit(loop.Wake)
		w.Loop("push", loop.Run)
		return nil
	}
}
