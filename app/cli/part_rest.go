package cli

import (
	"net/http"

	"github.com/spf13/pflag"

	"daybook/app/rest"
)

func init() { parts = append(parts, restDoor) }

func restDoor(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		door := rest.New(w.Set, rest.Options{Version: Version, Logger: w.log()})
		w.mount(func(mux *http.ServeMux) { mux.Handle("/api/", door) })
		return nil
	}
}
