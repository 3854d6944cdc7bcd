package engine

import (
	"context"
	"errors"
)

// Frozen runs do with a Querier whose statements all see the same commits: those that there were at its first one.
// Within a transaction that is q itself. Only do uses the Querier, in one goroutine. Meanwhile a connection for reading
// is taken, and SQLite's log can't be begun anew, so do is short.
func (q *Querier) Frozen(do func(*Querier) error) (err error) {
	if q.own != nil {
		return do(q)
	}
	s, err := q.take()
	if err != nil {
		return err
	}
	defer q.give(s)
	if _, err := s.Conn.ExecContext(q.statement(s), s.dialect.Freeze); err != nil {
		return q.note(s, err)
	}
	defer func() {
		// The context may have ended, and do may panic: the connection goes back without a transaction all the same.
		if _, end := s.Conn.ExecContext(context.WithoutCancel(q.ctx), "ROLLBACK"); end != nil {
			err = errors.Join(err, q.note(s, end))
		}
	}()
	return do(&Querier{ctx: q.ctx, own: s})
}
