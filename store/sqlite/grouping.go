package sqlite

import "time"

// grouping decides which jobs share a commit. A commit waits for the disk, which takes many times as long as a job, so:
//
//   - While batches with jobs of Write follow each other closely, a job of WriteAlong waits for the next of them.
//     Otherwise its commit would make those jobs wait.
//   - Callers who were answered together come back one by one. A batch waits for as many as the last one had and left
//     waiting, for half a commit at most. Otherwise they part into two groups, and each waits for the other's commits.
//
// Only the writer's goroutine uses it.
type grouping struct {
	alongWait time.Duration // for which a job of WriteAlong waits
	gatherMax time.Duration // for which a batch waits
	busyGap   time.Duration // between two commits at most, besides their own time, while there are many

	held     *job          // of WriteAlong, taken out of its queue and not begun yet
	last     time.Time     // of a commit with jobs of Write
	busy     bool          // the one before that was not long ago
	usual    time.Duration // of a commit
	expected int           // jobs of Write in a batch
	have     int           // in this batch
	until    time.Time     // when this batch waits no longer
}

func newGrouping() grouping {
	return grouping{alongWait: 20 * time.Millisecond, gatherMax: 4 * time.Millisecond, busyGap: 25 * time.Millisecond}
}

// first waits for the job that a batch begins with. nil: the writer is closed, and nothing is left.
func (w *writer) first() *job {
	if w.held != nil {
		return w.release()
	}
	for queue, along := w.queue, w.along; queue != nil || along != nil; {
		select {
		case j, open := <-queue:
			if open {
				return j
			}
			queue = nil
		case j, open := <-along:
			if open {
				return w.accompanied(j)
			}
			along = nil
		}
	}
	return nil
}

// accompanied waits briefly for a job of Write to begin the batch with, which j then joins. If none comes, it returns
// j.
func (w *writer) accompanied(j *job) *job {
	if !w.busy || time.Since(w.last) > w.busyGap {
		return j
	}
	late := time.NewTimer(w.alongWait)
	defer late.Stop()
	select {
	case other, open := <-w.queue:
		if open {
			w.held = j
			return other
		}
	case <-late.C:
	}
	return j
}

func (w *writer) release() *job {
	j := w.held
	w.held = nil
	return j
}

// alongShare says that, while more jobs of Write wait than fit into a batch, every eighth place goes to WriteAlong.
const alongShare = 8

// next takes another job for the batch, if there is one and the batch has room: those of Write first, but for every
// eighth.
func (w *writer) next(taken int) *job {
	if taken >= maxBatch {
		return nil
	}
	if taken%alongShare == alongShare-1 {
		if j := w.nextAlong(); j != nil {
			return j
		}
	}
	select {
	case j, open := <-w.queue:
		if open {
			return j
		}
	default:
	}
	if j := w.nextAlong(); j != nil {
		return j
	}
	return w.gathered()
}

// nextAlong takes a job of WriteAlong that waits. nil: there is none.
func (w *writer) nextAlong() *job {
	if w.held != nil {
		return w.release()
	}
	select {
	case j := <-w.along: // nil once the queue is closed and empty
		return j
	default:
		return nil
	}
}

// gathered waits for a job that the batch expects. nil: for none, or it did not come.
func (w *writer) gathered() *job {
	if w.have == 0 || w.have >= w.expected {
		return nil
	}
	now := time.Now()
	if w.until.IsZero() {
		w.until = now.Add(min(w.usual/2, w.gatherMax))
	}
	if !now.Before(w.until) {
		return nil
	}
	late := time.NewTimer(w.until.Sub(now))
	defer late.Stop()
	select {
	case j := <-w.queue: // nil once the queue is closed and empty
		return j
	case <-late.C:
		return nil
	}
}

// begin is called before the first job of a batch.
func (c *grouping) begin() { c.have, c.until = 0, time.Time{} }

// took counts a job of the batch.
func (c *grouping) took(j *job) {
	if !j.along {
		c.have++
	}
}

// committed is called after the commit that began then, while so many jobs of Write wait.
func (c *grouping) committed(began time.Time, waiting int) {
	now := time.Now()
	c.usual += (now.Sub(began) - c.usual) / 8
	if c.have > 0 {
		c.busy = now.Sub(c.last) < c.busyGap+c.usual
		c.last, c.expected = now, c.have+waiting
	}
}
