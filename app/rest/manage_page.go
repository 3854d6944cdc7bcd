package rest

import (
	"slices"

	"daybook/app/fault"
)

// pageBy returns the page of rows that the call asks for. The rows are all there are, in the order of their positions,
// of which no two are the same. The errors are bad_request of limit and cursor.
func pageBy[T any](list fault.List, rows []T, c Call, position func(*T) []int64) (fault.Page[T], error) {
	n, err := fault.PageLimit(c.Number("limit"), 50)
	if err != nil {
		return fault.Page[T]{}, err
	}
	if after := c.Text("cursor"); after != "" {
		last := make([]int64, len(position(new(T))))
		places := make([]*int64, len(last))
		for i := range last {
			places[i] = &last[i]
		}
		if err := list.Read(after, places...); err != nil {
			return fault.Page[T]{}, err
		}
		from := slices.IndexFunc(rows, func(row T) bool { return slices.Compare(position(&row), last) > 0 })
		if from < 0 {
			from = len(rows)
		}
		rows = rows[from:]
	}
	return fault.PageOf(rows, n, func(row *T) string { return list.Cursor(position(row)...) }), nil
}
