package store

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"
)

// session is one connection and the statements prepared on it. One goroutine uses it at a time.
type session struct {
	conn *sqlx.Conn
	bind int
	kept map[string]*sqlx.Stmt // by the text as it was written, with ?
}

func newSession(ctx context.Context, pool *sqlx.DB, d *dialect) (*session, error) {
	conn, err := pool.Connx(ctx)
	if err != nil {
		return nil, err
	}
	return &session{conn: conn, bind: d.bind, kept: map[string]*sqlx.Stmt{}}, nil
}

func (s *session) prepared(query string) (*sqlx.Stmt, error) {
	if st, ok := s.kept[query]; ok {
		return st, nil
	}
	st, err := s.conn.PreparexContext(context.Background(), sqlx.Rebind(s.bind, query))
	if err != nil {
		return nil, err
	}
	s.kept[query] = st
	return st, nil
}

func (s *session) close() error {
	var errs []error
	for _, st := range s.kept {
		errs = append(errs, st.Close())
	}
	return errors.Join(append(errs, s.conn.Close())...)
}

// readers are the sessions that read, lent to one goroutine at a time. Held ready like this rather than by
// database/sql, a read transaction costs two prepared statements instead of a goroutine and two parsed ones.
type readers struct {
	pool *sqlx.DB
	free chan *session
}

func newReaders(ctx context.Context, pool *sqlx.DB, d *dialect, size int) (*readers, error) {
	r := &readers{pool: pool, free: make(chan *session, size)}
	for range size {
		s, err := newSession(ctx, pool, d)
		if err != nil {
			return nil, errors.Join(err, pool.Close())
		}
		r.free <- s
	}
	return r, nil
}

func (r *readers) take(ctx context.Context) (*session, error) {
	select {
	case s, open := <-r.free:
		if !open {
			return nil, ErrClosed
		}
		return s, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (r *readers) give(s *session) { r.free <- s }

// close waits for the reads under way.
func (r *readers) close() error {
	var errs []error
	for range cap(r.free) {
		errs = append(errs, (<-r.free).close())
	}
	close(r.free)
	return errors.Join(append(errs, r.pool.Close())...)
}

// reader runs single statements on the readers. Each sees the last commit; two of them may see different ones.
func (db *DB) reader() *querier { return db.read }

// view runs fn in one read transaction: everything that fn reads through q is of the same commit. ctx is looked at
// before each statement and between rows. fn uses q only: db.reader() inside would hold a second connection.
func (db *DB) view(ctx context.Context, fn func(q *querier) error) (err error) {
	s, err := db.readers.take(ctx)
	if err != nil {
		return err
	}
	defer db.readers.give(s)
	tx := &querier{ctx: context.Background(), own: s}
	if _, err := tx.exec("BEGIN"); err != nil {
		return err
	}
	defer func() {
		if _, end := tx.exec("ROLLBACK"); err == nil { // there is nothing to commit
			err = end
		}
	}()
	return fn(&querier{ctx: ctx, own: s})
}
