package dashboard

import (
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
)

// Where the clocks skip midnight, that day is shown, and those after it stand under their weekdays.
func TestDayWithoutMidnight(t *testing.T) {
	w := newWorld(t)
	const zone = "Atlantic/Azores"
	ws := w.setup().Workspace
	ws.TimeZone = zone
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.UpdateWorkspace(&ws) }))
	h, err := w.Shop.ChangeHost(t.Context(), w.Owner, w.setup().Hosts[0].ID.String(),
		func(h *catalog.Host) error { h.TimeZone = zone; return nil })
	w.Must(err)
	w.Clock.Advance(time.Date(2027, 3, 30, 12, 0, 0, 0, time.UTC).Sub(w.Clock.Now()))
	b := w.asOwner()
	b.wants(b.get(calendarURL+"?date=2027-03-28"), 200, "Sunday", "date=2027-03-27", "date=2027-03-29", `value="2027-03-28"`)
	b.wants(b.get(calendarURL+"?date=2027-03-29&span=week"), 200, "date=2027-03-29", "date=2027-04-04", "!date=2027-03-28\"")
	b.wants(b.get(calendarURL+"?date=2027-03-28&span=month"), 200, "date=2027-03-28", "date=2027-03-31", "date=2027-04-04")
	b.wants(b.get("/dashboard/till?day=2027-03-28"), 200, `value="2027-03-28"`, "day=2027-03-27", "day=2027-03-29")
	b.wants(b.get(hostURL(&h)+"/dates?date=2027-03-28"), 200, "Sunday, March 28", "date=2027-03-31#day")
	b.wants(b.get(hostURL(&h)+"/dates?month=2027-03"), 200, "Sunday, March 28", "Monday, March 29", "Wednesday, March 31", "date=2027-03-28#day", "date=2027-03-31#day")
}
