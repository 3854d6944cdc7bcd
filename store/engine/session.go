package engine

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
)

// Session is one connection and the statements prepared on it. One goroutine uses it at a time.
type Session struct {
	Conn    *sqlx.Conn // for its engine; the nouns' statements go through a Querier or a Transaction
	dialect *Dialect
	kept    map[string]*sqlx.Stmt // by the text as the noun has it
}

// NewSession takes a connection of pool until Close.
func NewSession(ctx context.Context, pool *sqlx.DB, d *Dialect) (*Session, error) {
	conn, err := pool.Connx(ctx)
	if err != nil {
		return nil, err
	}
	return &Session{Conn: conn, dialect: d, kept: map[string]*sqlx.Stmt{}}, nil
}

func (s *Session) prepared(query string) (*sqlx.Stmt, error) {
	if st, ok := s.kept[query]; ok {
		return st, nil
	}
	st, err := s.Conn.PreparexContext(context.Background(), s.dialect.Text(query))
	if err != nil {
		return nil, err
	}
	s.kept[query] = st
	return st, nil
}

// Close gives the connection back.
func (s *Session) Close() error {
	var errs []error
	for _, st := range s.kept {
		errs = append(errs, st.Close())
	}
	return errors.Join(append(errs, s.Conn.Close())...)
}

// Pool is sessions lent to one goroutine at a time. Held ready like this, rather than by
// database/sql, every connection keeps its prepared statements.
type Pool struct {
	pool *sqlx.DB
	free chan *Session
}

// NewPool takes size connections of pool, and pool itself: Close closes it, as does an error.
func NewPool(ctx context.Context, pool *sqlx.DB, d *Dialect, size int) (*Pool, error) {
	p := &Pool{pool: pool, free: make(chan *Session, size)}
	for range size {
		s, err := NewSession(ctx, pool, d)
		if err != nil {
			return nil, errors.Join(err, pool.Close())
		}
		p.free <- s
	}
	return p, nil
}

// Take waits for a free session until ctx ends. Give returns it.
func (p *Pool) Take(ctx context.Context) (*Session, error) {
	select { // ctx.Done() may make a timer: only who has to wait asks for it
	case s, open := <-p.free:
		if !open {
			return nil, ErrClosed
		}
		return s, nil
	default:
	}
	select {
	case s, open := <-p.free:
		if !open {
			return nil, ErrClosed
		}
		return s, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Size is how many sessions there are.
func (p *Pool) Size() int { return cap(p.free) }

// Give returns a session that was taken.
func (p *Pool) Give(s *Session) { p.free <- s }

// Close waits for the sessions that are lent.
func (p *Pool) Close() error {
	var errs []error
	for range cap(p.free) {
		errs = append(errs, (<-p.free).Close())
	}
	close(p.free)
	return errors.Join(append(errs, p.pool.Close())...)
}
