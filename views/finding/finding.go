// Package finding is what a check of the server found, and its words in each language: the command doctor, the page
// Health, Today and the mails to owners all say it by these. The checks themselves are in app/upkeep/health.
package finding

import (
	"strconv"
	"time"

	"daybook/app/when"
	"daybook/views"
)

// State is how something is.
type State string

const (
	OK      State = "ok"
	Warning State = "warning"
	Failed  State = "failed"
)

// Audience says who is told of a problem.
type Audience int

const (
	OnPage  Audience = iota // nobody: it stands on the page Health, and in doctor
	OnToday                 // owners who open Today
	ByMail                  // they, and once by mail
)

// Finding is what one check found.
type Finding struct {
	Check    string   `json:"check"`           // its name in English, for monitors: disk
	About    string   `json:"about,omitempty"` // which of several, such as a replica's address
	State    State    `json:"state"`
	Said     string   `json:"said"` // the name of its words: health_say_…, and health_do_… where something is to be done
	Facts    []Fact   `json:"facts,omitempty"`
	Audience Audience `json:"-"`
	Local    bool     `json:"-"` // it is about this machine, not the database
}

// Fact is a value within the words.
type Fact struct {
	Name string `json:"name"`
	Unit Unit   `json:"unit"`
	N    int64  `json:"n,omitempty"`
	Text string `json:"text,omitempty"`
}

// Unit says what a Fact's number is.
type Unit string

const (
	bytes Unit = "bytes"
	at    Unit = "at" // milliseconds, UTC; 0 is never
	span  Unit = "span"
	words Unit = "words"
)

// Bytes returns a fact that is a size.
func Bytes(name string, n int64) Fact { return Fact{Name: name, Unit: bytes, N: n} }

// At returns a fact that is a moment.
func At(name string, t when.Instant) Fact { return Fact{Name: name, Unit: at, N: int64(t)} }

// Span returns a fact that is a length of time.
func Span(name string, d time.Duration) Fact {
	return Fact{Name: name, Unit: span, N: d.Milliseconds()}
}

// Words returns a fact in words that no language changes, such as a name.
func Words(name, text string) Fact { return Fact{Name: name, Unit: words, Text: text} }

// Message says what was found. Moments are of the zone; in none, they are written as in RFC 3339, UTC.
func (f *Finding) Message(l *views.Locale, zone *time.Location) string {
	return l.T("health_say_"+f.Said, f.args(l, zone)...)
}

// Advice says what to do about it; "" where there is nothing to be done.
func (f *Finding) Advice(l *views.Locale) string {
	key := "health_do_" + f.Said
	if text := l.T(key, f.args(l, nil)...); text != key && f.State != OK {
		return text
	}
	return ""
}

// Plain says what was found in a short sentence for people who know nothing of servers.
func (f *Finding) Plain(l *views.Locale) string {
	key := "health_plain_" + f.Check
	if text := l.T(key); text != key {
		return text
	}
	return l.T("health_plain")
}

// Title returns the check's name.
func (f *Finding) Title(l *views.Locale) string { return l.T("health_check_" + f.Check) }

func (f *Finding) args(l *views.Locale, zone *time.Location) (all []any) {
	for _, x := range f.Facts {
		all = append(all, x.Name, x.in(l, zone))
	}
	return all
}

func (x *Fact) in(l *views.Locale, zone *time.Location) string {
	switch x.Unit {
	case bytes:
		return Size(l, x.N)
	case at:
		return Moment(l, zone, when.Instant(x.N))
	case span:
		return Length(l, time.Duration(x.N)*time.Millisecond)
	}
	return x.Text
}

// Size is "1.5 GB", in powers of ten, as disks are sold.
func Size(l *views.Locale, n int64) string {
	const least = .9995 // of a unit, is rounded to one of it
	unit, value := "health_kb", float64(n)/1e3
	switch {
	case n >= least*1e12:
		unit, value = "health_tb", float64(n)/1e12
	case n >= least*1e9:
		unit, value = "health_gb", float64(n)/1e9
	case n >= least*1e6:
		unit, value = "health_mb", float64(n)/1e6
	}
	digits := 0
	if value < 10 && n >= least*1e6 {
		digits = 1
	}
	return l.T(unit, "N", l.Decimal(strconv.FormatFloat(value, 'f', digits, 64)))
}

// Moment is "Mon, Nov 30, 9:00 AM".
func Moment(l *views.Locale, zone *time.Location, t when.Instant) string {
	switch {
	case t == 0:
		return l.T("health_never")
	case zone == nil:
		return t.Time().Format(time.RFC3339)
	}
	local := t.Time().In(zone)
	return l.ShortDay(local) + ", " + l.Time(local, "")
}

// Length is "3 days", "5 hours" or "20 minutes", rounded down; in German in the dative: „seit 3 Tagen“.
func Length(l *views.Locale, d time.Duration) string {
	switch {
	case d >= 2*when.Day:
		return l.T("health_days", "Count", int(d/when.Day))
	case d >= 2*time.Hour:
		return l.T("health_hours", "Count", int(d/time.Hour))
	}
	return l.T("health_minutes", "Count", int(d/time.Minute))
}
