package id

import (
	"sync"
	"sync/atomic"
)

// Watch knows the ids that this process has made since the watch began.
type Watch struct{ made map[string]bool }

var (
	watched atomic.Int64 // watches that are open
	watches struct {
		sync.Mutex
		open map[*Watch]bool
	}
)

// NewWatch begins a watch. It must be closed.
func NewWatch() *Watch {
	w := &Watch{map[string]bool{}}
	watches.Lock()
	defer watches.Unlock()
	if watches.open == nil {
		watches.open = map[*Watch]bool{}
	}
	watches.open[w] = true
	watched.Add(1)
	return w
}

// Close ends the watch, and returns the texts of the ids that were made meanwhile.
func (w *Watch) Close() map[string]bool {
	watches.Lock()
	defer watches.Unlock()
	if watches.open[w] {
		delete(watches.open, w)
		watched.Add(-1)
	}
	return w.made
}

// noted tells the watches of an id.
func noted[K Kind](id ID[K]) ID[K] {
	if watched.Load() == 0 {
		return id
	}
	text := id.String()
	watches.Lock()
	defer watches.Unlock()
	for w := range watches.open {
		w.made[text] = true
	}
	return id
}
