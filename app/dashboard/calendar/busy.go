package calendar

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/views/dash"
)

const (
	shownBusy    = 3    // busy times of a host's day in a week of all hosts
	countedClash = 1000 // in a month
)

// readBusy reads when those shown are busy in other calendars within [from, to).
func (b *board) readBusy(from, to time.Time) error {
	host := catalog.HostID(0)
	if b.host != nil && b.span != "month" {
		host = b.host.ID
	}
	busy, more, err := b.Subjects.Calendars.BusyTimes(b.Context(), b.Actor, host, from, to)
	b.busy, b.view.TooMany = busy, b.view.TooMany || more
	if err != nil {
		return err
	}
	b.full, more, err = b.Subjects.Calendars.ResourceBusyTimes(b.Context(), b.Actor, from, to)
	b.view.TooMany = b.view.TooMany || more
	return err
}

// spansBetween returns those of disjoint spans, by start, that meet [from, to).
func spansBetween(all []calsync.Span, from, to time.Time) []calsync.Span {
	start, end := from.UnixMilli(), to.UnixMilli()
	first := sort.Search(len(all), func(i int) bool { return all[i].End > start })
	last := sort.Search(len(all), func(i int) bool { return all[i].Start >= end })
	return all[first:max(first, last)]
}

// busyOn returns the parts of a day that the host is busy in other calendars.
func (b *board) busyOn(h catalog.HostID, day time.Time) []span { return spansOn(b.busy[h], day) }

// spansOn returns the parts of a day that the spans take.
func spansOn(spans []calsync.Span, day time.Time) (all []span) {
	for _, x := range spansBetween(spans, day, when.AddDays(day, 1)) {
		if s, on := spanOn(day, time.UnixMilli(x.Start).In(day.Location()), time.UnixMilli(x.End).In(day.Location())); on {
			all = append(all, s)
		}
	}
	return all
}

// met returns the busy time that a booking to come meets itself, not with a buffer only, and whose it is: the host's, or
// that of a room or a thing.
func (b *board) met(k *booking.Booking) (x calsync.Span, whose string, clash bool) {
	if len(b.busy)+len(b.full) == 0 {
		return x, "", false
	}
	if !k.Status.Live() || !k.End.Time().After(b.Now()) {
		return x, "", false
	}
	meets := func(spans []calsync.Span, works []slot.Work) bool {
		for _, w := range works {
			all := spansBetween(spans, when.Instant(w.Own.Start).Time(), when.Instant(w.Own.End).Time())
			if len(all) > 0 {
				x = all[0]
				return true
			}
		}
		return false
	}
	if meets(b.busy[k.Host.ID], k.Works()) {
		return x, k.Host.Name, true
	}
	for i := range k.Resources {
		if r := &k.Resources[i]; meets(b.full[r.ID], k.Takes(catalog.OfResource(r.ID))) {
			return x, r.Name, true
		}
	}
	return x, "", false
}

// clash says which busy time a booking meets; "" for none.
func (b *board) clash(k *booking.Booking) string {
	x, whose, clash := b.met(k)
	if !clash {
		return ""
	}
	from, to := when.Instant(x.Start), when.Instant(x.End)
	text := b.Span(from, to)
	if day, last := b.At(from), b.At(to-1); day.YearDay() != last.YearDay() || day.Year() != last.Year() {
		text = b.Locale.ShortDay(day) + ", " + b.Clock(from) + " – " + b.Locale.ShortDay(b.At(to)) + ", " + b.Clock(to)
	}
	return b.Locale.T("calsync_met", "Host", whose, "When", text)
}

// busyText returns a busy time of a day in words: "Busy 10:00–11:30".
func (b *board) busyText(day time.Time, s span) string {
	if s == (span{0, dayMinutes}) {
		return b.Locale.T("calsync_busy_all_day")
	}
	return b.Locale.T("calsync_busy") + " " + b.dayPart(day, s)
}

// dayPart returns a part of a day by the clock, which no line breaks.
func (b *board) dayPart(day time.Time, s span) string {
	return strings.ReplaceAll(brief(b.Locale.Span(wall(day, s.from), wall(day, s.to), "")), "–", "\u2060–\u2060")
}

// busyInPlan says when a host is busy within the hours of a day: "Busy 10:00–11:30, 14:00–15:00"; "" for never.
func (b *board) busyInPlan(d hostDay) string {
	var parts []string
	more := 0
	for _, s := range d.busy {
		if within(d.open, s) == 0 {
			continue
		}
		if within(d.open, s) == total(d.open) {
			return b.Locale.T("calsync_busy_all_day")
		}
		if len(parts) == shownBusy {
			more++
			continue
		}
		parts = append(parts, b.dayPart(d.day, s))
	}
	if len(parts) == 0 {
		return ""
	}
	text := b.Locale.T("calsync_busy") + " " + strings.Join(parts, ", ")
	if more > 0 {
		text += fmt.Sprint(" +", more)
	}
	return text
}

// monthBusy adds to the days of a month how long those whom the member sees are busy within their hours, and how many
// bookings to come meet a busy time.
func (b *board) monthBusy(m *dash.CalMonth, start, end time.Time) error {
	if err := b.readBusy(start, end); err != nil || len(b.busy)+len(b.full) == 0 {
		return err
	}
	m.Others = true
	from := start
	if now := b.Now(); now.After(from) {
		from = now
	}
	met, err := b.Subjects.Calendars.Clashes(b.Context(), b.Actor, 0, from, end, countedClash)
	if err != nil {
		return err
	}
	clashes := map[string]int{}
	for i := range met {
		clashes[b.At(met[i].Start).Format(time.DateOnly)]++
	}
	day := start
	for _, week := range m.Weeks {
		for i := range week {
			d, busy, open := &week[i], 0, 0
			for j := range b.Setup.Hosts {
				h := &b.Setup.Hosts[j]
				if !h.Active || len(b.busy[h.ID]) == 0 {
					continue
				}
				hours := openOn(h, day)
				open += total(hours)
				for _, s := range b.busyOn(h.ID, day) {
					busy += within(hours, s)
				}
			}
			if busy >= 10*60 {
				busy = (busy + 30) / 60 * 60
			}
			if busy > 0 {
				d.Busy = b.Locale.T("calsync_busy_for", "Duration", b.Locale.Duration(time.Duration(busy)*time.Minute))
				d.BusySize = min(5, (busy*5+open-1)/open)
			}
			if n := clashes[day.Format(time.DateOnly)]; n > 0 {
				d.Clashes, d.ClashWords = n, b.Locale.T("calendar_clashes", "Count", n)
			}
			day = when.AddDays(day, 1)
		}
	}
	return nil
}

// within returns how many minutes of a span the others hold, which are disjoint.
func within(all []span, s span) (minutes int) {
	for _, x := range all {
		minutes += max(0, min(x.to, s.to)-max(x.from, s.from))
	}
	return minutes
}

// total returns how many minutes disjoint spans have.
func total(all []span) int { return within(all, span{0, dayMinutes}) }
