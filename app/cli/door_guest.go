package cli

import (
	"context"

	"github.com/spf13/pflag"

	"daybook/app/assistant"
)

// guestDoor answers people's AI assistants, which have no key, under the limits of the booking page.
func guestDoor(flags *pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) (err error) {
		o := assistant.Options{Version: w.Version, Logger: w.Log()}
		if o.BookingsPerHour, err = flags.GetInt("bookings-per-hour"); err != nil {
			return err
		}
		if o.Challenge, err = flags.GetInt("booking-challenge"); err != nil {
			return err
		}
		if o.AllowedOrigins, err = flags.GetStringSlice("agent-origin"); err != nil {
			return err
		}
		if o.FormKey, err = w.Upkeep.FormKey(context.Background()); err != nil {
			return err
		}
		door := assistant.New(w.Set, o)
		w.Mount(door.Routes)
		w.MountPages(door.Pages)
		return nil
	}
}
