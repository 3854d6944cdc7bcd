package when

import (
	"time"

	"daybook/app/fault"
)

// Day is the length of a day on which the clocks don't change.
const Day = 24 * time.Hour

// Instant is a moment in Unix milliseconds UTC, as stored; its JSON is ISO 8601 ending in Z. Zero means none.
type Instant int64

// At returns the Instant of t, cut to the millisecond.
func At(t time.Time) Instant { return Instant(t.UnixMilli()) }

// Time returns the moment in UTC.
func (i Instant) Time() time.Time { return time.UnixMilli(int64(i)).UTC() }

// Add moves the moment by d.
func (i Instant) Add(d time.Duration) Instant { return i + Instant(d.Milliseconds()) }

// String returns the instant in ISO 8601, in UTC, with milliseconds only if they are not zero.
func (i Instant) String() string { return string(i.AppendTo(nil)) }

// AppendTo appends String to dst.
func (i Instant) AppendTo(dst []byte) []byte {
	if i%1000 == 0 {
		return i.Time().AppendFormat(dst, time.RFC3339) // the layout that package time formats fastest
	}
	return i.Time().AppendFormat(dst, "2006-01-02T15:04:05.000Z")
}

// Stamp returns the instant in ISO 8601, in UTC, with exactly three decimals, as in the createdAt of events.
func (i Instant) Stamp() string { return i.Time().Format("2006-01-02T15:04:05.000Z") }

// AppendJSON appends String in quotes, or null for none.
func (i Instant) AppendJSON(dst []byte) []byte {
	if i == 0 {
		return append(dst, `null`...)
	}
	return append(i.AppendTo(append(dst, '"')), '"')
}

// MarshalJSON returns the JSON of AppendJSON.
func (i Instant) MarshalJSON() ([]byte, error) { return i.AppendJSON(nil), nil }

// UnmarshalJSON reads what Parse reads, or null.
func (i *Instant) UnmarshalJSON(text []byte) (err error) {
	if string(text) == "null" {
		*i = 0
		return nil
	}
	if len(text) < 2 || text[0] != '"' {
		return fault.Errorf("a time is a string such as 2026-12-01T09:00:00Z")
	}
	*i, err = Parse(string(text[1 : len(text)-1]))
	return err
}

// The range of times that are accepted: years that ISO 8601 writes with four digits and a calendar is likely to mean.
var earliest, latest = At(time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)), At(time.Date(2199, 12, 31, 0, 0, 0, 0,
	time.UTC))

// Parse reads an ISO 8601 date and time with a zone (Z or an offset). A time without a zone is an error, and so is a
// year that no calendar is likely to mean.
func Parse(text string) (Instant, error) {
	i, err := ParseISO(text)
	if err == nil && i != i.Within() {
		return 0, fault.Errorf("the year must lie between 1970 and 2199")
	}
	return i, err
}

// ParseOrDate reads a bound of a search: a date and time, in UTC if it names no zone, or a bare date, which means the
// start of that day in zone. A time outside the accepted range becomes the first or the last time in it.
func ParseOrDate(text string, zone *time.Location) (Instant, error) {
	if t, err := ParseDay(text, zone); err == nil {
		return At(t).Within(), nil
	}
	if i, err := ParseISO(plusForSpace(text)); err == nil {
		return i.Within(), nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return At(t).Within(), nil
		}
	}
	return 0, fault.Errorf("expected a date or an ISO 8601 time, such as 2026-12-01 or 2026-12-01T09:00:00Z")
}

func ParseISO(text string) (Instant, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700"} {
		if t, err := time.Parse(layout, text); err == nil {
			return At(t), nil
		}
	}
	return 0, fault.Errorf("expected an ISO 8601 time with a zone, such as 2026-12-01T09:00:00Z")
}

// Within returns the nearest accepted instant. It is never zero, which means none.
func (i Instant) Within() Instant { return max(earliest, min(i, latest)) }

// plusForSpace repairs the offset of a time that was put into a URL without encoding: there a + means a space.
func plusForSpace(text string) string {
	const offset = len("+01:00")
	if at := len(text) - offset; at > len(time.DateOnly) && text[at] == ' ' {
		return text[:at] + "+" + text[at+1:]
	}
	return text
}
