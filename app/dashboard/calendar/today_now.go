package calendar

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views/dash"
)

// unsettledFor is how long a booking that is over stays among the rows when nobody has said how it went: about then it is
// paid, or somebody gives up waiting.
const unsettledFor = time.Hour

// together returns the rows of all hosts by their times. What several of them do is one row.
func together(days []daySheet) (all []sheetItem) {
	seen := map[string]bool{}
	for i := range days {
		for _, p := range days[i].rows {
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
	slices.SortStableFunc(all, func(a, b sheetItem) int { return a.from.Compare(b.from) })
	return all
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
	sum := map[string]int64{}
	var done, missed int
	for i := range all {
		p := &all[i]
		row := p.row
		row.Back = v.Host
		row.Start, row.End = c.Clock(when.At(p.from)), c.Clock(when.At(p.to))
		for _, b := range p.of {
			if row.Kind == "" && b.Status.Live() {
				v.Bookings++
			}
		}
		switch {
		case p.over(now):
			if row.Kind == "" {
				v.Over = append(v.Over, row)
				count(p, sum, &done, &missed)
			}
			continue
		case !p.to.After(now) && row.Kind == "":
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
	v.OverText = c.overText(done, missed, sum)
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
		SheetRow: dash.SheetRow{ID: b.ID, URL: b.URL, Name: b.Name, Type: b.Type, Hosts: b.Host, Price: b.Price, Plain: true}}
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
	unsaid := app.LastMark(b) == "" && !slices.ContainsFunc(p.of, func(b *booking.Booking) bool { return len(b.Payments) > 0 })
	waits := b.Status.Stands() && b.DoneAt == 0 && (unsaid || p.row.Till != nil)
	return !waits || p.to.Add(unsettledFor).Before(now)
}

// unsettled says of a booking that is over what has not been said or paid.
func (c call) unsettled(p *sheetItem, row dash.SheetRow) dash.Badge {
	if row.Till != nil {
		return dash.Badge{Text: c.T("till_due_amount", "Amount", row.Till.Due), Tone: "warn"}
	}
	return row.State
}

// count adds what is over: how many came, how many did not, and what was paid.
func count(p *sheetItem, sum map[string]int64, done, missed *int) {
	came := false
	for _, b := range p.of {
		came = came || b.Status.Stands()
		if b.Paid != nil && b.Paid.Amount > 0 {
			sum[b.Paid.Currency] += b.Paid.Amount
		}
	}
	switch {
	case came:
		*done++
	case p.of[0].Status == booking.NoShow:
		*missed++
	}
}

// overText is the line that what is over is folded into: "5 done · 1 no-show · €185".
func (c call) overText(done, missed int, sum map[string]int64) string {
	var text []string
	if done > 0 {
		text = append(text, c.T("today_over", "Count", done))
	}
	if missed > 0 {
		text = append(text, c.T("today_over_missed", "Count", missed))
	}
	if c.May(app.MaySeeTill) {
		var paid []money.Money
		for currency, n := range sum {
			paid = append(paid, money.Money{Amount: n, Currency: currency})
		}
		slices.SortFunc(paid, func(a, b money.Money) int { return cmp.Compare(a.Currency, b.Currency) })
		for i := range paid {
			text = append(text, c.Money(&paid[i]))
		}
	}
	return strings.Join(text, " · ")
}
