package cli

import (
	"net/http"

	"github.com/spf13/pflag"

	"daybook/app/cli/server"
	"daybook/app/rest"
)

func restDoor(*pflag.FlagSet) func(*server.Wiring) error {
	return func(w *server.Wiring) error {
		door := rest.New(w.Set, rest.Options{Version: w.Version, Logger: w.Log()})
		w.Mount(func(mux *http.ServeMux) {
			mux.Handle("/api/", door)
			// Where people look first. No workspace can have these names: two are reserved, the third has a dot.
			for from, to := range map[string]string{"/api": "/api/docs", "/docs": "/api/docs",
				"/openapi.json": "/api/v1/openapi.json"} {
				mux.Handle("GET "+from, http.RedirectHandler(w.BaseURL()+to, http.StatusFound))
			}
		})
		return nil
	}
}
