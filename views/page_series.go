package views

import (
	"strings"
	"time"
)

// The fields of a form by which something comes again: so many units apart and so many dates, a button that shows these
// dates ("1"), or only the first one ("0"), the dates that are ticked, all that were shown, and what they are of.
const (
	EveryField  = "every"
	UnitField   = "unit"
	TimesField  = "times"
	ShowField   = "show"
	OnField     = "on"
	ListedField = "listed"
	OfField     = "of"
)

// Repeat asks whether what is booked comes again, and shows its dates once they were asked for.
type Repeat struct {
	Every, MostEvery int
	ByMonth          bool // else by week
	Count, Most      int
	Dates            []RepeatDate // none until they were asked for
	Hidden           []Pair
}

// RepeatDate is one of them.
type RepeatDate struct {
	Start  time.Time
	Was    time.Time // where it would lie; zero where that is Start
	Why    string    // why it can't lie there
	Value  string    // "" can't be booked
	Picked bool
	Host   string // who does it, where that is somebody else than on the first

	Length     time.Duration // where it takes another time than the first; else 0
	OtherPrice bool          // it costs something else than the first
	Prices     []Money       // of its services, as far as they have one

	// First and Later are how much of that is paid online when it is booked, as the first of the dates or behind it.
	First, Later int64
	Ahead        bool // behind the first it can be paid online ahead
}

// differs says how long it takes and what it costs, as far as that is other than on the first date.
func (d *RepeatDate) differs(p Page) string {
	var all []string
	if d.Length > 0 {
		all = append(all, p.Locale.Duration(d.Length))
	}
	if price, known := sumOf(d.Prices); d.OtherPrice && known {
		all = append(all, p.Money(price))
	}
	return strings.Join(all, " · ")
}

// price returns what it costs, in minor units.
func (d *RepeatDate) price() int64 {
	sum, _ := sumOf(d.Prices)
	return sum.Amount
}

// sumOf adds amounts up; known is false for none, and where their currencies differ.
func sumOf(all []Money) (sum Money, known bool) {
	for i, m := range all {
		if i > 0 && m.Currency != sum.Currency {
			return Money{}, false
		}
		sum.Amount, sum.Currency = sum.Amount+m.Amount, m.Currency
	}
	return sum, len(all) > 0
}

// sum returns what the dates that are ticked cost together, and how much of that is paid online when they are booked; nil
// where none has a price.
func (r *Repeat) sum() (price *Money, now int64) {
	var all, prices []Money
	first := true
	for i := range r.Dates {
		d := &r.Dates[i]
		if all = append(all, d.Prices...); !d.Picked {
			continue
		}
		if now += d.Later; first {
			now += d.First - d.Later
		}
		first, prices = false, append(prices, d.Prices...)
	}
	whole, known := sumOf(all)
	if !known {
		return nil, 0
	}
	sum, _ := sumOf(prices)
	return &Money{sum.Amount, whole.Currency}, now
}

// parts says how much of a sum is paid now, and how much on site.
func (r *Repeat) parts(p Page, price *Money, now int64) string {
	switch {
	case now == 0:
		return p.T("paid_on_site")
	case now >= price.Amount:
		return p.T("deposit_all", "Now", p.Money(*price))
	}
	return p.T("deposit_parts", "Now", p.Money(Money{now, price.Currency}), "Rest", p.Money(Money{price.Amount - now, price.Currency}))
}

// fit counts the dates that can be booked.
func (r *Repeat) fit() (n int) {
	for _, d := range r.Dates {
		if d.Value != "" {
			n++
		}
	}
	return n
}

// dayOf returns the day of a date, with its year where that isn't the first one's.
func (r *Repeat) dayOf(p Page, t time.Time) string {
	if t.Year() != r.Dates[0].Start.Year() {
		return Capital(p.Date(t))
	}
	return Capital(p.ShortDay(t))
}

// pays says which of the dates are paid online; "" where that is none or one, or where only the sum can tell.
func (r *Repeat) pays(p Page) string {
	if r == nil {
		return ""
	}
	all, one, ahead := true, true, true
	for _, d := range r.Dates {
		if d.Value != "" {
			all, one = all && d.First > 0 && d.Later == d.First, one && d.First > 0 && d.Later == 0
			ahead = ahead && d.Ahead
		}
	}
	switch {
	case r.fit() < 2:
		return ""
	case all:
		return p.T("series_pays_all")
	case one && ahead:
		return p.T("series_pays_each")
	case one:
		return p.T("series_pays")
	}
	return ""
}

func upTo(least, most int) (all []int) {
	for n := least; n <= most; n++ {
		all = append(all, n)
	}
	return all
}

// SeriesList lists the dates of the series that a booking is of.
type SeriesList struct {
	Position, Of int    // of the booking, as it was booked
	Paid         *Money // what was paid online for those that take place; nil where that is for fewer than two
	Rows         []SeriesRow
}

// SeriesRow is one of them.
type SeriesRow struct {
	Start, End      time.Time // in the zone that is shown
	Host            string
	Here            bool // its page is shown
	Past, Cancelled bool
	Pending         bool
	Unpaid          bool   // it waits for a payment
	Paid            bool   // online, whatever it was to be paid there
	URL             string // its own page
}

// state says what became of the date, and in which tone; "" where it takes place as booked.
func (r SeriesRow) state(l *Locale) (text, tone string) {
	switch {
	case r.Cancelled:
		return l.T("visit_item_cancelled"), "bad"
	case r.Past:
		return l.T("visit_item_past"), "good"
	case r.Unpaid:
		return l.T("own_unpaid"), "warn"
	case r.Pending:
		return l.T("visit_item_pending"), "warn"
	case r.Paid:
		return l.T("series_paid"), "good"
	}
	return "", ""
}

// dayOf returns the day of a date, with its year where that isn't the first one's.
func (s *SeriesList) dayOf(p Page, t time.Time) string {
	if t.Year() != s.Rows[0].Start.Year() {
		return Capital(p.Date(t))
	}
	return Capital(p.ShortDay(t))
}

// hostOf returns who does the date, where that is somebody else than on the one whose page is shown.
func (s *SeriesList) hostOf(row SeriesRow) string {
	for _, r := range s.Rows {
		if r.Here && r.Host == row.Host {
			return ""
		}
	}
	return row.Host
}

// SeriesScope is a choice of dates of a series.
type SeriesScope struct {
	Value, Label string
	Notes        []string // what else choosing it means
	Cancels      int      // dates, where the form cancels; 0 where it moves them
	Picked       bool
}

// submitOf returns the text of the button that cancels the dates of a scope.
func (v CancelPage) submitOf(s SeriesScope, this string) string {
	if s.Cancels == 0 || s.Value == "this" {
		return this
	}
	return v.T("series_cancel_submit", "Count", s.Cancels)
}

// title asks whether to cancel; one is the question where it isn't of several dates.
func (v CancelPage) title(one string) string {
	if len(v.Scopes) > 0 {
		return v.T("series_cancel_title")
	}
	return v.T(one)
}

// text says what becomes of the time.
func (v CancelPage) text() string {
	if len(v.Scopes) > 0 {
		return v.T("series_cancel_text")
	}
	return v.T("cancel_text")
}

// keep returns the text of the link back.
func (v CancelPage) keep() string {
	if len(v.Scopes) > 0 {
		return v.T("series_cancel_keep")
	}
	return v.T("cancel_keep")
}

// AgreesToThis makes a fee one of this date only, where others can be cancelled, too.
func (v *CancelPage) AgreesToThis() {
	if v.Agree != nil && len(v.Scopes) > 0 {
		v.Agree.Lenient = true
	}
}
