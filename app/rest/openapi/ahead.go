package openapi

import (
	"regexp"
	"time"
)

// exampleDay is the day of the examples, a Tuesday.
var exampleDay = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

// exampleDates are the dates of examples that lie ahead: the day of the examples, and those after it.
var exampleDates = regexp.MustCompile(`\b(?:2026-12-\d\d|2027-01-\d\d)`)

// Weeks returns how many weeks later than they are written examples are shown, so that their day lies ahead at now.
func Weeks(now time.Time) int {
	if now.Before(exampleDay) {
		return 0
	}
	return int(now.Sub(exampleDay)/(7*24*time.Hour)) + 1
}

// Ahead returns a text of the document or of its pages with its example dates so many weeks later. It keeps its length.
func Ahead(text []byte, weeks int) []byte {
	if weeks == 0 {
		return text
	}
	return exampleDates.ReplaceAllFunc(text, func(date []byte) []byte {
		day, err := time.Parse(time.DateOnly, string(date))
		if err != nil {
			return date // it only looks like one
		}
		return day.AddDate(0, 0, 7*weeks).AppendFormat(nil, time.DateOnly)
	})
}
