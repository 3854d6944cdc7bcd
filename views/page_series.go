package views

import "time"

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
	PaysAll          bool         // what is paid online is that of all dates
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

// pays says which of the dates are paid online; "" where none is, or none is shown.
func (r *Repeat) pays(p Page, online bool) string {
	switch {
	case r == nil || len(r.Dates) == 0 || !online:
		return ""
	case r.PaysAll:
		return p.T("series_pays_all")
	}
	return p.T("series_pays")
}

func upTo(least, most int) (all []int) {
	for n := least; n <= most; n++ {
		all = append(all, n)
	}
	return all
}

// SeriesList lists the dates of the series that a booking is of.
type SeriesList struct {
	Position, Of int // of the booking, as it was booked
	Rows         []SeriesRow
}

// SeriesRow is one of them.
type SeriesRow struct {
	Start, End      time.Time // in the zone that is shown
	Host            string
	Here            bool // its page is shown
	Past, Cancelled bool
	Pending         bool
	URL             string // its own page
}

// state says what became of the date, and in which tone; "" where it takes place as booked.
func (r SeriesRow) state(l *Locale) (text, tone string) {
	switch {
	case r.Cancelled:
		return l.T("visit_item_cancelled"), "bad"
	case r.Past:
		return l.T("visit_item_past"), "good"
	case r.Pending:
		return l.T("visit_item_pending"), "warn"
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

// SeriesScope is a choice of dates of a series.
type SeriesScope struct {
	Value, Label string
	Picked       bool
}

// AgreesToThis makes a fee one of this date only, where others can be cancelled, too.
func (v *CancelPage) AgreesToThis() {
	if v.Agree != nil && len(v.Scopes) > 0 {
		v.Agree.Lenient = true
	}
}
