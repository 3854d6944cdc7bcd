package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/calsync/watch"
	"daybook/app/cli/server"
)

// calendarDoor takes the calls of Google and Microsoft that say that a host's calendar has changed.
func calendarDoor(*pflag.FlagSet) func(*server.Wiring) error {
	return func(w *server.Wiring) error {
		w.Mount(watch.NewDoor(w.Watches, w.Log()).Routes)
		return nil
	}
}
