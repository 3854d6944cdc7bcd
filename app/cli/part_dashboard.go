package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"daybook/app/dashboard"
)

func init() { parts = append(parts, dashboardDoor) }

func dashboardDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		door := dashboard.New(w.Set, dashboard.Options{Logger: w.log(), Secure: strings.HasPrefix(w.BaseURL(), "https:")})
		w.mount(door.Routes)
		w.loop("sessions", door.Prune)
		w.loop("dashboard", door.Watch)
		w.beforeStop(door.Shutdown)
		return nil
	}
}
