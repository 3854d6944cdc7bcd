package contact_test

import (
	"fmt"
	"testing"
	"time"

	"daybook/app/booking"
	"daybook/app/contact"
)

// BenchmarkCard is what the page of a customer with 500 visits and 50 photographs reads: the contact, the card, entries,
// files, and all bookings.
func BenchmarkCard(b *testing.B) {
	w := newWorld(b, nil)
	ctx := b.Context()
	data, err := w.People.ReadFile(ctx, w.Owner, jpegOf(b, plain(1600, 1200)))
	w.Must(err)
	for range contact.MaxFiles {
		_, err := w.People.AddFile(ctx, w.Owner, w.mias, contact.FileInput{Kind: contact.AfterPhoto}, data)
		w.Must(err)
	}
	for i := range 100 {
		w.noted(w.mias, fmt.Sprint("entry ", i))
	}
	for day := 2; day < 65; day++ {
		for hour := 8; hour < 16; hour++ {
			w.Booked([]string{"cut-a", "cut-b"}[day%2], fmt.Sprintf("%dT%02d", day, hour), "Mia")
		}
	}
	w.Clock.Advance(64 * 24 * time.Hour)
	visits := 0
	for b.Loop() {
		_, err := w.People.ContactByID(ctx, w.ana, w.mias)
		w.Must(err)
		_, err = w.People.Card(ctx, w.ana, w.mias)
		w.Must(err)
		_, err = w.People.Entries(ctx, w.ana, w.mias, nil, "")
		w.Must(err)
		_, err = w.People.Files(ctx, w.ana, w.mias, nil, "")
		w.Must(err)
		all := []booking.Booking{}
		page, err := w.People.ContactBookings(ctx, w.ana, w.mias, "")
		for w.Must(err); ; w.Must(err) {
			if all = append(all, page.Data...); !page.HasMore {
				break
			}
			page, err = w.People.ContactBookings(ctx, w.ana, w.mias, *page.NextCursor)
		}
		visits = len(all)
	}
	b.ReportMetric(float64(visits), "visits")
}
