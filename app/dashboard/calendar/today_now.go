package calendar

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views"
	"daybook/views/dash"
)

// unsettledFor is how long a booking that is over stays among the rows when nobody has said how it went: about then it is
// paid, or somebody gives up waiting.
const unsettledFor = time.Hour

// together returns the rows of all hosts by their times. What several of them do is one row, and so are free times that
// they have in common: it leads to the first one's.
func (c call) together(days []daySheet) (all []sheetItem) {
	seen := map[string]bool{}
	for i := range days {
		for _, p := range days[i].rows {
			if p.row.Kind == "free" && len(days) > 1 {
				p.free = []string{shortName(days, days[i].host.Name)}
				at := slices.IndexFunc(all, func(o sheetItem) bool { return o.free != nil && o.from.Equal(p.from) && o.to.Equal(p.to) })
				if at >= 0 {
					all[at].free = append(all[at].free, p.free...)
					continue
				}
			}
			if id := p.row.Kind + p.row.ID; p.row.ID != "" && seen[id] {
				continue
			} else if p.row.ID != "" {
				seen[id] = true
			}
			if len(days) == 1 && !strings.Contains(p.row.Hosts, ", ") {
				p.row.Hosts = "" // the heading says it
			}
			all = append(all, p)
		}
	}
	for i := range all {
		if len(all[i].free) > 1 {
			all[i].row.Hosts = fewNames(all[i].free)
		}
	}
	slices.SortStableFunc(all, func(a, b sheetItem) int { return a.from.Compare(b.from) })
	return all
}

// shownFree is how many people a free time of several names.
const shownFree = 3

// fewNames names the first most of them.
func fewNames(all []string) string {
	text := strings.Join(all[:min(len(all), shownFree)], ", ")
	if more := len(all) - shownFree; more > 0 {
		text += fmt.Sprintf(" +%d", more)
	}
	return text
}

// now puts the rows of the day where they belong: the customer to look after on the card, what is over into the fold,
// the others into the list.
func (c call) now(v *dash.TodayPage, all []sheetItem, now time.Time) {
	card, next := cardOf(all, now), -1
	for i := range all {
		if next < 0 && all[i].ahead(now) {
			next = i
		}
	}
	over := tally{taken: map[string]int64{}, due: map[string]int64{}}
	today := web.Midnight(now)
	for i := range all {
		p := &all[i]
		row := p.row
		row.Back = v.Host
		row.Start, row.End = c.Clock(when.At(p.from)), c.Clock(when.At(p.to))
		if row.Kind == "" && p.from.Before(today) {
			day := views.Capital(c.Locale.Weekday(p.from.In(c.Zone()))) + ", "
			row.Start, row.Time = day+row.Start, day+row.Time
		}
		for _, b := range p.of {
			if row.Kind == "" && b.Status.Live() && !b.Start.Time().Before(today) {
				v.Bookings++
			}
		}
		switch {
		case p.over(now):
			if row.Kind == "" {
				v.Over = append(v.Over, row)
				over.add(p, today)
			}
			continue
		case row.Past && row.Kind == "":
			row.State, row.Plain = c.unsettled(p, row), false
		case row.Now && app.LastMark(p.of[0]) == "":
			row.State.Tone = ""
		}
		if i == card {
			v.Now = &dash.NowCard{SheetRow: row, When: row.Time}
			row.Carded = true
		}
		row.Next = i == next && i != card
		v.Rows = append(v.Rows, row)
	}
	if v.Now != nil && next >= 0 && next != card {
		p := &all[next]
		v.Now.Then = &dash.BookingRow{URL: p.row.URL, Time: c.Clock(when.At(p.from)), Name: p.row.Name, Host: p.row.Hosts}
	} else if v.Now != nil && card == next {
		v.Now.Until = c.Until(when.At(all[card].from))
	}
	v.OverText = c.overText(over)
}

// later puts the next customer of another day on the card when nobody comes any more today.
func (c call) later(v *dash.TodayPage) {
	if len(v.Next) == 0 || v.Now != nil && (v.Now.Then != nil || !v.Now.SheetRow.Now) {
		return
	}
	b := v.Next[0]
	if v.Now != nil {
		b.Time = b.When
		v.Now.Then = &b
		return
	}
	v.Now = &dash.NowCard{When: b.Day + ", " + b.Time, Later: true,
		SheetRow: dash.SheetRow{ID: b.ID, URL: b.URL, Name: b.Name, Type: b.Type, Hosts: b.Host, Price: b.Price, Plain: true, CardURL: b.CardURL}}
}

