package work

import (
	"slices"
	"sync"
	"time"

	"daybook/app/when"
)

// A lane holds what was claimed for it, and the workers that do it. Lanes share nothing but a generous limit on the
// jobs of all, so a slow one delays no other.
type lane[L comparable, J any] struct {
	name   L
	behind bool // the last claim left jobs behind; only the looking goroutine uses it

	mu        sync.Mutex
	queue     []claimed[J]
	busy      map[int64]bool // the Order of jobs under way, but 0
	workers   int
	meanTime  time.Duration // the moving average of a job's duration; 0 before the first
	wantsMore bool          // more is due than there was room for
	rests     time.Time     // it was down: nothing is claimed until then
}

// claimed is a job that was claimed.
type claimed[J any] struct {
	job    J
	server int64
	lease  when.Instant
}

// fastJob is a job so fast that a lane does what it has claimed ahead well within a lease.
const fastJob = time.Second

// capacity returns how many jobs a lane may hold, queued and under way.
func (r *run[L, J, O]) capacity(l *lane[L, J]) int {
	n := min(r.o.PerLane, max(1, r.o.Total-int(r.underWay.Load())+l.workers))
	if l.fast() {
		n += r.o.Ahead // workers that wait for a claim do nothing
	}
	return n
}

func (l *lane[L, J]) fast() bool { return l.meanTime > 0 && l.meanTime < fastJob }

// roomOf returns how many jobs to claim for a lane. A full lane signals r.room as soon as it has room again. One that
// was down has none, and rests for so long.
func (r *run[L, J, O]) roomOf(l *lane[L, J]) (room int, rests time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if rests = time.Until(l.rests); rests > 0 {
		return 0, rests
	}
	l.wantsMore = !r.worthClaiming(l)
	if l.wantsMore {
		return 0, 0
	}
	return r.capacity(l) - len(l.queue) - l.workers, 0
}

// worthClaiming reports whether there is room for a good part of what the lane can hold.
func (r *run[L, J, O]) worthClaiming(l *lane[L, J]) bool {
	load, most := len(l.queue)+l.workers, r.capacity(l)
	return load < most && (!l.fast() || load <= most*3/4)
}

// push queues a batch for the lane's workers, and starts as many workers as are needed and allowed.
func (r *run[L, J, O]) push(l *lane[L, J], b *Batch[L, J]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, j := range b.Jobs {
		l.queue = append(l.queue, claimed[J]{j, b.Server, b.Lease})
	}
	for n := len(l.queue); n > 0 && l.workers < r.o.PerLane &&
		(l.workers == 0 || int(r.underWay.Load()) < r.o.Total); n-- {
		l.workers++
		r.underWay.Add(1)
		r.workers.Go(func() { r.work(l) })
	}
}

// work does jobs until the lane is empty.
func (r *run[L, J, O]) work(l *lane[L, J]) {
	for {
		c, ok := r.next(l)
		if !ok {
			return
		}
		if when.At(r.queue.Now().Add(r.o.Timeout)) > c.lease || r.queue.Share().Server != c.server {
			// It waited so long that another server may claim it while it is done, or has been given it already.
			r.giveBack(l, &c)
			continue
		}
		began := time.Now()
		o, down := r.queue.Do(r.working, l.name, &c.job)
		r.settle(o)
		l.passed(r.queue.Order(&c.job))
		l.done(time.Since(began))
		if down {
			l.mu.Lock()
			l.rests = time.Now().Add(r.o.Rest)
			l.mu.Unlock()
			r.release(l, true)
		}
	}
}

// next takes the first job that waits for none under way; ok is false when there is none, and the worker must end. Those
// that wait are left to the workers that are under way.
func (r *run[L, J, O]) next(l *lane[L, J]) (c claimed[J], ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := 0
	for at < len(l.queue) && l.busy[r.queue.Order(&l.queue[at].job)] {
		at++
	}
	if ok = at < len(l.queue); ok {
		c = l.queue[at]
		if at == 0 {
			l.queue = l.queue[1:]
		} else {
			l.queue = slices.Delete(l.queue, at, at+1)
		}
		if order := r.queue.Order(&c.job); order != 0 {
			if l.busy == nil {
				l.busy = map[int64]bool{}
			}
			l.busy[order] = true
		}
	} else {
		l.workers--
		r.underWay.Add(-1)
	}
	if l.wantsMore && r.worthClaiming(l) {
		l.wantsMore = false
		signal(r.room)
	}
	return c, ok
}

// passed lets jobs begin that wait for one of that Order.
func (l *lane[L, J]) passed(order int64) {
	if order == 0 {
		return
	}
	l.mu.Lock()
	delete(l.busy, order)
	l.mu.Unlock()
}

func (l *lane[L, J]) done(took time.Duration) {
	l.mu.Lock()
	if l.meanTime == 0 {
		l.meanTime = took
	}
	l.meanTime += (took - l.meanTime) / 8
	l.mu.Unlock()
}

// giveBack gives back a job that was begun too late, with those that wait for it: they come after it again.
func (r *run[L, J, O]) giveBack(l *lane[L, J], c *claimed[J]) {
	order := r.queue.Order(&c.job)
	all := []O{r.queue.Release(&c.job, false)}
	if order != 0 {
		l.mu.Lock()
		l.queue = slices.DeleteFunc(l.queue, func(next claimed[J]) bool {
			behind := r.queue.Order(&next.job) == order
			if behind {
				all = append(all, r.queue.Release(&next.job, false))
			}
			return behind
		})
		l.mu.Unlock()
	}
	r.settle(all...)
	l.passed(order)
}

// release gives back the jobs that the lane has not begun.
func (r *run[L, J, O]) release(l *lane[L, J], down bool) {
	l.mu.Lock()
	queue := l.queue
	l.queue = nil
	l.mu.Unlock()
	var all []O
	for i := range queue {
		all = append(all, r.queue.Release(&queue[i].job, down))
	}
	r.settle(all...)
}
