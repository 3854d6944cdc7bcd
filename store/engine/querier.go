package engine

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Querier reads. Every statement is prepared once per connection and kept, under its text. So texts are constants or
// built from few shapes, and values are always arguments.
//
// Its context is checked before each statement, while it waits for a connection, and between rows; see
// Dialect.Cancels. SQLite's driver would need a goroutine for each statement that can be stopped, which makes the
// slowest point reads a third slower.
type Querier struct {
	ctx     context.Context
	readers *Pool // takes a session for each statement; nil when it has its own
	own     *Session
	writing bool
	lost    error // writing only: the transaction is lost, and no statement may run
	wrote   bool  // writing only: see Transaction.Wrote
	asking  bool  // writing only: reads are only told to the connection, see Transaction.Ahead
}

// NewQuerier reads what was last committed, on readers.
func NewQuerier(ctx context.Context, readers *Pool) *Querier {
	return &Querier{ctx: ctx, readers: readers}
}

// All scans every row into dest, a pointer to a slice.
func (q *Querier) All(dest any, query string, args ...any) error {
	if q.asking {
		return q.ask(query, args)
	}
	s, st, err := q.begin(query)
	if err != nil {
		return err
	}
	defer q.give(s)
	return q.note(s, st.SelectContext(q.statement(s), dest, args...))
}

// Serial tells whether write transactions run one after the other, see Dialect.Serial.
func (q *Querier) Serial() bool {
	if q.own != nil {
		return q.own.dialect.Serial
	}
	return q.readers.Serial()
}

// Scan reads one row without reflection. No row is sql.ErrNoRows.
func (q *Querier) Scan(query string, args []any, dest ...any) error {
	if q.asking {
		return cmp.Or(q.ask(query, args), sql.ErrNoRows)
	}
	s, st, err := q.begin(query)
	if err != nil {
		return err
	}
	defer q.give(s)
	return q.note(s, st.Stmt.QueryRowContext(q.statement(s), args...).Scan(dest...))
}

// One is Scan for a function that reads a row.
func (q *Querier) One(query string, args ...any) func(dest ...any) error {
	return func(dest ...any) error { return q.Scan(query, args, dest...) }
}

// Each calls row for every row, without reflection. An error of row ends the loop and is returned as it is. row must
// not use another querier, because each holds one of the few connections.
func (q *Querier) Each(query string, args []any, row func(scan func(...any) error) error) error {
	if q.asking {
		return q.ask(query, args)
	}
	s, st, err := q.begin(query)
	if err != nil {
		return err
	}
	defer q.give(s)
	rows, err := st.Stmt.QueryContext(q.statement(s), args...)
	if err != nil {
		return q.note(s, err)
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
	return q.note(s, rows.Err())
}

// Integers runs the query once for each set of its parameters and calls row for every row of the answers, in their
// order, with the index of its set. Parameters and columns are integers, and NULL is an error. values is overwritten
// after row returns. Row must not use another querier.
//
// It is for many rows that are small: a row takes a fraction of the time that Each needs. Outside of a transaction all
// sets cost one round trip to the database, and calls that wait for a session are sent together (see line).
func (q *Querier) Integers(query string, sets [][]int64, row func(set int, values []int64)) error {
	if q.asking {
		var err error
		for _, set := range sets {
			err = cmp.Or(err, q.ask(query, arguments(set)))
		}
		return err
	}
	if len(sets) == 0 {
		return nil
	}
	if q.own == nil && q.readers.dialect.Integers != nil && q.ctx.Err() == nil {
		if flew, err := q.readers.together(q.ctx, query, sets, row); flew || err != nil {
			return err
		}
	}
	s, st, err := q.begin(query)
	if err != nil {
		return err
	}
	defer q.give(s)
	if s.dialect.Integers != nil && q.own == nil {
		return q.note(s, s.dialect.Integers(q.statement(s), s.Conn, st.text, sets, row))
	}
	for i, set := range sets {
		if err := q.integers(s, st, set, func(values []int64) { row(i, values) }); err != nil {
			return q.note(s, err)
		}
	}
	return nil
}

// integers is Integers for one set.
func (q *Querier) integers(s *Session, st *statement, set []int64, row func([]int64)) error {
	rows, err := st.QueryContext(q.statement(s), arguments(set)...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	// database/sql converts into anything but any by reflection.
	found, dest, values := make([]any, len(columns)), make([]any, len(columns)), make([]int64, len(columns))
	for i := range found {
		dest[i] = &found[i]
	}
	for rows.Next() {
		if err := q.ctx.Err(); err != nil {
			return err
		}
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		for i, value := range found {
			n, ok := value.(int64)
			if !ok {
				return NotInteger(columns[i])
			}
			values[i] = n
		}
		row(values)
	}
	return rows.Err()
}

func arguments(set []int64) []any {
	args := make([]any, len(set))
	for i, value := range set {
		args[i] = value
	}
	return args
}

// NotInteger is the error of Integers for a column that holds something else.
func NotInteger(column string) error { return fmt.Errorf("store: column %s holds no integer", column) }

// Context returns the context of its statements.
func (q *Querier) Context() context.Context { return q.ctx }

// ask tells the connection of a read that will come.
func (q *Querier) ask(query string, args []any) error {
	s, st, err := q.begin(query)
	if err != nil {
		return err
	}
	_, err = st.Stmt.ExecContext(ahead, args...)
	return q.note(s, err)
}

// begin takes a session and the query's statement on it. Without an error the caller gives the session back.
func (q *Querier) begin(query string) (*Session, *statement, error) {
	s, err := q.take()
	if err != nil {
		return nil, nil, err
	}
	st, err := s.prepared(query)
	if err != nil {
		err = q.note(s, err)
		q.give(s)
		return nil, nil, err
	}
	if q.writing && !st.harmless { // readers' are many goroutines'
		q.wrote = true
	}
	return s, st, nil
}

// statement returns the context that a statement on s runs with.
func (q *Querier) statement(s *Session) context.Context {
	if s.dialect.Cancels {
		return q.ctx
	}
	return context.Background()
}

func (q *Querier) take() (*Session, error) {
	if q.lost != nil {
		return nil, q.lost
	}
	if err := q.ctx.Err(); err != nil {
		return nil, err
	}
	if q.own != nil {
		return q.own, nil
	}
	s, err := q.readers.Take(q.ctx)
	if err != nil && q.readers.isAway(err) && q.ctx.Err() == nil {
		err = Unavailable(err)
	}
	return s, err
}

func (q *Querier) give(s *Session) {
	if s != q.own {
		q.readers.Give(s)
	}
}

// note remembers an error that ends the transaction, wraps an error of a unique constraint in UniqueError, and makes an
// error of a reader Unavailable where it is. What a change meets, its engine tells: the change may run again.
func (q *Querier) note(s *Session, err error) error {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	s.note(err)
	if q.writing && s.dialect.Ends(err) {
		q.lost = err
	}
	if s.dialect.Unique(err) {
		return UniqueError{err}
	}
	if !q.writing && s.Away(err) && q.ctx.Err() == nil {
		return Unavailable(err)
	}
	return err
}
