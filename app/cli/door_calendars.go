package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/calsync"
)

// calendarDoor takes the calls of Google and Microsoft that say that a host's calendar has changed.
func calendarDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.Mount(calsync.NewWatchDoor(w.Calendars, w.Log()).Routes)
		return nil
	}
}
