package movein

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"daybook/app/when"
)

// Order says how the numbers of a date stand.
type Order string

const (
	DayFirst   Order = "day"
	MonthFirst Order = "month"
)

var (
	numbers = regexp.MustCompile(`^(\d{1,4})[./-](\d{1,2})[./-](\d{2,4})\.?(?:[ ,T]+(.*))?$`)
	worded  = regexp.MustCompile(`^(?:\pL+\.?,? +)?(?:(\d{1,2})\.?(?: de)? +(\pL+)\.?|(\pL+)\.? +(\d{1,2}),?)(?: de)?,? +(\d{4})(?:[ ,]+(?:at |um |a las )?(.*))?$`)
	clocks  = regexp.MustCompile(`^(\d{1,2})(?:[:.hH](\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*([aApP])?\.?\s?[mM]?\.?(?: Uhr)?$`)
	hours   = regexp.MustCompile(`^(?:(\d+)\s*(?:h|hr|hrs|hour|hours|Std\.?))?\s*(?:(\d+)\s*(?:m|min|mins|minute|minutes|Min\.?|Minuten)?)?$`)
)

// months are how the names of the months begin in the dashboard's languages.
var months = [12][]string{{"jan", "jän", "ene"}, {"feb", "fév", "fev"}, {"mar", "mär"}, {"apr", "avr", "abr"}, {"may", "mai"},
	{"jun", "juin"}, {"jul", "juil"}, {"aug", "aoû", "aou", "ago"}, {"sep"}, {"oct", "okt"}, {"nov"}, {"dec", "dez", "déc", "dic"}}

func monthOf(word string) int {
	word = strings.ToLower(word)
	for i, names := range months {
		for _, name := range names {
			if strings.HasPrefix(word, name) {
				return i + 1
			}
		}
	}
	return 0
}

// dateOf reads the date with which a text begins, and returns the rest.
func dateOf(text string, order Order) (y, m, d int, rest string, ok bool) {
	if g := numbers.FindStringSubmatch(text); g != nil {
		a, b, c := number(g[1]), number(g[2]), number(g[3])
		switch {
		case len(g[1]) == 4:
			y, m, d = a, b, c
		case order == MonthFirst:
			y, m, d = c, a, b
		default:
			y, m, d = c, b, a
		}
		if y < 100 {
			y += 2000
		}
		rest = g[4]
	} else if g := worded.FindStringSubmatch(text); g != nil {
		y, rest = number(g[5]), g[6]
		if g[1] != "" {
			d, m = number(g[1]), monthOf(g[2])
		} else {
			d, m = number(g[4]), monthOf(g[3])
		}
	}
	at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return y, m, d, strings.TrimSpace(rest), m > 0 && d > 0 && at.Day() == d && int(at.Month()) == m && y >= 1990 && y < 2100
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// clockOf reads a time of day in minutes.
func clockOf(text string) (minutes int, ok bool) {
	g := clocks.FindStringSubmatch(strings.TrimSpace(text))
	if g == nil || g[2] == "" && g[3] == "" {
		return 0, false
	}
	h, m := number(g[1]), number(g[2])
	switch half := strings.ToLower(g[3]); {
	case half != "" && (h < 1 || h > 12):
		return 0, false
	case half == "p" && h < 12:
		h += 12
	case half == "a" && h == 12:
		h = 0
	}
	return h*60 + m, h < 24 && m < 60
}

// momentOf reads a date and a time. Without a zone it is of the workspace's.
func momentOf(text string, order Order, zone *time.Location) (when.Instant, bool) {
	text = strings.TrimSpace(text)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return when.At(at), true
	}
	y, m, d, rest, ok := dateOf(text, order)
	minutes, read := clockOf(rest)
	if !ok || !read {
		return 0, false
	}
	return when.At(when.Wall(time.Date(y, time.Month(m), d, 0, minutes, 0, 0, time.UTC), zone)), true
}

// lengthOf reads a length: "45", "45 min", "1:30" or "1 h 30 min".
func lengthOf(text string) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	if h, m, found := strings.Cut(text, ":"); found {
		m, _, _ = strings.Cut(m, ":")
		n := number(h)*60 + number(m)
		return time.Duration(n) * time.Minute, n > 0
	}
	g := hours.FindStringSubmatch(text)
	if g == nil {
		return 0, false
	}
	n := number(g[1])*60 + number(g[2])
	return time.Duration(n) * time.Minute, n > 0
}

// orderOf decides for a column whether the day or the month stands first: by a number over 12, else as the country has it.
func orderOf(texts []string, country string) Order {
	for _, text := range texts {
		if g := numbers.FindStringSubmatch(strings.TrimSpace(text)); g != nil && len(g[1]) < 3 {
			switch {
			case number(g[1]) > 12:
				return DayFirst
			case number(g[2]) > 12:
				return MonthFirst
			}
		}
	}
	if country == "US" {
		return MonthFirst
	}
	return DayFirst
}
