package cli

import (
	"net/http"
	"strings"

	"github.com/spf13/pflag"

	"daybook/app/account"
	"daybook/app/dashboard"
	"daybook/app/page"
	"daybook/app/rest/docs"
)

// dashboardDoor serves the owner's pages. Its loops end old sessions, and send commits to the open pages.
func dashboardDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		var all *http.ServeMux // with the documentation of another door
		door := dashboard.New(w.Set, dashboard.Options{
			Logger: w.Log(), Secure: strings.HasPrefix(w.BaseURL(), "https:"),
			KeyGuide: func(rw http.ResponseWriter, r *http.Request, k account.NewKey) {
				all.ServeHTTP(rw, docs.WithKey(r, k))
			},
			Caught:  w.Caught,
			Preview: page.New(w.Set, page.Options{Logger: w.Log(), TakesCards: w.Payment.TakesCards}).Preview,
		})
		w.MayMakeKeys = door.MayMakeKeys
		w.Mount(func(mux *http.ServeMux) { all = mux; door.Routes(mux) })
		w.BeforeStop(door.Shutdown)
		w.Loop("sessions", door.Prune)
		w.Loop("dashboard", door.Watch)
		return nil
	}
}
