package store_test

import (
	"fmt"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/contact"
	"daybook/app/when"
)

// Every answer about a contact tells visits that are over from bookings ahead: what was cancelled or missed is neither.
func TestContactsTellVisitsFromBookingsAhead(t *testing.T) {
	s := apptest.New(t, apptest.Options{Clock: apptest.Standing(apptest.Monday)})
	s.Offer("cut", 60, nil)
	book := func(start time.Time) booking.Booking {
		b, err := s.Book(t.Context(), s.API, booking.BookInput{EventType: "cut", Start: start.UTC().Format(time.RFC3339),
			Invitee: booking.Invitee{Name: "Bo Berg", Email: "bo@mail.example"}})
		s.Must(err)
		return b
	}
	now := s.Clock.Now().Add(2 * time.Hour)
	days := func(n int) time.Time { return now.AddDate(0, 0, n) }
	came, missed, again := book(days(1)), book(days(2)), book(days(3))
	cancelled, ahead := book(days(7)), book(days(8))
	later := book(days(9))
	last := book(days(10))
	_, err := s.Cancel(t.Context(), s.API, cancelled.ID.String(), app.CancelInput{})
	s.Must(err)
	_, err = s.Cancel(t.Context(), s.API, last.ID.String(), app.CancelInput{})
	s.Must(err)
	s.Clock.Set(again.Start.Time().Add(30 * time.Minute)) // under way: not a visit that is over
	_, err = s.MarkNoShow(t.Context(), s.API, missed.ID.String())
	s.Must(err)
	see := func(moment string, past int, lastVisit when.Instant, upcoming int, next when.Instant) {
		t.Helper()
		want := fmt.Sprint(past, lastVisit, upcoming, next)
		page, err := s.People.Contacts(t.Context(), s.API, contact.Filter{}, nil, "")
		s.Must(err)
		id := page.Data[0].ID.String()
		one, err := s.People.ContactByID(t.Context(), s.API, id)
		s.Must(err)
		with, err := s.People.ContactsWith(t.Context(), s.API, "BO@mail.example", "")
		s.Must(err)
		known, _, err := s.People.CreateContact(t.Context(), s.API, booking.ContactInput{Email: "bo@mail.example"})
		s.Must(err)
		found, err := s.People.Lookup(t.Context(), s.API, "ber")
		s.Must(err)
		changed, err := s.People.UpdateContact(t.Context(), s.Owner, id, booking.ContactInput{Name: "Bo Berg", Email: "bo@mail.example"})
		s.Must(err)
		for door, c := range map[string]booking.Contact{"list": page.Data[0], "one": one, "address": with.Data[0], "known": known,
			"looked up": found[0], "changed": changed} {
			if got := fmt.Sprint(c.PastVisits, c.LastVisitAt, c.UpcomingBookings, c.NextBookingAt); got != want || c.Bookings != 7 {
				t.Errorf("%s, %s: %s of %d bookings, want %s", moment, door, got, c.Bookings, want)
			}
		}
	}
	see("during the third", 1, came.Start, 3, again.Start)
	s.Clock.Set(again.End.Time())
	see("after it", 2, again.Start, 2, ahead.Start)
	s.Clock.Set(later.End.Time())
	see("after all", 4, later.Start, 0, 0)
}
