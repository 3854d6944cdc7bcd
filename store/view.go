package store

import (
	"context"

	"daybook/app"
)

// View is the database as a room of app sees it: T is the room's interface of a transaction, R that of what it reads.
// All views of a Store share its transactions, so that the core and the rooms change things together:
//
//	rooms.Write(ctx, func(tx account.Tx) error { return core.In(tx).Book(…) })
type View[T app.Tx, R any] struct{ store *Store }

// Of is s as a room sees it. It panics when the store lacks a method of T or R, and names it: a program that starts
// has them all.
func Of[T app.Tx, R any](s *Store) View[T, R] {
	_ = any(tx{}).(T)
	_ = any(queries{}).(R)
	return View[T, R]{s}
}

// Write runs change in a transaction, as app.Store says.
func (v View[T, R]) Write(ctx context.Context, change func(tx T) error) error {
	return v.store.Write(ctx, func(tx app.Tx) error { return change(tx.(T)) })
}

// Reader reads what was last committed, as Store.Reader does.
func (v View[T, R]) Reader(ctx context.Context) R { return any(v.store.bound(ctx)).(R) }

// DataVersion changes whenever anybody has committed something, as app.Store says.
func (v View[T, R]) DataVersion() (int64, error) { return v.store.DataVersion() }
