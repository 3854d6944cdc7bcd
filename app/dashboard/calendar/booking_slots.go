package calendar

import (
	"time"

	"daybook/app/availability"
	"daybook/app/dashboard/web"
	"daybook/app/when"
	"daybook/views/dash"
)

// slotWeek is seven days of open times. link returns the URL of a time, or of a week when start is "".
func (c call) slotWeek(in availability.Input, first time.Time,
	link func(date, start string) string) (*dash.SlotWeek, error) {
	today := web.Midnight(c.Now())
	if first.Before(today) {
		first = today
	}
	last := when.AddDays(first, 7)
	in.From, in.To, in.TimeZone = first.Format(time.RFC3339), last.Format(time.RFC3339), c.Setup.Workspace.TimeZone
	w := &dash.SlotWeek{Label: c.Locale.ShortDay(first) + " – " + c.Locale.ShortDay(when.AddDays(last, -1))}
	byDay := map[string][]dash.SlotTime{}
	for {
		v, err := c.Subjects.Availability(c.Context(), c.Actor, in)
		if err != nil {
			return nil, err
		}
		for _, s := range v.Slots() {
			day := c.At(s.Start).Format(time.DateOnly)
			byDay[day] = append(byDay[day],
				dash.SlotTime{Label: c.Clock(s.Start), ISO: s.Start.String(),
					URL: link(first.Format(time.DateOnly), s.Start.String())})
		}
		if v.NextAvailable != 0 {
			next := c.At(v.NextAvailable)
			w.Next, w.NextAtURL = c.T("book_next", "Day", c.Locale.Day(next)), link(next.Format(time.DateOnly), "")
		}
		if until := v.SearchedUntil; until != 0 && v.NextCursor == "" {
			from := c.At(until)
			w.Next, w.NextAtURL = c.T("book_not_before", "Day", c.Locale.Day(from)),
				link(from.Format(time.DateOnly), "")
		}
		if in.Cursor = v.NextCursor; in.Cursor == "" {
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
