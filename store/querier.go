package store

import (
	"context"
	"database/sql"
	"sync"

	"github.com/jmoiron/sqlx"
)

// querier runs SQL. Every text is prepared once per connection and kept for good, keyed by the text itself, so texts
// are constants, or built from few shapes; values always travel as arguments.
//
// Statements run to their end whatever happens to the request: a cancellable context would cost each of them a
// goroutine (a third of a point read's p99). view looks at its context between statements and between rows instead.
type querier struct {
	kept    *statements
	ctx     context.Context // of a view
	tx      *sqlx.Tx        // of a view: statements run on its connection
	writing bool
	lost    error // writing only: the transaction is gone, nothing may run any more
}

// get scans the only, or first, row into dest, a struct or a scalar. No row is sql.ErrNoRows.
func (q *querier) get(dest any, query string, args ...any) error {
	s, err := q.stmt(query)
	if err != nil {
		return err
	}
	return q.note(s.Get(dest, args...))
}

// all scans every row into dest, a pointer to a slice.
func (q *querier) all(dest any, query string, args ...any) error {
	s, err := q.stmt(query)
	if err != nil {
		return err
	}
	return q.note(s.Select(dest, args...))
}

// scan reads one row without reflection. No row is sql.ErrNoRows.
func (q *querier) scan(query string, args []any, dest ...any) error {
	s, err := q.stmt(query)
	if err != nil {
		return err
	}
	return q.note(s.Stmt.QueryRow(args...).Scan(dest...))
}

// each calls row for every row, without reflection. An error of row ends it and is returned as is. Inside row, run
// no other statement on the readers: each of them holds one of the few connections.
func (q *querier) each(query string, args []any, row func(scan func(...any) error) error) error {
	s, err := q.stmt(query)
	if err != nil {
		return err
	}
	rows, err := s.Stmt.Query(args...)
	if err != nil {
		return q.note(err)
	}
	defer rows.Close()
	scan := rows.Scan
	for rows.Next() {
		if err := q.ctx.Err(); err != nil {
			return err
		}
		if err := row(scan); err != nil {
			return err
		}
	}
	return q.note(rows.Err())
}

// exec runs a statement and tells how many rows it changed.
func (q *querier) exec(query string, args ...any) (affected int64, err error) {
	s, err := q.stmt(query)
	if err != nil {
		return 0, err
	}
	r, err := s.Stmt.Exec(args...)
	if err != nil {
		return 0, q.note(err)
	}
	return r.RowsAffected()
}

func (q *querier) stmt(query string) (*sqlx.Stmt, error) {
	if q.lost != nil {
		return nil, q.lost
	}
	if err := q.ctx.Err(); err != nil {
		return nil, err
	}
	s, err := q.kept.get(query)
	if err != nil {
		return nil, q.note(err)
	}
	if q.tx != nil {
		s = q.tx.Stmtx(s)
	}
	return s, nil
}

// note remembers an error after which the transaction may be gone.
func (q *querier) note(err error) error {
	if err != nil && q.writing && endsTransaction(err) {
		q.lost = err
	}
	return err
}

// statements are the prepared texts of one pool or one connection.
type statements struct {
	prepare func(context.Context, string) (*sqlx.Stmt, error)
	bind    int
	byText  sync.Map // string → *sqlx.Stmt
}

func (s *statements) get(query string) (*sqlx.Stmt, error) {
	if st, ok := s.byText.Load(query); ok {
		return st.(*sqlx.Stmt), nil
	}
	st, err := s.prepare(context.Background(), sqlx.Rebind(s.bind, query))
	if err != nil {
		return nil, err
	}
	if first, raced := s.byText.LoadOrStore(query, st); raced {
		st.Close()
		return first.(*sqlx.Stmt), nil
	}
	return st, nil
}

func (s *statements) close() {
	s.byText.Range(func(_, st any) bool { st.(*sqlx.Stmt).Close(); return true })
}

// reader runs single statements on the readers' pool. Each sees the last commit; two of them may see different ones.
func (db *DB) reader() *querier { return db.read }

// view runs fn in one read transaction: all its statements see the same commit. ctx bounds the wait for a
// connection and is looked at before every statement.
func (db *DB) view(ctx context.Context, fn func(*querier) error) error {
	conn, err := db.readers.Connx(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	tx, err := conn.BeginTxx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing to commit
	return fn(&querier{kept: db.read.kept, ctx: ctx, tx: tx})
}
