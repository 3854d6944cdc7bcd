package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/page"
)

// decideDoor answers the links in mails that approve or decline a booking.
func decideDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.Mount(page.NewDecisions(w.Set, w.Log()).Routes)
		return nil
	}
}
