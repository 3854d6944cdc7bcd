package sqlite

// first waits for the job that a batch begins with. nil: the writer is closed, and nothing is left.
func (w *writer) first() *job {
	for queue, along := w.queue, w.along; queue != nil || along != nil; {
		select {
		case j, open := <-queue:
			if open {
				return j
			}
			queue = nil
		case j, open := <-along:
			if open {
				return j
			}
			along = nil
		}
	}
	return nil
}

// alongShare says that, while more jobs of Write wait than fit into a batch, every eighth place goes to WriteAlong.
const alongShare = 8

// next takes another job for the batch, if one waits and the batch has room: those of Write first, but for every
// eighth. nil: there is none. A batch doesn't wait for jobs that may come: with mails and webhooks under way, that saved
// no processor time.
func (w *writer) next(taken int) *job {
	first, second := w.queue, w.along
	if taken >= maxBatch {
		return nil
	}
	if taken%alongShare == alongShare-1 {
		first, second = second, first
	}
	if j := waiting(first); j != nil {
		return j
	}
	return waiting(second)
}

// waiting takes a job out of the queue. nil: there is none, or the queue is closed and empty.
func waiting(queue chan *job) *job {
	select {
	case j := <-queue:
		return j
	default:
		return nil
	}
}
