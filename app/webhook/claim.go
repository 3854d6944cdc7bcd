package webhook

import (
	"context"
	"slices"
	"time"

	"daybook/app/when"
)

const (
	pollInterval = 50 * time.Millisecond  // how often the loop checks for commits of other processes
	lookInterval = 20 * time.Millisecond  // the least time between two looks, however often the loop is woken
	maxClaimed   = 256                    // rows of one claim: other writes wait for it
	errorPause   = 500 * time.Millisecond // the pause after an error of the database
)

// look claims deliveries that are due until ctx ends. It looks again when it is woken, when a lane has room again, when
// something falls due, and when any process has committed.
func (r *run) look(ctx context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	due := time.NewTimer(0)
	defer due.Stop()
	for {
		version, _ := r.queue.DataVersion() // read before the look, so that no later commit is missed
		began := time.Now()
		pause, err := r.claimDue(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			if repeated, say := r.trouble.Say(err); say {
				r.o.Logger.Error("webhooks: can't claim deliveries", "error", err, "repeated", repeated)
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(errorPause):
				continue
			}
		}
		due.Reset(pause)
		if !r.wait(ctx, version, began, tick.C, due.C) {
			return
		}
	}
}

// wait returns when it is time to look again, or false when ctx has ended.
func (r *run) wait(ctx context.Context, version int64, began time.Time, tick, due <-chan time.Time) bool {
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
			case <-time.After(lookInterval - time.Since(began)):
			}
			return true
		case <-tick:
			if v, err := r.queue.DataVersion(); err == nil && v != version {
				return true
			}
		}
	}
}

// maxSleep is how long the loop sleeps when nothing is waiting.
const maxSleep = time.Minute

// claimDue claims until every lane is full or nothing is due, and returns how long until something is.
func (r *run) claimDue(ctx context.Context) (pause time.Duration, err error) {
	for {
		waiting, err := r.queue.WaitingEndpoints(ctx)
		if err != nil {
			return 0, err
		}
		claims, next := r.claims(waiting)
		if len(claims) == 0 {
			return next, nil
		}
		batches, err := r.queue.ClaimDeliveries(ctx, claims, r.o.Timeout+r.o.Slack)
		if err != nil {
			return 0, err
		}
		for i := range batches {
			r.push(r.lanes[batches[i].Endpoint], &batches[i])
		}
		r.markBehind(claims, batches)
		if ctx.Err() != nil {
			return 0, nil
		}
	}
}

// markBehind marks the lanes whose claim was filled: more is waiting for them.
func (r *run) markBehind(claims []Claim, batches []Batch) {
	for _, c := range claims {
		i := slices.IndexFunc(batches, func(b Batch) bool { return b.Endpoint == c.Endpoint })
		r.lanes[c.Endpoint].behind = i >= 0 && len(batches[i].Deliveries) == c.Limit
	}
}

// claims asks for as much as the lanes of the waiting endpoints have room for; next is how long until more is due.
func (r *run) claims(waiting []Waiting) (claims []Claim, next time.Duration) {
	now := when.At(r.queue.Now())
	next, left := maxSleep, maxClaimed
	r.pace.update(time.Now(), r.commits.Load())
	for _, w := range waiting {
		if w.Due > now {
			next = min(next, time.Duration(w.Due-now)*time.Millisecond)
			continue
		}
		l := r.lanes[w.Endpoint]
		if l == nil {
			l = &lane{endpoint: w.Endpoint}
			r.lanes[w.Endpoint] = l
		}
		// One endpoint takes no more than half of what is left, so that a long queue leaves room for the others.
		n := min(r.roomOf(l), (left+1)/2)
		if l.behind && n > 0 {
			if n = r.pace.allow(n); n == 0 {
				next = min(next, paceWindow)
			}
		}
		if n > 0 {
			claims = append(claims, Claim{Endpoint: w.Endpoint, Limit: n})
			left -= n
		}
	}
	return claims, next
}
