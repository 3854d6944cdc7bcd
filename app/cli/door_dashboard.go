package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"daybook/app/dashboard"
)

func dashboardDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		door := dashboard.New(w.Set, dashboard.Options{Logger: w.log(), Secure: strings.HasPrefix(w.BaseURL(), "https:")})
		w.dashboard = door
		w.mount(door.Routes)
		w.beforeStop(door.Shutdown)
		return nil
	}
}

// dashboardLoops end old sessions, and tell the open pages of commits.
func dashboardLoops(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.loop("sessions", w.dashboard.Prune)
		w.loop("dashboard", w.dashboard.Watch)
		return nil
	}
}
