package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/cli/server"
	"daybook/app/decide"
)

// decideDoor answers the links in mails that approve or decline a booking.
func decideDoor(*pflag.FlagSet) func(*server.Wiring) error {
	return func(w *server.Wiring) error {
		w.Mount(decide.New(w.Set, w.Log()).Routes)
		return nil
	}
}
