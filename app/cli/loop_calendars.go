package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/calsync"
	"daybook/app/cli/server"
)

// calendarLoop reads hosts' other calendars, and writes bookings into them.
func calendarLoop(*pflag.FlagSet) func(*server.Wiring) error {
	return func(w *server.Wiring) error {
		loop := calsync.NewLoop(w.Calendars, w.Log())
		w.OnCommit(loop.Wake)
		w.Loop("calendars", loop.Run)
		return nil
	}
}
