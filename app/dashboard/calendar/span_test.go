package calendar

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// A booking stands at its minutes, on both days where it goes over midnight, and by the wall clock when the clocks
// change.
func TestSpanOnADay(t *testing.T) {
	zone := berlin(t)
	at := func(text string) time.Time {
		i, err := time.ParseInLocation(localTime, text, zone)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	for _, c := range []struct {
		day, from, to string
		want          span
		on            bool
	}{
		{"2026-11-24", "2026-11-24T10:20", "2026-11-24T10:40", span{620, 640}, true},
		{"2026-11-24", "2026-11-24T23:30", "2026-11-25T00:45", span{1410, 1440}, true},
		{"2026-11-25", "2026-11-24T23:30", "2026-11-25T00:45", span{0, 45}, true},
		{"2026-11-25", "2026-11-24T23:30", "2026-11-25T00:00", span{}, false},
		{"2026-11-23", "2026-11-24T00:00", "2026-11-24T01:00", span{}, false},
		{"2026-11-25", "2026-11-24T00:00", "2026-11-27T00:00", span{0, 1440}, true},
		{"2026-03-29", "2026-03-29T01:30", "2026-03-29T03:30", span{90, 210}, true},
	} {
		got, on := spanOn(at(c.day+"T00:00"), at(c.from).UTC(), at(c.to).UTC())
		if on != c.on || on && got != c.want {
			t.Errorf("%s to %s on %s: %v %v", c.from, c.to, c.day, got, on)
		}
	}
	// The hour that comes twice: from half past two to half past two an hour later.
	first := time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)
	got, on := spanOn(at("2026-10-25T00:00"), first, first.Add(time.Hour))
	if want := (span{150, 151}); !on || got != want {
		t.Errorf("the repeated hour: %v %v", got, on)
	}
}

// What touches has the whole width; what overlaps shares it, with as many lanes as are needed at once.
func TestLanes(t *testing.T) {
	for name, c := range map[string]struct {
		all  []span
		want []place
	}{
		"back to back": {[]span{{620, 640}, {640, 660}}, []place{{0, 1}, {0, 1}}},
		"side by side": {[]span{{600, 660}, {630, 690}, {690, 700}}, []place{{0, 2}, {1, 2}, {0, 1}}},
		"a lane again": {[]span{{600, 700}, {600, 620}, {620, 640}, {630, 650}}, []place{{0, 3}, {1, 3}, {1, 3}, {2, 3}}},
		"none":         {nil, []place{}},
	} {
		if got := lanes(c.all); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestGapsBetweenHours(t *testing.T) {
	day := span{480, 1140}
	for _, c := range []struct {
		taken, want []span
	}{
		{nil, []span{day}},
		{[]span{{540, 780}, {840, 1080}}, []span{{480, 540}, {780, 840}, {1080, 1140}}},
		{[]span{{400, 1200}}, nil},
	} {
		if got := less(day, c.taken); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v", c.taken, got)
		}
	}
}

// A host's hours stand by the clock of the calendar: those of another zone are shifted, and reach into the next day.
func TestOpenOnADay(t *testing.T) {
	zone := berlin(t)
	day := time.Date(2026, 11, 24, 0, 0, 0, 0, zone)
	h := catalog.Host{Name: "Ana", TimeZone: "America/New_York", Email: "a@mail.example"}
	h.Weekly = map[string][]string{"mon": {"17:00-20:00"}, "tue": {"09:00-12:00", "12:00-13:00", "16:00-20:00"}}
	h.Overrides = []catalog.Override{{Date: "2026-12-01", Hours: []string{}}}
	if err := h.Check("host"); err != nil {
		t.Fatal(err)
	}
	if got, want := openOn(&h, day), []span{{0, 120}, {900, 1140}, {1320, 1440}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := openOn(&h, day.AddDate(0, 0, 7)), []span{{0, 120}}; !reflect.DeepEqual(got, want) {
		t.Errorf("the closed day: %v, want %v", got, want)
	}
}

// The bookings of a session are one thing in the calendar; those of a usual event type are one each.
func TestSessionsAreGrouped(t *testing.T) {
	zone := berlin(t)
	setup := &catalog.Setup{EventTypes: []catalog.EventType{{ID: 1, Seats: 8, Title: "Yoga"}, {ID: 2, Seats: 1}}}
	at := func(h, m int) when.Instant { return when.At(time.Date(2026, 11, 24, h, m, 0, 0, zone)) }
	var found []*booking.Booking
	add := func(event catalog.EventTypeID, host catalog.HostID, h, m int) {
		found = append(found, &booking.Booking{EventTypeID: event, Taken: booking.Taken{Start: at(h, m), End: at(h+1, m)},
			Host: catalog.HostRef{ID: host}})
	}
	add(1, 1, 9, 0)
	add(1, 1, 9, 0)
	add(1, 2, 9, 0)
	add(2, 1, 9, 0)
	add(2, 1, 9, 0)
	add(1, 1, 9, 30)
	items := itemsOn(setup, found, time.Date(2026, 11, 24, 0, 0, 0, 0, zone))
	var sizes []int
	for _, i := range items {
		sizes = append(sizes, len(i.all))
	}
	if want := []int{2, 1, 1, 1, 1}; !reflect.DeepEqual(sizes, want) {
		t.Errorf("%v, want %v", sizes, want)
	}
}

func TestHoursShownAndZoom(t *testing.T) {
	for _, c := range []struct {
		all        []span
		from, till int
	}{{nil, 8, 18}, {[]span{{540, 1080}}, 8, 19}, {[]span{{10, 20}, {1430, 1440}}, 0, 24}, {[]span{{620, 640}}, 9, 12}} {
		if from, till := hoursShown(c.all); from != c.from || till != c.till {
			t.Errorf("%v: %d to %d", c.all, from, till)
		}
	}
	for minutes, want := range map[int]string{45: zoomUsual, 15: zoomUsual, 14: zoomShort, 10: zoomShort, 5: zoomTiny} {
		if got := zoomFor(minutes); got != want {
			t.Errorf("%d minutes: %s", minutes, got)
		}
	}
}

// A booking in parts stands where its host works, so that what is booked into a wait stands there alone.
func TestItemsInParts(t *testing.T) {
	day := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	at := func(minutes int) int64 { return day.Add(time.Duration(minutes) * time.Minute).UnixMilli() }
	work := func(from, to int) slot.Work {
		s := slot.Span{Start: at(from), End: at(to)}
		return slot.Work{Own: s, Occupied: s}
	}
	booked := func(from, to int, works ...slot.Work) *booking.Booking {
		return &booking.Booking{Taken: booking.Taken{Start: when.Instant(at(from)), End: when.Instant(at(to)), Parts: booking.PartsOf(works)}}
	}
	found := []*booking.Booking{booked(600, 720, work(600, 645), work(685, 720)), booked(650, 680), booked(1380, 1500, work(1380, 1400), work(1450, 1500))}
	var got []span
	var parts []int
	items := inParts(itemsOn(&catalog.Setup{}, found, day), day)
	for _, i := range items {
		got, parts = append(got, i.span), append(parts, i.part)
	}
	if want := []span{{600, 645}, {650, 680}, {685, 720}, {1380, 1400}}; !slices.Equal(got, want) || !slices.Equal(parts, []int{1, 0, 3, 1}) {
		t.Errorf("%v of the parts %v, want %v", got, parts, want)
	}
	for _, l := range lanes(got) {
		if l.of != 1 {
			t.Errorf("they stand beside each other: %v", lanes(got))
		}
	}
}
