package calendar

import (
	"strconv"
	"time"

	"daybook/app/dashboard/web"
	"daybook/app/when"
	"daybook/views/dash"
)

// month counts the bookings of each day of a month.
func (b *board) month() (*dash.CalMonth, error) {
	m := &dash.CalMonth{}
	start := web.WeekStart(b.first)
	for i := range 7 {
		day := when.AddDays(start, i)
		m.Weekdays = append(m.Weekdays, dash.CalDay{Label: b.Locale.Weekday(day), Name: b.Locale.WeekdayName(day)})
	}
	most := 1
	end := when.DayStart(b.first.Year(), b.first.Month()+1, 1, b.first.Location())
	for week := start; week.Before(end); week = when.AddDays(week, 7) {
		var row []dash.CalCount
		for i := range 7 {
			day := when.AddDays(week, i)
			sum, err := b.Subjects.Report.WeekFigures(b.Context(), b.Actor, day, when.AddDays(day, 1))
			if err != nil {
				return nil, err
			}
			n := sum.Booked + sum.Pending + sum.NoShows
			most = max(most, n)
			d := dash.CalCount{Label: strconv.Itoa(day.Day()), Name: b.Locale.Day(day), Count: n,
				URL:   b.at("span", "", "date", day.Format(time.DateOnly)),
				Today: web.SameDay(day, b.Now()), Outside: day.Month() != b.first.Month(),
				Words: b.Locale.T("calendar_bookings", "Count", n)}
			if n == 0 {
				d.Words = ""
				if d.Closed = b.allClosed(day); d.Closed {
					d.Words = b.Locale.T("calendar_closed")
				}
			}
			row = append(row, d)
		}
		m.Weeks = append(m.Weeks, row)
	}
	for _, week := range m.Weeks {
		for i := range week {
			week[i].Size = (week[i].Count*5 + most - 1) / most
		}
	}
	return m, b.monthBusy(m, start, when.AddDays(start, 7*len(m.Weeks)))
}

// allClosed reports whether nobody whom the member sees is at work on a day.
func (b *board) allClosed(day time.Time) bool {
	next := when.AddDays(day, 1)
	for i := range b.Setup.Hosts {
		h := &b.Setup.Hosts[i]
		if !h.Active || !b.Actor.Sees(h.ID) || len(openOn(h, day)) == 0 {
			continue
		}
		free := true
		for _, a := range h.Away(day, next) {
			if s, on := spanOn(day, a.Start.Time(), a.End.Time()); on && s == (span{0, dayMinutes}) {
				free = false
			}
		}
		if free {
			return false
		}
	}
	return true
}
