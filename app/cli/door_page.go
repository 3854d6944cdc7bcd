package cli

import (
	"context"

	"github.com/spf13/pflag"

	"daybook/app/page"
)

func pageDoor(flags *pflag.FlagSet) func(*wiring) error {
	var o page.Options
	flags.IntVar(&o.BookingsPerHour, "bookings-per-hour", 30,
		"how many bookings one address may make in an hour on the booking pages; -1 is no limit")
	flags.IntVar(&o.Challenge, "booking-challenge", 0,
		"zero bits of a proof of work that the booking form asks for, 16 for about a second; 0 asks for none, "+
			"but while visitors book far more than usual")
	return func(w *wiring) error {
		o.Logger, o.TakesCards = w.Log(), w.Payment.TakesCards
		var err error
		if o.FormKey, err = w.Upkeep.FormKey(context.Background()); err != nil {
			return err
		}
		door := page.New(w.Set, o)
		w.Mount(door.Routes)
		w.MountPages(door.Pages)
		return nil
	}
}
