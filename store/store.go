package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"daybook/app"
	"daybook/app/fault"
)

// Store is app.Store on an open database.
type Store struct {
	Engine
	queries
}

var _ app.Store = (*Store)(nil)

// New makes a Store of a database whose schema is up to date.
func New(e Engine) *Store {
	return &Store{e, queries{&querier{readers: e.Readers(), ctx: context.Background()}}}
}

// Write implements app.Store by Engine.Write.
func (s *Store) Write(ctx context.Context, change func(app.Tx) error) error {
	return s.Engine.Write(ctx, func(t *Transaction) error { return change(tx{queries{&t.querier}}) })
}

// Reader reads what was last committed. Once ctx has ended its methods fail with the error of ctx: those that wait for
// a connection at once, those that read many rows before the next row.
func (s *Store) Reader(ctx context.Context) app.Reader { return s.bound(ctx) }

// bound doesn't ask for ctx.Done(): a request's context makes a timer for the first who does, and a point read, which
// ends soon, shall not pay for one.
func (s *Store) bound(ctx context.Context) queries {
	return queries{&querier{ctx: ctx, readers: s.queries.readers}}
}

// Ping implements app.Store.
func (s *Store) Ping(ctx context.Context) error {
	var one int
	if err := s.scan("SELECT 1", nil, &one); err != nil {
		return err
	}
	return s.CheckWritable(ctx)
}

// queries implements app.Reader: on the readers' pool, or within a transaction.
type queries struct{ *querier }

// tx implements app.Tx.
type tx struct{ queries }

// Try implements app.Tx by a savepoint of its own.
func (t tx) Try(part func() error) error {
	if _, err := t.exec("SAVEPOINT part"); err != nil {
		return err
	}
	if err := part(); err != nil {
		if _, undo := t.exec("ROLLBACK TO part"); undo != nil {
			return errors.Join(err, undo)
		}
		if _, undo := t.exec("RELEASE part"); undo != nil {
			return errors.Join(err, undo)
		}
		return err
	}
	_, err := t.exec("RELEASE part")
	return err
}

// found turns "no row" into app.ErrNotFound.
func found(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.ErrNotFound
	}
	return err
}

// free turns a broken unique constraint into app.ErrTaken.
func free(err error) error {
	if errors.As(err, new(uniqueError)) {
		return fault.ErrTaken
	}
	return err
}

// orNull is v, or NULL for its zero value.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// millis is a duration as it is stored.
func millis(d time.Duration) int64 { return d.Milliseconds() }

// nullable reads a column that may be NULL into a value whose zero says so.
type nullable[T any] struct{ to *T }

// Scan implements sql.Scanner.
func (n nullable[T]) Scan(src any) error {
	var v sql.Null[T]
	if err := v.Scan(src); err != nil {
		return err
	}
	*n.to = v.V
	return nil
}

func orZero[T any](to *T) nullable[T] { return nullable[T]{to} }

// bytesOrNull is b, or NULL for none.
func bytesOrNull(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return b
}
