package calendar

import (
	"time"

	"daybook/app/availability"
	"daybook/app/dashboard/web"
	"daybook/app/when"
	"daybook/views/dash"
)

// times are open starts of a span; next is the first one after it where it has none, until is where the search stopped
// early, and cursor goes on with it.
type times struct {
	starts      []when.Instant
	next, until when.Instant
	cursor      string
}

// finder finds the open starts in a span of one or several services.
type finder func(from, to, cursor string) (times, error)

// timesOf finds those of one service.
func (c call) timesOf(in availability.Input) finder {
	return func(from, to, cursor string) (t times, err error) {
		in.From, in.To, in.Cursor, in.TimeZone = from, to, cursor, c.Setup.Workspace.TimeZone
		v, err := c.Subjects.Availability(c.Context(), c.Actor, in)
		if err != nil {
			return t, err
		}
		for _, s := range v.Slots() {
			t.starts = append(t.starts, s.Start)
		}
		t.next, t.until, t.cursor = v.NextAvailable, v.SearchedUntil, v.NextCursor
		return t, nil
	}
}

// timesOfVisit finds those of several services.
func (c call) timesOfVisit(in availability.VisitInput) finder {
	return func(from, to, cursor string) (t times, err error) {
		in.From, in.To, in.Cursor, in.TimeZone = from, to, cursor, c.Setup.Workspace.TimeZone
		v, err := c.Subjects.VisitAvailability(c.Context(), c.Actor, in)
		if err != nil {
			return t, err
		}
		for _, s := range v.Data {
			t.starts = append(t.starts, s.Start)
		}
		t.next, t.until = v.NextAvailable, v.SearchedUntil
		if v.NextCursor != nil {
			t.cursor = *v.NextCursor
		}
		return t, nil
	}
}

// slotWeek is seven days of open times. link returns the URL of a time, or of a week when start is "".
func (c call) slotWeek(find finder, first time.Time, link func(date, start string) string) (*dash.SlotWeek, error) {
	today := web.Midnight(c.Now())
	if first.Before(today) {
		first = today
	}
	last := when.AddDays(first, 7)
	w := &dash.SlotWeek{Label: c.Locale.ShortDay(first) + " – " + c.Locale.ShortDay(when.AddDays(last, -1))}
	byDay, cursor := map[string][]dash.SlotTime{}, ""
	for {
		v, err := find(first.Format(time.RFC3339), last.Format(time.RFC3339), cursor)
		if err != nil {
			return nil, err
		}
		for _, start := range v.starts {
			day := c.At(start).Format(time.DateOnly)
			byDay[day] = append(byDay[day],
				dash.SlotTime{Label: c.Clock(start), ISO: start.String(),
					URL: link(first.Format(time.DateOnly), start.String())})
		}
		if v.next != 0 {
			next := c.At(v.next)
			w.Next, w.NextAtURL = c.T("book_next", "Day", c.Locale.Day(next)), link(next.Format(time.DateOnly), "")
		}
		if v.until != 0 && v.cursor == "" {
			from := c.At(v.until)
			w.Next, w.NextAtURL = c.T("book_not_before", "Day", c.Locale.Day(from)),
				link(from.Format(time.DateOnly), "")
		}
		if cursor = v.cursor; cursor == "" {
			break
		}
	}
	for i := range 7 {
		day := when.AddDays(first, i)
		w.Days = append(w.Days, dash.SlotDay{Label: c.Locale.ShortDay(day), Times: byDay[day.Format(time.DateOnly)]})
	}
	if first.After(today) {
		w.PrevURL = link(when.AddDays(first, -7).Format(time.DateOnly), "")
	}
	w.NextURL = link(last.Format(time.DateOnly), "")
	return w, nil
}

// pickedText returns a time in words, or "" if start is no time.
func (c call) pickedText(start string) string {
	i, err := when.Parse(start)
	if err != nil {
		return ""
	}
	return c.Locale.Date(c.At(i)) + ", " + c.Clock(i)
}

// pickedClock returns the time of day of start, or "" if start is no time.
func (c call) pickedClock(start string) string {
	i, err := when.Parse(start)
	if err != nil {
		return ""
	}
	return c.Clock(i)
}
