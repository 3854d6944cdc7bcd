package cli

import (
	"github.com/spf13/pflag"

	"daybook/app/cli/server"
	"daybook/app/guest/endpoint"
)

// guestDoor answers people's AI assistants, which have no key.
func guestDoor(*pflag.FlagSet) func(*server.Wiring) error {
	return func(w *server.Wiring) error {
		door := endpoint.New(w.Set, w.Log())
		w.Mount(door.Routes)
		w.MountPages(door.Pages)
		return nil
	}
}
