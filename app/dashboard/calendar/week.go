package calendar

import (
	"strconv"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/app/when"
	"daybook/views/dash"
)

// plan returns a week of several hosts.
func (b *board) plan() *dash.CalPlan {
	p := &dash.CalPlan{}
	for i := range b.days {
		day := when.AddDays(b.first, i)
		p.Days = append(p.Days, dash.CalDay{Sub: b.Locale.Weekday(day), Label: strconv.Itoa(day.Day()),
			Name: b.Locale.Day(day), URL: b.at("span", "", "date", day.Format(time.DateOnly)),
			Today: web.SameDay(day, b.Now())})
	}
	for _, h := range b.columns() {
		row := dash.CalRow{Label: h.Name, URL: b.at("host", h.ID.String()), Portrait: b.Portrait(h)}
		for i := range b.days {
			row.Cells = append(row.Cells, b.cell(b.hostDay(h, when.AddDays(b.first, i))))
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

func (b *board) cell(d hostDay) dash.CalCell {
	cell := dash.CalCell{Kind: "open", URL: b.at("span", "", "date", d.day.Format(time.DateOnly)),
		Today: web.SameDay(d.day, b.Now())}
	var hours []string
	for _, s := range d.open {
		hours = append(hours, b.dayPart(d.day, s))
	}
	cell.Hours = strings.Join(hours, ", ")
	if len(d.open) == 0 {
		cell.Kind, cell.Hours = "shut", b.Locale.T("calendar_off_duty")
	}
	for _, a := range d.away {
		text := b.Locale.T("calendar_away")
		if s, on := spanOn(d.day, a.Start.Time(), a.End.Time()); on && s != (span{0, dayMinutes}) {
			text += " " + b.Locale.Span(wall(d.day, s.from), wall(d.day, s.to), "")
		} else if on {
			cell.Kind = "away"
		}
		if a.Reason != "" {
			text += " · " + a.Reason
		}
		cell.Away = append(cell.Away, text)
	}
	cell.Busy = b.busyInPlan(d)
	for i := range d.items {
		if len(cell.Events) == maxInCell {
			cell.More = len(d.items) - maxInCell
			break
		}
		e := b.event(&d.items[i])
		e.Drag, e.Grow, e.Short = false, false, false
		cell.Events = append(cell.Events, e)
	}
	if when.AddDays(d.day, 1).After(b.Now()) && (b.May(app.MayBook) || b.May(app.MaySetHours)) {
		at := wall(d.day, 9*60)
		if len(d.open) > 0 {
			at = wall(d.day, d.open[0].from)
		}
		cell.AddURL = b.gapURL(d.host, at)
		cell.Add = b.Locale.T("calendar_add", "Host", d.host.Name, "Day", b.Locale.Day(d.day))
	}
	return cell
}
