package engine

import (
	"iter"
	"slices"
	"strings"
)

// lengths are those of the lists that a statement is given, so that few texts stay prepared on each connection.
var lengths = [...]int{1, 8, 64}

// Few cuts a list into parts of few lengths, up to 64, for statements with parameters for each value. The last value
// may come several times at the end.
func Few[T any](all []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for part := range slices.Chunk(all, lengths[len(lengths)-1]) {
			i := 0
			for lengths[i] < len(part) {
				i++
			}
			part = slices.Clip(part)
			for len(part) < lengths[i] {
				part = append(part, part[len(part)-1])
			}
			if !yield(part) {
				return
			}
		}
	}
}

// Placeholders returns what follows IN for so many values.
func Placeholders(n int) string { return `(?` + strings.Repeat(`, ?`, n-1) + `)` }

// EachOf calls row for every row of a query that ends with IN, for some of the values after the others: for no values,
// of none.
func EachOf[T any](q interface {
	Each(query string, args []any, row func(scan func(...any) error) error) error
}, query string, values []T, row func(scan func(...any) error) error) error {
	for part := range Few(values) {
		args := make([]any, len(part))
		for i, v := range part {
			args[i] = v
		}
		if err := q.Each(query+Placeholders(len(part)), args, row); err != nil {
			return err
		}
	}
	return nil
}
