package webhook

import (
	"sync"
	"time"

	"daybook/app/catalog"
	"daybook/app/when"
)

// A lane holds what was claimed for one endpoint, and the workers that send it. Lanes share nothing but a generous
// limit on the attempts of all, so a slow endpoint delays no other.
type lane struct {
	endpoint catalog.EndpointID
	behind   bool // the last claim left deliveries behind; only the claiming goroutine uses it

	mu        sync.Mutex
	queue     []job
	workers   int
	meanTime  time.Duration // the moving average of an attempt's duration; 0 before the first
	wantsMore bool          // more is due than there was room for
}

type job struct {
	to     *target
	server int64 // that claimed it
	d      Claimed
}

const (
	fastAttempt = time.Second // attempts this fast send the queue well within a lease
	// ahead is how many deliveries are claimed for a fast endpoint before a worker is free: workers that wait for a claim
	// send nothing.
	ahead = 256
)

// capacity is how many deliveries a lane may hold, queued and under way.
func (r *run) capacity(l *lane) int {
	n := min(r.o.PerEndpoint, max(1, r.o.Total-int(r.inFlight.Load())+l.workers))
	if l.fast() {
		n += ahead
	}
	return n
}

func (l *lane) fast() bool { return l.meanTime > 0 && l.meanTime < fastAttempt }

// roomOf is how many deliveries to claim for a lane. A full lane signals r.room as soon as it has room again.
func (r *run) roomOf(l *lane) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wantsMore = !r.worthClaiming(l)
	if l.wantsMore {
		return 0
	}
	return r.capacity(l) - len(l.queue) - l.workers
}

// worthClaiming reports whether there is room for a good part of what the lane can hold.
func (r *run) worthClaiming(l *lane) bool {
	load, most := len(l.queue)+l.workers, r.capacity(l)
	return load < most && (!l.fast() || load <= most*3/4)
}

// push queues a batch for the lane's workers, and starts as many workers as are needed and allowed.
func (r *run) push(l *lane, b *Batch) {
	to := newTarget(b)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range b.Deliveries {
		l.queue = append(l.queue, job{to, b.Server, d})
	}
	for n := len(l.queue); n > 0 && l.workers < r.o.PerEndpoint &&
		(l.workers == 0 || int(r.inFlight.Load()) < r.o.Total); n-- {
		l.workers++
		r.inFlight.Add(1)
		r.workers.Go(func() { r.work(l) })
	}
}

// work sends deliveries until the lane is empty.
func (r *run) work(l *lane) {
	for {
		j, ok := r.next(l)
		if !ok {
			return
		}
		began := time.Now()
		o := Outcome{ID: j.d.ID, Workspace: j.d.Workspace, Lease: j.d.Lease, Released: true}
		if when.At(r.queue.Now().Add(r.o.Timeout)) <= j.d.Lease && r.queue.Share().Server == j.server {
			o = r.attempt(r.sending, j)
		} // else it waited so long that another process may claim it while it is sent, or has been given it already
		r.results <- o
		l.done(time.Since(began))
	}
}

// next takes a job; ok is false when there is none, and the worker must end.
func (r *run) next(l *lane) (j job, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ok = len(l.queue) > 0; ok {
		j, l.queue = l.queue[0], l.queue[1:]
	} else {
		l.workers--
		r.inFlight.Add(-1)
	}
	if l.wantsMore && r.worthClaiming(l) {
		l.wantsMore = false
		signal(r.room)
	}
	return j, ok
}

func (l *lane) done(took time.Duration) {
	l.mu.Lock()
	if l.meanTime == 0 {
		l.meanTime = took
	}
	l.meanTime += (took - l.meanTime) / 8
	l.mu.Unlock()
}

// release gives back the deliveries that the lane has not begun to send.
func (r *run) release(l *lane) {
	l.mu.Lock()
	queue := l.queue
	l.queue = nil
	l.mu.Unlock()
	for _, j := range queue {
		r.results <- Outcome{ID: j.d.ID, Workspace: j.d.Workspace, Lease: j.d.Lease, Released: true}
	}
}
