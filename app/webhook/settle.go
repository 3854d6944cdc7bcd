package webhook

import (
	"context"
	"time"
)

const (
	gather    = 20 * time.Millisecond // how long an outcome waits so that others are saved with it
	gatherMax = 256
)

// settle saves outcomes in groups until the channel is closed.
func (r *run) settle() {
	for first := range r.results {
		r.save(r.gather(first))
	}
}

func (r *run) gather(first Outcome) []Outcome {
	all := append(make([]Outcome, 0, gatherMax), first)
	enough := time.NewTimer(gather)
	defer enough.Stop()
	for len(all) < gatherMax {
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

// save tries until it succeeds, because what was sent must not be sent again. It stops once the lease of the outcomes
// is over, when nothing is left to save, and once the loop has ended.
func (r *run) save(all []Outcome) {
	for began := time.Now(); ; {
		err := r.queue.SettleDeliveries(context.Background(), all)
		if err == nil {
			return
		}
		r.o.Logger.Error("webhooks: can't save what became of deliveries", "deliveries", len(all), "error", err)
		if time.Since(began) > r.o.Slack {
			return
		}
		select {
		case <-r.sending.Done():
			return
		case <-time.After(errorPause):
		}
	}
}
