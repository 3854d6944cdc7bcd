package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/feed"
)

// feedDoor serves the calendars that other programs subscribe to.
func feedDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.Mount(feed.New(w.Feed, w.Log()).Routes)
		return nil
	}
}
