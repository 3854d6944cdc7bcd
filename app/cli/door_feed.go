package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/cli/server"
	"daybook/app/feed"
)

// feedDoor serves the calendars that other programs subscribe to.
func feedDoor(*pflag.FlagSet) func(*server.Wiring) error {
	return func(w *server.Wiring) error {
		w.Mount(feed.New(w.Feed, w.Log()).Routes)
		return nil
	}
}
