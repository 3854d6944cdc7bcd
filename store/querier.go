package store

import (
	"context"
)

// querier runs SQL. Every text is prepared once per connection and kept for good, keyed by the text itself, so texts
// are constants, or built from few shapes; values always travel as arguments.
//
// Statements run to their end whatever happens to the request: a cancellable context would cost each of them a
// goroutine (a third of a point read's p99). A view looks at its context between statements and between rows instead.
type querier struct {
	ctx     context.Context
	readers *readers // takes a session for each statement; nil when it has its own
	own     *session
	writing bool
	lost    error // writing only: the transaction is gone, nothing may run any more
}

// get scans the only, or first, row into dest, a struct or a scalar. No row is sql.ErrNoRows.
func (q *querier) get(dest any, query string, args ...any) error {
	s, err := q.take()
	if err != nil {
		return err
	}
	defer q.give(s)
	st, err := s.prepared(query)
	if err != nil {
		return q.note(err)
	}
	return q.note(st.Get(dest, args...))
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
		return q.note(err)
	}
	return q.note(st.Select(dest, args...))
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
		return q.note(err)
	}
	return q.note(st.Stmt.QueryRow(args...).Scan(dest...))
}

// each calls row for every row, without reflection. An error of row ends it and is returned as is. Run no statement
// of db.reader() inside row: each holds one of the few connections.
func (q *querier) each(query string, args []any, row func(scan func(...any) error) error) error {
	s, err := q.take()
	if err != nil {
		return err
	}
	defer q.give(s)
	st, err := s.prepared(query)
	if err != nil {
		return q.note(err)
	}
	rows, err := st.Stmt.Query(args...)
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
	s, err := q.take()
	if err != nil {
		return 0, err
	}
	defer q.give(s)
	st, err := s.prepared(query)
	if err != nil {
		return 0, q.note(err)
	}
	r, err := st.Stmt.Exec(args...)
	if err != nil {
		return 0, q.note(err)
	}
	return r.RowsAffected()
}

func (q *querier) take() (*session, error) {
	if q.lost != nil {
		return nil, q.lost
	}
	if err := q.ctx.Err(); err != nil {
		return nil, err
	}
	if q.own != nil {
		return q.own, nil
	}
	return q.readers.take(q.ctx)
}

func (q *querier) give(s *session) {
	if s != q.own {
		q.readers.give(s)
	}
}

// note remembers an error after which the transaction may be gone.
func (q *querier) note(err error) error {
	if err != nil && q.writing && endsTransaction(err) {
		q.lost = err
	}
	return err
}
