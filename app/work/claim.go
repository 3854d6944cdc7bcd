package work

import (
	"context"
	"errors"
	"time"

	"daybook/app/when"
)

const (
	pollInterval = 50 * time.Millisecond  // how often the loop checks for commits of other processes
	fillStep     = 100                    // changes whose jobs are queued in one transaction
	maxClaimed   = 256                    // jobs of one claim: other writes wait for it
	errorPause   = 500 * time.Millisecond // the pause after an error of the database
	errorsUntil  = 10 * time.Second       // how long it may fail before the loop ends by it
)

// look claims jobs that are due until ctx ends, or the database fails for long. It looks again when it is woken, when a
// lane has room again, when something falls due, and when any process has committed.
func (r *run[L, J, O]) look(ctx context.Context) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	due := time.NewTimer(0)
	defer due.Stop()
	var failing time.Time // since when
	for {
		version, _ := r.queue.DataVersion() // read before the look, so that no later commit is missed
		began := time.Now()
		filled := r.fill(ctx)
		pause, err := r.claimDue(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err = errors.Join(filled, err); err == nil {
			failing = time.Time{}
			due.Reset(pause)
			if !r.wait(ctx, version, began, tick.C, due.C) {
				return nil
			}
			continue
		}
		if failing.IsZero() {
			failing = began
		}
		if time.Since(failing) > errorsUntil {
			return err
		}
		if repeated, say := r.trouble.Say(err); say {
			r.o.Logger.Error(r.o.Name+": can't claim what is due", "error", err, "repeated", repeated)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(errorPause):
		}
	}
}

// fill queues what has changed.
func (r *run[L, J, O]) fill(ctx context.Context) error {
	for n := fillStep; n == fillStep && r.o.Fill != nil && r.queue.Share().Buckets.Leads(); {
		var err error
		if n, err = r.o.Fill(ctx, fillStep); err != nil {
			return err
		}
	}
	return nil
}

// wait returns when it is time to look again, or false when ctx has ended.
func (r *run[L, J, O]) wait(ctx context.Context, version int64, began time.Time, tick, due <-chan time.Time) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-r.room:
			return true
		case <-due:
			return true
		case <-r.woken:
			select {
			case <-ctx.Done():
				return false
			case <-r.room:
			case <-time.After(r.o.Least - time.Since(began)):
			}
			return true
		case <-tick:
			if v, err := r.queue.DataVersion(); err == nil && v != version {
				return true
			}
		}
	}
}

// claimDue claims until every lane is full or nothing is due, and returns how long until something is.
func (r *run[L, J, O]) claimDue(ctx context.Context) (pause time.Duration, err error) {
	for {
		waiting, err := r.queue.Waiting(ctx)
		if err != nil {
			return 0, err
		}
		claims, next := r.claims(waiting)
		if len(claims) == 0 {
			return next, nil
		}
		batches, err := r.queue.Claim(ctx, claims, r.o.Timeout+r.o.Slack)
		if err != nil {
			return 0, err
		}
		for _, c := range claims {
			r.lanes[c.Lane].behind = false
		}
		claimed := 0
		for i := range batches {
			r.push(r.lanes[batches[i].Lane], &batches[i])
			claimed += len(batches[i].Jobs)
		}
		for _, c := range claims { // where the claim was filled, more is waiting
			for i := range batches {
				if batches[i].Lane == c.Lane {
					r.lanes[c.Lane].behind = len(batches[i].Jobs) == c.Limit
				}
			}
		}
		if claimed == 0 || ctx.Err() != nil { // others were faster, or what was due is given up
			return r.o.Least, nil
		}
	}
}

// claims asks for as much as the waiting lanes have room for; next is how long until more is due.
func (r *run[L, J, O]) claims(waiting []Waiting[L]) (claims []Claim[L], next time.Duration) {
	now := when.At(r.queue.Now())
	next, left := r.o.Every, maxClaimed
	r.pace.update(time.Now(), r.commits.Load())
	for _, w := range waiting {
		if w.Due > now {
			next = min(next, time.Duration(w.Due-now)*time.Millisecond)
			continue
		}
		l := r.lanes[w.Lane]
		if l == nil {
			l = &lane[L, J]{name: w.Lane}
			r.lanes[w.Lane] = l
		}
		// One lane takes no more than half of what is left, so that a long queue leaves room for the others.
		room, rests := r.roomOf(l)
		n := min(room, (left+1)/2)
		if rests > 0 {
			next = min(next, rests)
		}
		if l.behind && n > 0 {
			if n = r.pace.allow(n); n == 0 {
				next = min(next, paceWindow)
			}
		}
		if n > 0 {
			claims = append(claims, Claim[L]{Lane: w.Lane, Limit: n})
			left -= n
		}
	}
	return claims, next
}
