package engine

import (
	"context"
	"errors"
)

// Transaction is a connection within a transaction that the engine begins and ends. One goroutine uses it at a time.
type Transaction struct {
	q     Querier
	shown *[]any // see Watch
}

// NewTransaction makes a transaction on s. No context stops its statements.
func NewTransaction(s *Session) *Transaction {
	return &Transaction{q: Querier{own: s, ctx: context.Background(), writing: true}}
}

// Querier reads within the transaction and sees its changes.
func (t *Transaction) Querier() *Querier { return &t.q }

// Exec runs a statement and tells how many rows it changed. It fails once the transaction is lost.
func (t *Transaction) Exec(query string, args ...any) (affected int64, err error) {
	s, err := t.q.take()
	if err != nil {
		return 0, err
	}
	st, err := s.prepared(query)
	if err != nil {
		return 0, t.q.note(s, err)
	}
	r, err := st.Stmt.Exec(args...)
	if err == nil {
		affected, err = r.RowsAffected()
	}
	t.q.wrote = t.q.wrote || !st.harmless && (affected > 0 || err != nil)
	return affected, t.q.note(s, err)
}

// Later is Exec of a statement of which nobody asks how many rows it changed. Where a round trip to the database costs
// something, it is sent together with the next statement, or with the commit, and runs just before that. Its error then
// comes out of that one, or of Write; so it is for statements that fail only when the whole change must, or when it is
// run again.
func (t *Transaction) Later(query string, args ...any) error {
	s, err := t.q.take()
	if err != nil {
		return err
	}
	if s.dialect.Drop == nil {
		_, err := t.Exec(query, args...)
		return err
	}
	st, err := s.prepared(query)
	if err == nil {
		_, err = st.Stmt.ExecContext(later, args...)
	}
	return t.q.note(s, err)
}

// Ahead tells which reads come next: do makes them, and finds no rows. Where a round trip to the database costs
// something, they are sent together with the next statement that is waited for, to run just before it and behind what
// was to run Later, and a read that is then made with the same values takes its rows from there. Any other statement
// drops rows that nobody has taken. A booking made on PostgreSQL takes 3.8 round trips with it, and 7.1 without. So Ahead
// alters what a change costs and not what it finds, if what do reads can't
// alter any more: it is behind a lock that was taken, or is to be taken Later.
//
// do must do nothing but read. It may not be called at all.
func (t *Transaction) Ahead(do func()) {
	if t.q.own.dialect.Drop == nil {
		return
	}
	t.q.asking = true
	defer func() { t.q.asking = false }()
	do()
}

type laterKey struct{}

type aheadKey struct{}

var ahead = context.WithValue(context.Background(), aheadKey{}, true)

// IsAhead tells a driver that the statement run with ctx is a read that will come: see Transaction.Ahead.
func IsAhead(ctx context.Context) bool { return ctx.Value(aheadKey{}) != nil }

var later = context.WithValue(context.Background(), laterKey{}, true)

// IsLater tells a driver that the statement run with ctx may wait for the next one: see Transaction.Later.
func IsLater(ctx context.Context) bool { return ctx.Value(laterKey{}) != nil }

// All is Querier.All within the transaction.
func (t *Transaction) All(dest any, query string, args ...any) error {
	return t.q.All(dest, query, args...)
}

// Scan is Querier.Scan within the transaction.
func (t *Transaction) Scan(query string, args []any, dest ...any) error {
	return t.q.Scan(query, args, dest...)
}

// One is Querier.One within the transaction.
func (t *Transaction) One(query string, args ...any) func(dest ...any) error {
	return t.q.One(query, args...)
}

// Each is Querier.Each within the transaction.
func (t *Transaction) Each(query string, args []any, row func(scan func(...any) error) error) error {
	return t.q.Each(query, args, row)
}

// Try runs part and returns its error. When part fails, its changes are undone and the transaction continues without
// them. Parts may be nested.
func (t *Transaction) Try(part func() error) error {
	if _, err := t.Exec("SAVEPOINT part"); err != nil {
		return err
	}
	shown, before, wrote := t.shown, 0, t.q.wrote
	if shown != nil {
		before = len(*shown)
	}
	err := part()
	if err == nil {
		if _, err = t.Exec("RELEASE part"); err == nil {
			return nil
		}
	}
	if t.shown = shown; shown != nil {
		*shown = (*shown)[:before]
	}
	if t.q.lost == nil { // with an error after which nothing can be run, Lost tells it
		if drop := t.q.own.dialect.Drop; drop != nil {
			drop(t.q.own.Conn)
		}
		if _, undo := t.Exec("ROLLBACK TO part"); undo != nil {
			return errors.Join(err, undo)
		}
		if _, undo := t.Exec("RELEASE part"); undo != nil {
			return errors.Join(err, undo)
		}
		t.q.wrote = wrote
	}
	return err
}

// Watch returns where the rows stand that the nouns Show from now on, without those of parts that were undone.
func (t *Transaction) Watch() *[]any {
	t.shown = new([]any)
	return t.shown
}

// Show tells whoever watches of a row that is written.
func (t *Transaction) Show(row any) {
	if t.shown != nil {
		*t.shown = append(*t.shown, row)
	}
}

// Serial tells whether write transactions run one after the other, see Dialect.Serial.
func (t *Transaction) Serial() bool { return t.q.Serial() }

// Brief lets others continue after a second when this process stops in the middle of the transaction. A transaction
// that holds what many others wait for calls it. When this process continues, Write runs the change again.
func (t *Transaction) Brief() error {
	if t.q.own.dialect.Brief == "" {
		return nil
	}
	return t.Later(t.q.own.dialect.Brief)
}

// Lost is the error that ended the transaction (see Dialect.Ends), or nil. The engine must not commit a lost
// transaction, whatever the change returned.
func (t *Transaction) Lost() error { return t.q.lost }

// Again lets statements run again after a lost transaction.
func (t *Transaction) Again() { t.q.lost = nil }

// Next is called before each of the changes that share a transaction: nobody watches it yet.
func (t *Transaction) Next() { t.q.wrote, t.shown = false, nil }

// Wrote tells whether anything may have been changed since Next.
func (t *Transaction) Wrote() bool { return t.q.wrote }
