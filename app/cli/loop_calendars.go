package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/calsync"
)

// calendarLoop reads hosts' other calendars, has their servers tell of changes, and writes bookings into them.
func calendarLoop(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		reading := calsync.NewLoop(w.Calendars, w.Log(), w.Calendars.TendWatches)
		w.OnCommit(reading.Wake)
		w.Loop("calendars", reading.Run)
		return nil
	}
}
