package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/subjects"
)

// Visitors book so many dates at once as each of the services lets them; the business isn't bound.
func TestVisitorsBookSoManyDatesAtOnce(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 1, func(e *catalog.EventType) { e.SeriesUpTo = 3 })
	w.offer("wash", 1, func(e *catalog.EventType) { e.SeriesUpTo = 2 })
	w.offer("peel", 1, nil)
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	visits := weekly("", "2T08", "Bo", 3)
	visits.Items = []booking.VisitItem{{EventType: "cut"}, {EventType: "wash"}}
	chosen := weekly("cut", "1T08", "Bo", 3)
	for day := range 4 {
		chosen.Dates = append(chosen.Dates, booking.SeriesPlace{Start: apptest.At([]string{"1T10", "2T10", "3T10", "4T10"}[day])})
	}
	left := weekly("cut", "1T12", "Cy", 4) // one of the four is left out
	left.Repeat.Except = []string{"2026-12-08"}
	for name, c := range map[string]struct {
		in   booking.SeriesInput
		want string // what the refusal says; "" books
	}{
		"as many": {weekly("cut", "1T08", "Bo", 3), ""}, "too many": {weekly("cut", "1T09", "Bo", 4), "at most 3 dates of Cut"},
		"none": {weekly("peel", "1T09", "Bo", 2), "Peel can't be booked as a series"}, "one": {weekly("peel", "3T09", "Bo", 1), ""},
		"a visit": {visits, "at most 2 dates of Wash"}, "chosen": {chosen, "at most 3 dates"}, "without one": {left, ""},
	} {
		_, err := w.BookSeries(t.Context(), visitor, c.in)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := w.BookSeries(t.Context(), w.API, weekly("peel", "4T09", "Bo", 3))
	w.Must(err)
}

// What is shown before anybody says who they are is what is booked with nearest, and the dates can be sent back. It writes
// nothing, and doesn't end at the booking window.
func TestDatesAreShownAsTheyAreBooked(t *testing.T) {
	w := newWorld(t)
	for _, slug := range []string{"cut", "wash"} {
		w.offer(slug, 2, func(e *catalog.EventType) { e.SeriesUpTo, e.BookingWindowDays = 10, 20 })
	}
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	for i, at := range []string{"8T09", "8T09", "8T10", "8T08", "15T09"} {
		w.Booked("cut", at, fmt.Sprintf("Al%d", i))
	}
	one := weekly("cut", "1T09", "Bo", 6)
	visit := weekly("", "1T12", "Cy", 6)
	visit.Items = []booking.VisitItem{{EventType: "cut"}, {EventType: "wash"}}
	for name, in := range map[string]booking.SeriesInput{"bookings": one, "visits": visit} {
		asked := in
		asked.Invitee = booking.Invitee{}
		shown, err := w.SeriesDates(t.Context(), visitor, asked)
		w.Must(err)
		for i := range shown {
			in.Dates = append(in.Dates, booking.SeriesPlace{Start: shown[i].At().String(), Items: shown[i].Items})
			if h := shown[i].Host; h != nil {
				in.Dates[i].Host = h.String()
			}
			if len(shown[i].Items) > 0 {
				in.Dates[i].Start = ""
			}
		}
		made, err := w.BookSeries(t.Context(), visitor, in)
		w.Must(err)
		var at, is []string
		for i := range made.Dates {
			at, is = append(at, shown[i].At().String()), append(is, made.Dates[i].At().String())
		}
		if len(made.Dates) != 6 || strings.Join(at, " ") != strings.Join(is, " ") {
			t.Errorf("%s: shown %v, booked %v", name, at, is)
		}
	}
	again, err := w.SeriesDates(t.Context(), visitor, one)
	w.Must(err)
	if again[0].State == booking.SeriesFree && again[0].Host == nil {
		t.Errorf("a date that is free has no host: %+v", again[0])
	}
}

// What 53 dates cost of which every other one is taken on its day from morning to noon: shown to a visitor, and as a dry run of
// BookSeries with nearest.
func BenchmarkSeries(b *testing.B) {
	w := newWorld(b)
	w.offer("cut", 1, func(e *catalog.EventType) { e.SeriesUpTo = booking.MaxSeries })
	in := weekly("cut", "1T09", "Bo", booking.MaxSeries)
	for n := range booking.MaxSeries {
		for hour := 9; n%2 == 1 && hour < 12; hour++ {
			_, err := w.Book(b.Context(), w.API, booking.BookInput{EventType: "cut", Start: apptest.At(fmt.Sprintf("%dT%02d", 1+7*n, hour)),
				Override: []string{"too_far"}, Invitee: booking.Invitee{Name: "Al", Email: fmt.Sprintf("al%d-%d@mail.example", n, hour)}})
			w.Must(err)
		}
	}
	visitor := app.Actor{Kind: booking.ByInvitee, Workspace: w.Workspace.ID}
	b.Run("shown", func(b *testing.B) {
		for b.Loop() {
			dates, err := w.SeriesDates(b.Context(), visitor, in)
			if err != nil || len(dates) != booking.MaxSeries || dates[1].State != booking.SeriesMoved {
				b.Fatal(dates, err)
			}
		}
	})
	in.Conflicts = booking.SeriesNearest
	b.Run("dry run", func(b *testing.B) {
		for b.Loop() {
			_, err := w.DryRun(b.Context(), w.API, func(ctx context.Context, s *subjects.Set) (any, error) {
				return s.BookSeries(ctx, w.API, in)
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
