package rest_test

import (
	"net/http"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// BenchmarkAvailability60DaysWithCalendars answers for a host with what ten other calendars of 500 events say, and for
// one without any. x-floor is the time without in parts of the time with them: 1/1.2 is the goal.
func BenchmarkAvailability60DaysWithCalendars(b *testing.B) {
	without, with := newBench(b), newBench(b)
	var spans []slot.Span
	for n := range 10 {
		for i := range 500 {
			start := apptest.Monday.AddDate(0, 0, i*3/4+i/4/5*2).Add(time.Duration(i*3+n*2)%9*time.Hour - time.Hour)
			end := start.Add(time.Duration(30+i%4*15) * time.Minute)
			spans = append(spans, slot.Span{Start: start.UnixMilli(), End: end.UnixMilli()})
		}
	}
	with.Must(with.Store.Write(b.Context(), func(tx app.Tx) error {
		t := tx.(calsync.Tx)
		c := calsync.Connection{ID: 1, WorkspaceID: with.Workspace.ID, CalendarOwner: catalog.CalendarOwner{Host: ana}, Kind: calsync.ICS, Name: "ten", State: calsync.OK}
		if err := t.InsertCalendarConnection(&c); err != nil {
			return err
		}
		return t.SetBusyTimes(with.Workspace.ID, c.CalendarOwner, slot.Merge(spans))
	}))
	const path = "/api/v1/availability?eventType=hour&days=60"
	var p page
	with.door.ServeHTTP(&p, with.request(path))
	b.Logf("%d bytes of slots with calendars", p.Len())
	p.Reset()
	without.door.ServeHTTP(&p, without.request(path))
	b.Logf("%d bytes without; the calendars have %d spans until %v", p.Len(), len(slot.Merge(spans)), when.Instant(spans[len(spans)-1].End))
	against(b, without.door, with.door, func(int) (*http.Request, *http.Request) {
		return without.request(path), with.request(path)
	}, 60)
}
