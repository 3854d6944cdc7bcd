package app

import (
	"context"
	"sync"

	"daybook/app/catalog"
)

// Places limits how many things that need much memory are worked on at once, by the process and for each workspace.
type Places struct {
	all  chan struct{}
	each int

	mu sync.Mutex
	of map[catalog.WorkspaceID]*ownPlaces
}

type ownPlaces struct {
	taken chan struct{}
	users int // those with a place, and those that wait for one
}

// NewPlaces returns Places with all places for the process, of which one workspace may take each.
func NewPlaces(all, each int) *Places {
	return &Places{all: make(chan struct{}, all), each: each, of: map[catalog.WorkspaceID]*ownPlaces{}}
}

// Take waits for one of the workspace's places until ctx ends, and then returns the error of ctx. done gives the place
// back; calling it again does nothing.
func (p *Places) Take(ctx context.Context, ws catalog.WorkspaceID) (done func(), err error) {
	p.mu.Lock()
	own := p.of[ws]
	if own == nil {
		own = &ownPlaces{taken: make(chan struct{}, p.each)}
		p.of[ws] = own
	}
	own.users++
	p.mu.Unlock()
	leave := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if own.users--; own.users == 0 {
			delete(p.of, ws)
		}
	}
	for i, places := range []chan struct{}{own.taken, p.all} {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			if i == 1 {
				<-own.taken
			}
			leave()
			return nil, ctx.Err()
		}
	}
	return sync.OnceFunc(func() {
		<-p.all
		<-own.taken
		leave()
	}), nil
}
