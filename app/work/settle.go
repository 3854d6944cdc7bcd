package work

import (
	"context"
	"time"
)

const gather = 20 * time.Millisecond // how long an outcome waits so that others are saved with it

// settle saves outcomes, together with those of others or at once.
func (r *run[L, J, O]) settle(all ...O) {
	if r.o.Together == 1 {
		r.save(all)
		return
	}
	for _, o := range all {
		r.results <- o
	}
}

// settleAll saves outcomes in groups until the channel is closed.
func (r *run[L, J, O]) settleAll() {
	for first := range r.results {
		r.save(r.gather(first))
	}
}

func (r *run[L, J, O]) gather(first O) []O {
	all := append(make([]O, 0, r.o.Together), first)
	enough := time.NewTimer(gather)
	defer enough.Stop()
	for len(all) < r.o.Together {
		select {
		case o, open := <-r.results:
			if !open {
				return all
			}
			all = append(all, o)
		case <-enough.C:
			return all
		}
	}
	return all
}

// save tries until it succeeds, because what was done must not be done again. It stops once the lease of the outcomes
// is over, when nothing is left to save, and once the loop has ended.
func (r *run[L, J, O]) save(all []O) {
	if len(all) == 0 {
		return
	}
	for began := time.Now(); ; {
		err := r.queue.Settle(context.Background(), all)
		if err == nil {
			return
		}
		r.o.Logger.Error(r.o.Name+": can't save what became of jobs", "jobs", len(all), "error", err)
		if time.Since(began) > r.o.Slack {
			return
		}
		select {
		case <-r.working.Done():
			return
		case <-time.After(errorPause):
		}
	}
}
