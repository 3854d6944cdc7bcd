package webhook

import (
	"sync"
	"time"

	"daybook/app/catalog"
	"daybook/app/when"
)

// A lane is the way to one endpoint: what was claimed for it and the workers that send it. Lanes share nothing but a
// generous bound in all, so a slow endpoint delays no other.
type lane struct {
	endpoint catalog.EndpointID
	behind   bool // the last claim left something; the looking goroutine's own

	mu      sync.Mutex
	queue   []job
	workers int
	usual   time.Duration // what an attempt takes: a moving mean, 0 before the first
	hungry  bool          // more is due than there was room for
}

type job struct {
	to *target
	d  Claimed
}

const (
	quick = time.Second // the queue is sent well within a lease
	// ahead is how many deliveries are claimed before there is a worker for them, to a quick endpoint: workers that
	// wait for a claim send nothing.
	ahead = 256
)

// capacity is how many deliveries a lane may hold, under way or not.
func (r *run) capacity(l *lane) int {
	n := min(r.o.PerEndpoint, max(1, r.o.Total-int(r.under.Load())+l.workers))
	if l.fast() {
		n += ahead
	}
	return n
}

func (l *lane) fast() bool { return l.usual > 0 && l.usual < quick }

// roomOf is how many deliveries to claim for a lane. One that has none wakes the loop when it has.
func (r *run) roomOf(l *lane) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hungry = !r.wants(l)
	if l.hungry {
		return 0
	}
	return r.capacity(l) - len(l.queue) - l.workers
}

// wants reports whether a claim for the lane pays: there is room for a good part of what it can hold.
func (r *run) wants(l *lane) bool {
	load, most := len(l.queue)+l.workers, r.capacity(l)
	return load < most && (!l.fast() || load <= most*3/4)
}

// push hands a batch to the lane's workers, and starts as many as are needed and allowed.
func (r *run) push(l *lane, b *Batch) {
	to := newTarget(b)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range b.Deliveries {
		l.queue = append(l.queue, job{to, d})
	}
	for n := len(l.queue); n > 0 && l.workers < r.o.PerEndpoint &&
		(l.workers == 0 || int(r.under.Load()) < r.o.Total); n-- {
		l.workers++
		r.under.Add(1)
		r.workers.Go(func() { r.work(l) })
	}
}

// work sends until the lane is empty.
func (r *run) work(l *lane) {
	for {
		j, ok := r.next(l)
		if !ok {
			return
		}
		began := time.Now()
		o := Outcome{ID: j.d.ID, Lease: j.d.Lease, Released: true}
		if when.At(r.queue.Now().Add(r.o.Timeout)) <= j.d.Lease {
			o = r.attempt(r.sending, j)
		} // else it waited for so long that another may claim it while it is sent
		r.results <- o
		l.done(time.Since(began))
	}
}

// next takes a job, or ends the worker.
func (r *run) next(l *lane) (j job, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ok = len(l.queue) > 0; ok {
		j, l.queue = l.queue[0], l.queue[1:]
	} else {
		l.workers--
		r.under.Add(-1)
	}
	if l.hungry && r.wants(l) {
		l.hungry = false
		signal(r.room)
	}
	return j, ok
}

func (l *lane) done(took time.Duration) {
	l.mu.Lock()
	if l.usual == 0 {
		l.usual = took
	}
	l.usual += (took - l.usual) / 8
	l.mu.Unlock()
}

// release frees the deliveries that the lane has not begun to send.
func (r *run) release(l *lane) {
	l.mu.Lock()
	queue := l.queue
	l.queue = nil
	l.mu.Unlock()
	for _, j := range queue {
		r.results <- Outcome{ID: j.d.ID, Lease: j.d.Lease, Released: true}
	}
}
