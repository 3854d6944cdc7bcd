package engine

import (
	"context"
	"slices"
	"sync"
)

// line is the calls of Querier.Integers that wait for a session of a pool. A session that is free, or can be opened,
// takes several of them at once, in one flight: the more calls wait, the less each costs the database, and none waits
// longer for it.
type line struct {
	mu      sync.Mutex
	waiting []*errand
}

// errand is one call that waits.
type errand struct {
	query  string
	sets   [][]int64
	rows   []int64    // of the answer, each behind the index of its set; the flight's until done
	width  int        // of each in rows
	flight *flight    // nil while it is in the line
	done   chan error // receives once
}

// flight ends early when all who wait for it have left.
type flight struct {
	cancel context.CancelFunc
	asking int
}

func (l *line) join(query string, sets [][]int64) *errand {
	e := &errand{query: query, sets: sets, done: make(chan error, 1)}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, e)
	return e
}

// leave is called by who waits no longer.
func (l *line) leave(e *errand) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.flight == nil {
		l.waiting = slices.DeleteFunc(l.waiting, func(other *errand) bool { return other == e })
	} else if e.flight.asking--; e.flight.asking == 0 {
		e.flight.cancel()
	}
}

// next takes the next flight out of the line: the first errand and others with its query, so many that sessions flights
// of that size would empty the line. ctx ends with the flight. It is empty if nobody waits.
func (l *line) next(sessions int) (ctx context.Context, taken []*errand) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		return nil, nil
	}
	query, most := l.waiting[0].query, (len(l.waiting)+sessions-1)/sessions
	f := &flight{}
	ctx, f.cancel = context.WithCancel(context.Background())
	l.waiting = slices.DeleteFunc(l.waiting, func(e *errand) bool {
		if e.query != query || len(taken) == most {
			return false
		}
		e.flight = f
		taken = append(taken, e)
		return true
	})
	f.asking = len(taken)
	return ctx, taken
}

// Waiting returns how many calls of Querier.Integers wait for a session.
func (p *Pool) Waiting() int {
	p.line.mu.Lock()
	defer p.line.mu.Unlock()
	return len(p.line.waiting)
}

// together runs the query along with others that wait for a session, too. flew is false if it has to be run alone:
// there may be a session for it, or a flight has failed, maybe because of another's statement.
func (p *Pool) together(ctx context.Context, query string, sets [][]int64,
	row func(set int, values []int64)) (flew bool, err error) {
	if len(p.free) > 0 {
		return false, nil
	}
	e := p.line.join(query, sets)
	for free, closed := p.free, p.closed; ; {
		var s *Session // nil: one that is to be opened
		open := true
		select {
		case s, open = <-free:
		case _, open = <-closed:
		case err := <-e.done:
			if err != nil {
				return false, nil
			}
			for rows := e.rows; len(rows) > 0; rows = rows[e.width:] {
				row(int(rows[0]), rows[1:e.width])
			}
			return true, nil
		case <-ctx.Done():
			p.line.leave(e)
			return false, ctx.Err()
		}
		if !open {
			p.line.leave(e)
			return false, ErrClosed
		}
		ctx, taken := p.line.next(p.Size())
		switch {
		case taken != nil:
			go p.fly(ctx, s, taken)
		case s != nil:
			p.free <- s
		default:
			p.closed <- struct{}{}
		}
		if taken == nil || slices.Contains(taken, e) {
			free, closed = nil, nil
		}
	}
}

// fly runs what was taken on a session that is free, or on a new one if s is nil.
func (p *Pool) fly(ctx context.Context, s *Session, taken []*errand) {
	defer taken[0].flight.cancel()
	err := p.flight(ctx, s, taken)
	for _, e := range taken {
		e.done <- err
	}
}

func (p *Pool) flight(ctx context.Context, s *Session, taken []*errand) error {
	s, err := p.ready(ctx, s, true)
	if err != nil {
		return err
	}
	defer p.Give(s)
	st, err := s.prepared(taken[0].query)
	if err != nil {
		s.note(err)
		return err
	}
	type place struct {
		errand *errand
		set    int64
	}
	var sets [][]int64
	var places []place
	for _, e := range taken {
		for i, set := range e.sets {
			sets, places = append(sets, set), append(places, place{e, int64(i)})
		}
	}
	err = p.dialect.Integers(ctx, s.Conn, st.text, sets, func(i int, values []int64) {
		e := places[i].errand
		e.rows, e.width = append(append(e.rows, places[i].set), values...), 1+len(values)
	})
	s.note(err)
	return err
}
