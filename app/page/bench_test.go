package page_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/page"
	"daybook/app/when"
)

// busy has 10,000 bookings of three hosts over four years, the densest in the month that is looked at.
func busy(b *testing.B) *world {
	w := newWorld(b, page.Options{BookingsPerHour: -1})
	w.Apply(`
workspace: {slug: salon}
eventTypes:
  - {slug: either, slotStepMinutes: 15}
`)
	setup, err := w.Setup(w.Workspace.ID)
	w.Must(err)
	e := setup.EventType("either")
	n := 0
	w.Must(w.Store.Write(b.Context(), func(tx app.Tx) error {
		for day := 0; n < 10_000; day++ {
			for slot := range 16 {
				if day < 62 && slot%4 == day%4 {
					continue // some stays open
				}
				at := when.At(apptest.Monday.AddDate(0, 0, 61-day).Add(time.Hour + time.Duration(slot/2)*time.Hour))
				h := e.Hosts[slot%2]
				c := booking.Contact{ID: booking.ContactID(n + 1), WorkspaceID: w.Workspace.ID, Name: "P", Email: fmt.Sprintf("p%d@mail.example", n), CreatedAt: at}
				if err := tx.InsertContact(&c); err != nil {
					return err
				}
				k := booking.Booking{
					ID: booking.BookingID(n + 1), WorkspaceID: w.Workspace.ID, EventTypeID: e.ID, EventType: e.Slug, Host: h, ContactID: c.ID, Status: booking.Confirmed,
					Taken: booking.Taken{Start: at, End: at.Add(time.Hour), BusyStart: at, BusyEnd: at.Add(time.Hour)}, CreatedAt: at, UpdatedAt: at,
					Invitee: booking.Invitee{Name: c.Name, Email: c.Email}, Answers: map[string]any{}, Metadata: map[string]string{},
				}
				if err := tx.SaveBooking(&k, true, []booking.Step{{History: booking.HistoryEntry{At: at, Actor: booking.ByAPI, Action: "created", To: k.Status, Start: at}}}); err != nil {
					return err
				}
				n++
			}
		}
		return nil
	}))
	return w
}

// BenchmarkMonthView is a month with the times of a day, through the whole server, with 10,000 bookings: packed as
// browsers ask for it, and plain. Its bound is 3 ms at the median.
func BenchmarkMonthView(b *testing.B) {
	w := busy(b)
	if days := len(w.get("/salon/either?month=2026-12&timeZone=America/New_York").all(`data-day="([^"]*)"[^>]* href=`)); days < 10 {
		b.Fatalf("%d open days: this is no month to measure", days)
	}
	for name, encoding := range map[string]string{"plain": "", "gzip": "gzip"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var took []time.Duration
			for b.Loop() {
				r := httptest.NewRequest("GET", "/salon/either?month=2026-12&timeZone=America/New_York", nil)
				r.Header.Set("Accept-Encoding", encoding)
				rec := httptest.NewRecorder()
				began := time.Now()
				w.handler.ServeHTTP(rec, r)
				took = append(took, time.Since(began))
				if rec.Code != http.StatusOK {
					b.Fatal(rec.Code)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
		})
	}
}
