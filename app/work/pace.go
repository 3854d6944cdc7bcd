package work

import "time"

// A pacer keeps a long queue from slowing down people who book. While the Service commits all the time, jobs that wait
// behind a full lane are claimed at a quarter of the rate of those commits. A job whose lane is free is still claimed at
// once, and while nobody books, the queue drains as fast as it can.
type pacer struct {
	since   time.Time
	commits int64
	tokens  float64
	busy    bool
}

const (
	paceWindow = 50 * time.Millisecond
	paceBusy   = 100 // commits a second from which the Service counts as busy
	paceLeast  = 250 // jobs a second that are claimed in any case
	paceBurst  = 64
)

// update counts the commits since the last call. The loop calls it at every look with the total so far.
func (p *pacer) update(now time.Time, commits int64) {
	spent, done := now.Sub(p.since), commits-p.commits
	if spent < paceWindow && p.busy {
		return
	}
	seconds := spent.Seconds()
	p.busy = float64(done) > paceBusy*seconds
	p.tokens = min(p.tokens+max(paceLeast*seconds, float64(done)/4), max(paceBurst, float64(done)/4))
	p.since, p.commits = now, commits
}

// allow reduces a claim for a lane with a queue to what the pace permits.
func (p *pacer) allow(n int) int {
	if !p.busy {
		return n
	}
	n = min(n, int(p.tokens))
	p.tokens -= float64(n)
	return n
}
