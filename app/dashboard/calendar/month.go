package calendar

import (
	"strconv"
	"time"

	"daybook/app/booking"
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
	if err := b.monthComing(m, start); err != nil {
		return nil, err
	}
	return m, b.monthBusy(m, start, when.AddDays(start, 7*len(m.Weeks)))
}

// comingMarks are the marks of a day in the month, in their order.
var comingMarks = []struct {
	says              booking.ComingAnswer
	tone, icon, words string
}{{booking.ComingNo, "warn", "cross", "coming_count_no"}, {"", "", "hourglass", "coming_count_none"},
	{booking.ComingYes, "good", "check", "coming_count_yes"}}

// monthComing adds to the days of a month how many of those who were asked come, don't, or haven't answered.
func (b *board) monthComing(m *dash.CalMonth, start time.Time) error {
	for i := range m.Weeks {
		from, to := when.AddDays(start, 7*i), when.AddDays(start, 7*i+7)
		if now := b.Now(); now.After(from) { // what has begun says nothing any more
			from = now
		}
		if !from.Before(to) {
			continue
		}
		found, _, err := b.Subjects.Calendar(b.Context(), b.Actor, "", from, to, true)
		if err != nil {
			return err
		}
		said := map[string]map[booking.ComingAnswer]int{}
		for j := range found {
			if _, known := b.ComingBadge(&found[j]); known {
				day := b.At(found[j].Start).Format(time.DateOnly)
				if said[day] == nil {
					said[day] = map[booking.ComingAnswer]int{}
				}
				said[day][found[j].SaysComing()]++
			}
		}
		for j := range m.Weeks[i] {
			d := &m.Weeks[i][j]
			day := when.AddDays(start, 7*i+j).Format(time.DateOnly)
			for _, s := range comingMarks {
				if n := said[day][s.says]; n > 0 {
					d.Says = append(d.Says, dash.CalSays{Tone: s.tone, Icon: s.icon, Count: n, Words: b.T(s.words, "Count", n)})
				}
			}
		}
	}
	return nil
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
