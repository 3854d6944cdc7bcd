package app

import (
	"context"
	"sync"
	"time"

	"daybook/app/catalog"
	"daybook/app/fault"
)

// How many files are read at once, each of which is held in memory as a whole.
const (
	maxUploads     = 4 // by the process
	maxUploadsEach = 2 // of a workspace
	uploadWait     = 10 * time.Second
)

// uploads are the places for files that callers send.
type uploads struct {
	all chan struct{}

	mu sync.Mutex
	of map[catalog.WorkspaceID]*workspaceUploads
}

type workspaceUploads struct {
	places chan struct{}
	users  int // those with a place, and those that wait for one
}

func newUploads() *uploads {
	return &uploads{all: make(chan struct{}, maxUploads), of: map[catalog.WorkspaceID]*workspaceUploads{}}
}

// Upload takes one of the places for files of the workspace, for which it waits some seconds. A door takes it before it
// reads the file, and calls done when it no longer needs it. Errors: unavailable (busy), that of ctx.
func (s *Service) Upload(ctx context.Context, ws catalog.WorkspaceID) (done func(), err error) {
	u := s.uploads
	u.mu.Lock()
	own := u.of[ws]
	if own == nil {
		own = &workspaceUploads{places: make(chan struct{}, maxUploadsEach)}
		u.of[ws] = own
	}
	own.users++
	u.mu.Unlock()
	leave := func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		if own.users--; own.users == 0 {
			delete(u.of, ws)
		}
	}
	late, cancel := context.WithTimeout(ctx, uploadWait)
	defer cancel()
	for i, places := range []chan struct{}{own.places, u.all} {
		select {
		case places <- struct{}{}:
		case <-late.Done():
			if i == 1 {
				<-own.places
			}
			leave()
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			return nil, fault.New(fault.Unavailable, "busy", "Too many files are being uploaded. Try again in a few seconds.").With("retryAfter", 5)
		}
	}
	return sync.OnceFunc(func() {
		<-u.all
		<-own.places
		leave()
	}), nil
}
