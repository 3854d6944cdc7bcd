package webhook

import "time"

// A pacer keeps a long queue from slowing down who books: while the Service commits all the time, what waits behind a
// full lane is claimed at a quarter of the pace of those commits. An event that finds its lane free is claimed at once all the
// same, and with nobody about the queue drains as fast as it can.
type pacer struct {
	since   time.Time
	commits int64
	tokens  float64
	busy    bool
}

const (
	paceWindow = 50 * time.Millisecond
	paceBusy   = 100 // commits a second from which on somebody is about
	paceLeast  = 250 // deliveries a second that are claimed in any case
	paceBurst  = 64
)

// update is told, at every look, how many commits there have been.
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

// allow cuts a claim for a lane with a queue to what the pace permits.
func (p *pacer) allow(n int) int {
	if !p.busy {
		return n
	}
	n = min(n, int(p.tokens))
	p.tokens -= float64(n)
	return n
}
