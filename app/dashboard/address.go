package dashboard

import (
	"net/url"
	"time"
)

// withQuery is an address with the values that are not empty, some of them replaced: name, value, name, value …
func withQuery(path string, q url.Values, replaced ...string) string {
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

func parseDay(text string, zone *time.Location) (time.Time, error) {
	return time.ParseInLocation(time.DateOnly, text, zone)
}

// dayOr is the day of an address, or another one where it names none.
func dayOr(text string, zone *time.Location, other time.Time) time.Time {
	if t, err := parseDay(text, zone); err == nil && t.Year() > 1970 && t.Year() < 2190 {
		return t
	}
	return midnight(other)
}
