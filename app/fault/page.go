package fault

import (
	"encoding/base64"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// List identifies a list and a search of it: the name of the list, then everything that decides which rows it has and
// in which order. Its cursors are invalid for any other list or search.
type List []string

// mark tells the list from others: two differ in it but for one chance in 2^64.
func (l List) mark() string {
	h := fnv.New64a()
	for _, part := range l {
		h.Write([]byte(strconv.Itoa(len(part)) + ":" + part)) //nolint:errcheck // a hash takes everything
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// Cursor returns the position after the last row of a page: the list's mark and the numbers, joined by dots, in
// URL-safe base64, so that callers treat it as opaque.
func (l List) Cursor(numbers ...int64) string {
	parts := make([]string, 1, 1+len(numbers))
	parts[0] = l.mark()
	for _, n := range numbers {
		parts = append(parts, strconv.FormatInt(n, 36))
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, ".")))
}

// Read reads a Cursor of the list with that many numbers. The numbers may have any value, since a caller may have made
// the cursor. Errors: bad_request, also for cursors of other lists and searches.
func (l List) Read(cursor string, numbers ...*int64) error {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return BadCursor()
	}
	parts := strings.Split(string(raw), ".")
	if len(parts) != 1+len(numbers) || parts[0] != l.mark() {
		return BadCursor()
	}
	for i, part := range parts[1:] {
		if *numbers[i], err = strconv.ParseInt(part, 36, 64); err != nil {
			return BadCursor()
		}
	}
	return nil
}

// BadCursor returns the bad_request for a cursor that does not come from this list and search.
func BadCursor() error {
	return Invalid("cursor", "is not one that this list gave for this search; pass nextCursor as it was, with the other "+
		"parameters unchanged, or leave it out to begin again")
}

// filters are the parameters that keep a list to one person, thing or kind, or to what is new. One that is given but empty
// is a mistake of the caller, whom everybody's rows would deceive.
var filters = []string{"email", "phone", "invitee", "contact", "host", "eventType", "event", "booking", "endpoint",
	"updatedSince", "number"}

// CheckFilter returns the bad_request for a filter of a list that is given but empty, nil for every other parameter.
func CheckFilter(name, value string) error {
	if slices.Contains(filters, name) && strings.TrimSpace(value) == "" {
		return Invalid(name, "must not be empty; leave it out to list all")
	}
	return nil
}

// MaxPage is the most rows of one page of a list.
const MaxPage = 100

// PageLimit returns how many rows to return: byDefault if the caller did not say, and never more than MaxPage. Errors:
// bad_request, for a limit below 1.
func PageLimit(asked *int, byDefault int) (int, error) {
	if asked == nil {
		return byDefault, nil
	}
	if *asked < 1 {
		return 0, Invalid("limit", "must be a whole number from 1 to %d", MaxPage)
	}
	return min(*asked, MaxPage), nil
}

// Page is one page of a list, as the API returns it.
type Page[T any] struct {
	Data       []T     `json:"data"`
	HasMore    bool    `json:"hasMore"`
	NextCursor *string `json:"nextCursor"`
	Hint       string  `json:"hint,omitempty"` // what to ask for instead, when an empty list is likely to be misread
}

// PageOf returns a page of rows, of which up to one more than limit were read; position returns a row's cursor.
func PageOf[T any](rows []T, limit int, position func(*T) string) Page[T] {
	p := Page[T]{Data: rows}
	if len(rows) > limit {
		p.Data, p.HasMore = rows[:limit], true
		next := position(&rows[limit-1])
		p.NextCursor = &next
	}
	if p.Data == nil {
		p.Data = []T{}
	}
	return p
}
