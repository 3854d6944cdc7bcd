package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// Numbers reads a column that has as many whole numbers as to, as concat_ws puts them together with commas: each as a
// column of its own takes the driver several times as long. An empty text between commas is a NULL: its place in to has
// a 0, and its bit, the lowest for the first, is set in nulls. to has at most 64 places.
func Numbers(text string, to []int64) (nulls uint64, err error) {
	rest, more := text, true
	for i := range to {
		if !more {
			return 0, fmt.Errorf("store: %q has %d numbers, not %d", text, i, len(to))
		}
		var field string
		field, rest, more = strings.Cut(rest, ",")
		if field == "" {
			to[i] = 0
			nulls |= 1 << i
			continue
		}
		if to[i], err = strconv.ParseInt(field, 10, 64); err != nil {
			return 0, fmt.Errorf("store: %q: %w", text, err)
		}
	}
	if more {
		return 0, fmt.Errorf("store: %q has more than %d numbers", text, len(to))
	}
	return nulls, nil
}
