package engine

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
)

// Session is one connection and the statements prepared on it. One goroutine uses it at a time.
type Session struct {
	Conn    *sqlx.Conn // for the engine; the nouns use a Querier or a Transaction
	dialect *Dialect
	kept    map[string]*statement // by the text that the noun uses
	gone    bool                  // see Dialect.Gone
	losses  int64                 // of the pool, when the connection was last known to work
}

// NewSession takes a connection from pool until Close.
func NewSession(ctx context.Context, pool *sqlx.DB, d *Dialect) (*Session, error) {
	conn, err := pool.Connx(ctx)
	if err != nil {
		return nil, err
	}
	return &Session{Conn: conn, dialect: d, kept: map[string]*statement{}}, nil
}

// statement is prepared on one session.
type statement struct {
	*sqlx.Stmt
	text     string // as the database takes it
	harmless bool   // it changes nothing
}

func (s *Session) prepared(query string) (*statement, error) {
	if st, ok := s.kept[query]; ok {
		return st, nil
	}
	text := s.dialect.Text(query)
	prepared, err := s.Conn.PreparexContext(context.Background(), text)
	if err != nil {
		return nil, err
	}
	st := &statement{Stmt: prepared, text: text, harmless: isHarmless(query)}
	s.kept[query] = st
	return st, nil
}

// harmless are how statements begin that change nothing; a ROLLBACK TO undoes, which is as good.
var harmless = []string{"SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK"}

// isHarmless tells whether a statement certainly changes nothing.
func isHarmless(query string) bool {
	query = strings.TrimSpace(query)
	return slices.ContainsFunc(harmless, func(begin string) bool { return strings.HasPrefix(query, begin) })
}

// note checks, after an error, whether the connection is lost.
func (s *Session) note(err error) {
	if err != nil && s.dialect.Gone != nil {
		s.gone = s.gone || s.dialect.Gone(s.Conn)
	}
}

// Away tells whether err, of a statement on the session, comes of a server that may be there again in a moment.
func (s *Session) Away(err error) bool {
	return s.gone || s.dialect.Away != nil && s.dialect.Away(err)
}

// Close gives the connection back. Where connections can be lost, the server drops the statements with the connection,
// so they are not closed one by one.
func (s *Session) Close() error {
	if s.dialect.Gone != nil {
		if err := s.Conn.Close(); !errors.Is(err, sql.ErrConnDone) {
			return err
		}
		return nil
	}
	var errs []error
	for _, st := range s.kept {
		errs = append(errs, st.Close())
	}
	return errors.Join(append(errs, s.Conn.Close())...)
}

// Pool lends each of its sessions to one goroutine at a time. Unlike in database/sql, every connection keeps its
// prepared statements. A session whose connection is lost is opened again when it is next needed.
type Pool struct {
	pool    *sqlx.DB
	dialect *Dialect
	free    chan *Session
	closed  chan struct{} // holds one for each session that is not open
	losses  atomic.Int64  // how many connections were lost; those not checked since then may be lost too
	line    line
}

const crowdedPause = 100 * time.Millisecond

// NewPool takes at most size connections from pool: ready of them now, the others when all that are open are lent. It
// owns pool: Close closes it, and so does an error of NewPool.
func NewPool(ctx context.Context, pool *sqlx.DB, d *Dialect, ready, size int) (*Pool, error) {
	p := &Pool{pool: pool, dialect: d, free: make(chan *Session, size), closed: make(chan struct{}, size)}
	for i := range size {
		if i >= ready {
			p.closed <- struct{}{}
			continue
		}
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
	select { // one that is open before one that has to be opened
	case s, open := <-p.free:
		return p.ready(ctx, s, open)
	default:
	}
	select {
	case s, open := <-p.free:
		return p.ready(ctx, s, open)
	case _, open := <-p.closed:
		return p.ready(ctx, nil, open)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// ready returns a free session, on a new connection if its own is lost or it is nil. While the server has no room for
// one more connection, it waits for a session that others have.
func (p *Pool) ready(ctx context.Context, s *Session, open bool) (*Session, error) {
	if !open {
		return nil, ErrClosed
	}
	losses := p.losses.Load()
	if s != nil && s.losses == losses {
		return s, nil
	}
	if s != nil && s.Conn.PingContext(ctx) != nil {
		s.Close() // the connection is lost, so the error does not matter
		s = nil
	}
	if s == nil {
		var err error
		if s, err = NewSession(ctx, p.pool, p.dialect); err != nil {
			p.closed <- struct{}{}
			if p.dialect.Crowded == nil || !p.dialect.Crowded(err) || len(p.closed) == cap(p.closed) {
				return nil, err
			}
			select {
			case s, open := <-p.free:
				return p.ready(ctx, s, open)
			case <-time.After(crowdedPause): // the others may be lost
				return p.Take(ctx)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}
	s.losses = losses
	return s, nil
}

// Suspect makes the pool check every session before it is lent again. It is called when a connection to the same
// server was lost.
func (p *Pool) Suspect() { p.losses.Add(1) }

// isAway tells whether err, of opening a connection, comes of a server that may be there again in a moment.
func (p *Pool) isAway(err error) bool { return p.dialect.Away != nil && p.dialect.Away(err) }

// Serial tells whether write transactions run one after the other, see Dialect.Serial.
func (p *Pool) Serial() bool { return p.dialect.Serial }

// Size returns the number of sessions.
func (p *Pool) Size() int { return cap(p.free) }

// Used returns how many sessions are lent.
func (p *Pool) Used() int { return max(0, cap(p.free)-len(p.free)-len(p.closed)) }

// Give returns a session that was taken.
func (p *Pool) Give(s *Session) {
	if s.gone {
		s.Close() // the connection is lost, so the error does not matter
		p.Suspect()
		p.closed <- struct{}{}
		return
	}
	p.free <- s
}

// Close waits until all sessions are given back.
func (p *Pool) Close() error {
	var errs []error
	for range cap(p.free) {
		select {
		case s := <-p.free:
			errs = append(errs, s.Close())
		case <-p.closed:
		}
	}
	close(p.closed)
	close(p.free)
	return errors.Join(append(errs, p.pool.Close())...)
}
