package cli

import (
	"github.com/spf13/pflag"
)

// maintenanceLoop cleans up, cancels several bookings after the minute in which that can be undone, offers what comes
// free to who waits, goes on with undoing imports, forgets who is old, sums days for figures, writes down when hosts were at work, and
// shares the counts of the keys' rates with the other servers of the database.
func maintenanceLoop(*pflag.FlagSet) func(*wiring) error {
	return func(w *wiring) error {
		w.Loop("maintenance", w.Upkeep.Maintain)
		w.Loop("cancellations", w.Bulk.Run)
		w.Loop("waitlist", w.Waitlist.Run)
		w.Loop("imports", w.People.Run)
		w.Loop("retention", w.Privacy.RunNights)
		w.Loop("figures", w.Report.KeepSums)
		w.Loop("days", w.Report.KeepDays)
		w.Loop("rates", w.Account.ShareRates)
		return nil
	}
}
