package booking_test

import (
	"testing"

	"daybook/app/booking"
	"daybook/app/when"
)

// What a form says of a repetition counts as far as it may, and a date begins with the first of its services.
func TestTypedSeries(t *testing.T) {
	usual, most := booking.SeriesRepeat{Every: 4, Unit: booking.SeriesWeek, Count: 6}, booking.SeriesRepeat{Every: 12, Count: 8}
	for _, c := range []struct{ every, unit, count, want string }{
		{"", "", "", "4week6@x"}, {"12", "month", "8", "12month8@x"}, {"13", "day", "9", "4week6@x"}, {"0", "year", "1", "4week6@x"},
		{"1", "week", "2", "1week2@x"}, {"x", "month", "-3", "4month6@x"},
	} {
		in := booking.SeriesInput{Start: "x", EventType: "cut", Host: "hs_1", AddOns: []string{"a", "b"}, Seats: 2, Repeat: usual.Typed(c.every, c.unit, c.count, most, booking.SeriesWeek, booking.SeriesMonth)}
		if got := in.Rhythm(); got != c.want+" 2 cut~hs_1~a~b" {
			t.Errorf("%+v: %s", c, got)
		}
	}
	visit := booking.SeriesInput{Start: "x", Repeat: usual, Items: []booking.VisitItem{{EventType: "cut"}, {EventType: "wash", Host: "hs_1", AddOns: []string{"a"}}}}
	if got := visit.Rhythm(); got != "4week6@x 1 cut~ wash~hs_1~a" {
		t.Errorf("of a visit: %s", got)
	}
	at := func(text string) when.Instant {
		i, err := when.ParseISO(text)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	for _, c := range []struct {
		place booking.SeriesPlace
		want  when.Instant
	}{
		{booking.SeriesPlace{Start: "2026-12-01T10:00:00+01:00"}, at("2026-12-01T09:00:00Z")},
		{booking.SeriesPlace{Items: []booking.VisitItem{{Start: "2026-12-01T09:30:00Z"}, {Start: "2026-12-01T10:00:00+01:00"}}}, at("2026-12-01T09:00:00Z")},
		{booking.SeriesPlace{Start: "soon"}, 0}, {booking.SeriesPlace{}, 0},
	} {
		if got := c.place.Begins(); got != c.want {
			t.Errorf("%+v begins %s", c.place, got)
		}
	}
}
