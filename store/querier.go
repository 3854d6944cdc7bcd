package store

import (
	"context"
	"database/sql"
)

// querier runs SQL. Every text is prepared once per connection and kept for good, keyed by the text itself, so texts
// are constants, or built from few shapes; values always travel as arguments.
//
// A statement runs to its end whatever happens to ctx, because to stop one would cost SQLite's driver a goroutine each
// (a third of a point read's p99). ctx is looked at before each statement, while it waits for a connection, and between
// rows.
type querier struct {
	ctx     context.Context
	readers *Pool // takes a session for each statement; nil when it has its own
	own     *Session
	writing bool
	lost    error // writing only: the transaction is gone, nothing may run any more
}

// all scans every row into dest, a pointer to a slice.
func (q *querier) all(dest any, query string, args ...any) error {
	s, err := q.take()
	if err != nil {
		return err
	}
	defer q.give(s)
	st, err := s.prepared(query)
	if err != nil {
		return q.note(s, err)
	}
	return q.note(s, st.Select(dest, args...))
}

// scan reads one row without reflection. No row is sql.ErrNoRows.
func (q *querier) scan(query string, args []any, dest ...any) error {
	s, err := q.take()
	if err != nil {
		return err
	}
	defer q.give(s)
	st, err := s.prepared(query)
	if err != nil {
		return q.note(s, err)
	}
	return q.note(s, st.Stmt.QueryRow(args...).Scan(dest...))
}

// each calls row for every row, without reflection. An error of row ends it and is returned as is. Run no statement
// on another querier inside row: each holds one of the few connections.
func (q *querier) each(query string, args []any, row func(scan func(...any) error) error) error {
	s, err := q.take()
	if err != nil {
		return err
	}
	defer q.give(s)
	st, err := s.prepared(query)
	if err != nil {
		return q.note(s, err)
	}
	rows, err := st.Stmt.Query(args...)
	if err != nil {
		return q.note(s, err)
	}
	defer rows.Close()
	q.ctx.Done() // starts the timer of a request's context: Err knows of its deadline only then
	scan := rows.Scan
	for rows.Next() {
		if err := q.ctx.Err(); err != nil {
			return err
		}
		if err := row(scan); err != nil {
			return err
		}
	}
	return q.note(s, rows.Err())
}

// exec runs a statement and tells how many rows it changed.
func (q *querier) exec(query string, args ...any) (affected int64, err error) {
	s, err := q.take()
	if err != nil {
		return 0, err
	}
	defer q.give(s)
	st, err := s.prepared(query)
	if err != nil {
		return 0, q.note(s, err)
	}
	r, err := st.Stmt.Exec(args...)
	if err != nil {
		return 0, q.note(s, err)
	}
	return r.RowsAffected()
}

func (q *querier) take() (*Session, error) {
	if q.lost != nil {
		return nil, q.lost
	}
	if err := q.ctx.Err(); err != nil {
		return nil, err
	}
	if q.own != nil {
		return q.own, nil
	}
	return q.readers.Take(q.ctx)
}

func (q *querier) give(s *Session) {
	if s != q.own {
		q.readers.Give(s)
	}
}

// note remembers an error after which the transaction may be gone, and tells which errors are of unique constraints.
func (q *querier) note(s *Session, err error) error {
	if err == nil || err == sql.ErrNoRows {
		return err
	}
	if q.writing && s.dialect.Ends(err) {
		q.lost = err
	}
	if s.dialect.Unique(err) {
		return uniqueError{err}
	}
	return err
}
