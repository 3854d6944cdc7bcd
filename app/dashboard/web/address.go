package web

import (
	"net/url"
	"time"

	"daybook/app/serve"
	"daybook/app/when"
	"daybook/views/dash"
)

// WithQuery returns a path with the values that are not empty, some of them replaced: name, value, name, value …
func WithQuery(path string, q url.Values, replaced ...string) string {
	out := url.Values{}
	for name, values := range q {
		if len(values) > 0 && values[0] != "" && name != "said" {
			out[name] = values
		}
	}
	for i := 0; i+1 < len(replaced); i += 2 {
		out.Del(replaced[i])
		if replaced[i+1] != "" {
			out.Set(replaced[i], replaced[i+1])
		}
	}
	if len(out) == 0 {
		return path
	}
	return path + "?" + out.Encode()
}

// LocalTime is how addresses and forms write a time of the workspace's wall clock.
const LocalTime = "2006-01-02T15:04"

// ParseDay returns the start of a day such as 2026-12-24 in a zone.
func ParseDay(text string, zone *time.Location) (time.Time, error) {
	return when.ParseDay(text, zone)
}

// DayOr returns the day in text, or other if text is no day.
func DayOr(text string, zone *time.Location, other time.Time) time.Time {
	if t, err := ParseDay(text, zone); err == nil && t.Year() > 1970 && t.Year() < 2190 {
		return t
	}
	return Midnight(other)
}

// PagerOf links the page after cursor to the next one.
func PagerOf(path string, query url.Values, cursor string, next *string) (p dash.Pager) {
	if cursor != "" {
		p.FirstURL = path + "?" + query.Encode()
	}
	if next != nil {
		query.Set("cursor", *next)
		p.NextURL = path + "?" + query.Encode()
	}
	return p
}

// Address returns the client's IP address, for the limits on sign-in.
func (c *Call) Address() string {
	if a := serve.ClientIP(c.Context()); a.IsValid() {
		return a.String()
	}
	return c.RemoteAddr
}

// TrimScheme returns a URL without its https://.
func TrimScheme(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	return u.Host + u.Path
}