// cardOf returns which row is on the card, or -1: who should be here and has not been said to be, by their times; then who
// is here and leaves first, and pays; then who comes next. The others who are here stay in the list.
func cardOf(all []sheetItem, now time.Time) int {
	best, rank, at := -1, 0, time.Time{}
	for i := range all {
		p := &all[i]
		r, t := 0, p.from
		switch {
		case p.row.Kind != "" || len(p.of) == 0:
			continue
		case p.row.Now && p.of[0].ArrivedAt == 0:
			r = 1
		case p.row.Now:
			r, t = 2, p.to
		case p.ahead(now):
			r = 3
		default:
			continue
		}
		if best < 0 || r < rank || r == rank && t.Before(at) {
			best, rank, at = i, r, t
		}
	}
	return best
}

// ahead reports whether it is a booking that is to come.
func (p *sheetItem) ahead(now time.Time) bool {
	return p.row.Kind == "" && len(p.of) > 0 && p.from.After(now) && p.of[0].Status.Stands() && p.of[0].DoneAt == 0
}

// over reports whether a row belongs into the fold. A booking of which nothing was said, or that is not paid, stays among
// the others for a while.
func (p *sheetItem) over(now time.Time) bool {
	if len(p.of) == 0 || p.row.Kind != "" {
		return !p.to.After(now)
	}
	b := p.of[0]
	if !p.row.Past {
		return false
	}
	waits := b.Status.Stands() && (p.row.Till != nil || !p.said())
	return !waits || latest(p.to, b.DoneAt.Time()).Add(unsettledFor).Before(now)
}

// said reports whether somebody said how it went, or took money for it.
func (p *sheetItem) said() bool {
	return slices.ContainsFunc(p.of, func(b *booking.Booking) bool { return app.LastMark(b) != "" || len(b.Payments) > 0 })
}

// unsettled says of a booking that is over what has not been said or paid.
func (c call) unsettled(p *sheetItem, row dash.SheetRow) dash.Badge {
	if row.Till != nil {
		return dash.Badge{Text: c.T("till_due_amount", "Amount", row.Till.Due), Tone: "warn"}
	}
	return row.State
}

// tally is what is over: how many of whom it was said that they came, or who paid; of whom nothing was said; who did not
// come; and by currency what was taken for it today, with tips, and what is due.
type tally struct {
	done, unsaid, missed int
	taken, due           map[string]int64
}

func (t *tally) add(p *sheetItem, today time.Time) {
	came := false
	for _, b := range p.of {
		came = came || b.Status.Stands()
		if b.Due != nil && b.Status.Stands() {
			t.due[b.Due.Currency] += b.Due.Amount
		}
		for i := range b.Payments {
			if k := &b.Payments[i]; !k.CreatedAt.Time().Before(today) {
				amount, tip := k.Left()
				t.taken[k.Currency] += amount + tip
			}
		}
	}
	switch {
	case came && p.said():
		t.done++
	case came:
		t.unsaid++
	case p.of[0].Status == booking.NoShow:
		t.missed++
	}
}

// overText is the line that what is over is folded into: "5 done · 2 over · 1 no-show · €185 · €40 due".
func (c call) overText(t tally) string {
	var text []string
	say := func(key string, n int) {
		if n > 0 {
			text = append(text, c.T(key, "Count", n))
		}
	}
	say("today_over", t.done)
	say("today_over_unsaid", t.unsaid)
	say("today_over_missed", t.missed)
	if c.May(app.MaySeeTill) {
		text = append(text, c.amounts(t.taken)...)
		for _, amount := range c.amounts(t.due) {
			text = append(text, c.T("till_due_amount", "Amount", amount))
		}
	}
	return strings.Join(text, " · ")
}

// amounts are those sums that are not 0, in words, by currency.
func (c call) amounts(s map[string]int64) (all []string) {
	for _, currency := range slices.Sorted(maps.Keys(s)) {
		if s[currency] != 0 {
			all = append(all, c.Money(&money.Money{Amount: s[currency], Currency: currency}))
		}
	}
	return all
}
