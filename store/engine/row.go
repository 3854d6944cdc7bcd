package engine

import (
	"database/sql"
	"errors"
	"strings"

	"daybook/app/fault"
)

// Found turns "no row" into fault.ErrNotFound.
func Found(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.ErrNotFound
	}
	return err
}

// Free turns a broken unique constraint into fault.ErrTaken.
func Free(err error) error {
	if errors.As(err, new(UniqueError)) {
		return fault.ErrTaken
	}
	return err
}

// List reads every row of a query with scan. Without rows it returns nil.
func List[T any](q interface {
	Each(query string, args []any, row func(scan func(...any) error) error) error
}, scan func(func(...any) error) (T, error), query string, args ...any) (all []T, err error) {
	err = q.Each(query, args, func(row func(...any) error) error {
		one, err := scan(row)
		all = append(all, one)
		return err
	})
	return all, err
}

// Bit returns a truth as columns have it: 1 or 0.
func Bit(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// OrNull returns v, or NULL for the zero value.
func OrNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// BytesOrNull returns b, or NULL when it is empty.
func BytesOrNull(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return b
}

// Nullable reads a column that may be NULL; NULL is the zero value.
type Nullable[T any] struct{ to *T }

// OrZero reads a column that may be NULL into to.
func OrZero[T any](to *T) Nullable[T] { return Nullable[T]{to} }

// Scan implements sql.Scanner.
func (n Nullable[T]) Scan(src any) error {
	var v sql.Null[T]
	if err := v.Scan(src); err != nil {
		return err
	}
	*n.to = v.V
	return nil
}

// AddAny adds that to a WHERE that the column is one of the values, if there are any.
func AddAny[T any](where *[]string, args *[]any, column string, values []T) {
	if len(values) == 0 {
		return
	}
	*where = append(*where, column+` IN (?`+strings.Repeat(`, ?`, len(values)-1)+`)`)
	for _, v := range values {
		*args = append(*args, v)
	}
}
