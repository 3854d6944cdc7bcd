package store

import (
	"context"

	"daybook/store/engine"
)

// queries implement app.Reader and the subjects' Readers: on the readers' pool, or within a transaction. One pointer,
// which an interface holds as it is.
type queries struct{ *reading }

// reading is what queries read with.
type reading struct {
	*engine.Querier
	numbering *numbering // nil within a transaction, and where inserts take numbers
}

// tx implements app.Tx and the subjects'.
type tx struct {
	queries
	*engine.Transaction
	uid *uidDomain
	let *letting
}

// Try implements app.Tx by Transaction.Try. Numbers that an undone part gave to domains are not remembered, and it has let
// nothing go.
func (t tx) Try(part func() error) error {
	before, let := *t.uid, len(t.let.all)
	err := t.Transaction.Try(part)
	if err != nil {
		*t.uid, t.let.all = before, t.let.all[:let]
	}
	return err
}

// reader reads what was last committed: one object, since each request makes one.
func reader(ctx context.Context, readers *engine.Pool, n *numbering) queries {
	r := &struct {
		reading
		q engine.Querier
	}{q: *engine.NewQuerier(ctx, readers)}
	r.reading = reading{Querier: &r.q, numbering: n}
	return queries{&r.reading}
}

func newTx(t *engine.Transaction) tx {
	return tx{queries: queries{&reading{Querier: t.Querier()}}, Transaction: t, uid: &uidDomain{}, let: &letting{}}
}
