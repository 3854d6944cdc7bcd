package store

import (
	"context"
	"sync"

	"daybook/app"
	"daybook/app/upkeep/health"
	"daybook/store/engine"
)

// A subject takes its own view out of app.Reader and app.Tx. Here, and where each one's rows are read, the compiler proves
// that it gets it.
var (
	_ app.Reader    = queries{}
	_ app.Tx        = tx{}
	_ health.Reader = queries{}
	_ health.Reader = tx{}
	_ health.Tx     = tx{}
)

// Store is app.Store on an open database.
type Store struct {
	engine.Engine
	queries
	uidDomains sync.Map // domain → number, of those that are committed: they stay as they are
}

var _ app.Store = (*Store)(nil)

// New makes a Store of a database whose schema is up to date.
func New(e engine.Engine) *Store {
	return &Store{Engine: e, queries: reader(context.Background(), e.Readers(), newNumbering(e))}
}

// Write implements app.Store by Engine.Write.
func (s *Store) Write(ctx context.Context, change func(app.Tx) error) error {
	return s.write(ctx, s.Engine.Write, change)
}

// WriteAlong implements app.Store by Engine.WriteAlong.
func (s *Store) WriteAlong(ctx context.Context, change func(app.Tx) error) error {
	return s.write(ctx, s.Engine.WriteAlong, change)
}

func (s *Store) write(ctx context.Context, write func(context.Context, func(*engine.Transaction) error) error,
	change func(app.Tx) error) error {
	var used *uidDomain
	err := write(ctx, func(t *engine.Transaction) error {
		tx := newTx(t)
		tx.uid.known = &s.uidDomains
		used = tx.uid
		return change(tx)
	})
	if err == nil && used != nil && used.number != 0 {
		s.uidDomains.Store(used.domain, used.number)
	}
	return err
}

// Reader reads what was last committed. Once ctx has ended its methods fail with the error of ctx: those that wait for
// a connection at once, those that read many rows before the next row.
func (s *Store) Reader(ctx context.Context) app.Reader { return s.bound(ctx) }

func (s *Store) bound(ctx context.Context) queries {
	return reader(ctx, s.Readers(), s.numbering)
}

// Ping implements app.Store.
func (s *Store) Ping(ctx context.Context) error {
	var one int
	if err := s.Scan("SELECT 1", nil, &one); err != nil {
		return err
	}
	return s.CheckWritable(ctx)
}
