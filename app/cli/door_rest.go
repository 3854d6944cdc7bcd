package cli

import (
	"context"
	"net/http"

	"github.com/spf13/pflag"

	"daybook/app/rest"
	"daybook/app/rest/docs"
)

func restDoor(flags *pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) (err error) {
		o := rest.Options{Version: w.Version, Logger: w.Log(),
			Known:       func() docs.Known { return known(w.Root) },
			MayMakeKeys: func(r *http.Request) bool { return w.MayMakeKeys != nil && w.MayMakeKeys(r) }}
		if o.Public.BookingsPerHour, err = flags.GetInt("bookings-per-hour"); err != nil {
			return err
		}
		if o.Public.Challenge, err = flags.GetInt("booking-challenge"); err != nil {
			return err
		}
		if o.Public.FormKey, err = w.Upkeep.FormKey(context.Background()); err != nil {
			return err
		}
		door := rest.New(w.Set, o)
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
