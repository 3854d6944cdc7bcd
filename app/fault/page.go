package fault

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// Cursor is the position after the last row of a page: numbers joined by dots, in URL-safe base64, so that callers
// treat it as opaque.
func Cursor(numbers ...int64) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = strconv.FormatInt(n, 36)
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, ".")))
}

// ParseCursor reads a Cursor of that many numbers. The error is a bad_request.
func ParseCursor(text string, numbers ...*int64) error {
	bad := Invalid("cursor", "is not one that this list gave; pass nextCursor as it was")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return bad
	}
	parts := strings.Split(string(raw), ".")
	if len(parts) != len(numbers) {
		return bad
	}
	for i, part := range parts {
		if *numbers[i], err = strconv.ParseInt(part, 36, 64); err != nil {
			return bad
		}
	}
	return nil
}

// MaxPage is the most rows of one page of a list.
const MaxPage = 100

// PageLimit is how many rows to return: byDefault if the caller did not say, and never more than MaxPage. The error is
// a bad_request for a limit below 1.
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

// PageOf makes a page of rows, which were read with one more than limit; position gives a row's cursor.
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
