package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"daybook/app/cli/server"
	"daybook/app/dashboard"
	"daybook/app/page"
)

// dashboardDoor serves the owner's pages. Its loops end old sessions, and send commits to the open pages.
func dashboardDoor(*pflag.FlagSet) func(*server.Wiring) error {
	return func(w *server.Wiring) error {
		door := dashboard.New(w.Set, dashboard.Options{
			Logger: w.Log(), Secure: strings.HasPrefix(w.BaseURL(), "https:"),
			Preview: page.New(w.Set, page.Options{Logger: w.Log(), TakesCards: w.Payment.TakesCards}).Preview,
		})
		w.Mount(door.Routes)
		w.BeforeStop(door.Shutdown)
		w.Loop("sessions", door.Prune)
		w.Loop("dashboard", door.Watch)
		return nil
	}
}
