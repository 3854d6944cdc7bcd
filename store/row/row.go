// package row passes values between Go and the columns of a row: what may be NULL, lists, and the errors that rules
// know.
package row

import (
	"database/sql"
	"errors"

	"daybook/app/fault"
	"daybook/store/engine"
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
	if errors.As(err, new(engine.UniqueError)) {
		return fault.ErrTaken
	}
	return err
}

// List reads every row of a query by scan. It is nil when there is none.
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

// OrNull is v, or NULL for its zero value.
func OrNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// BytesOrNull is b, or NULL for none.
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
