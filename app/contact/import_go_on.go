package contact

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// patience is how long GoOn waits for the end of an import.
	patience = 3 * time.Second
	// mostBeside is how many imports go on at once without the requests that began them, of all workspaces.
	mostBeside = 16
)

// underway are the imports of this process that go on without the requests that began them. They end with Run.
type underway struct {
	mu   sync.Mutex
	ctx  context.Context // of Run; nil unless it runs
	ends sync.WaitGroup
	n    int
	out  map[ImportID]bool // somebody was sent to their pages
}

// enter returns what ends the imports, or nil if an import can't go on alone: no loop waits for its end, or there are
// many of them.
func (u *underway) enter() context.Context {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ctx == nil || u.ctx.Err() != nil || u.n >= mostBeside {
		return nil
	}
	u.n++
	u.ends.Add(1)
	return u.ctx
}

// shown remembers an import to whose page somebody is sent; kept tells that once, at its end.
func (u *underway) shown(im ImportID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.out == nil {
		u.out = map[ImportID]bool{}
	}
	u.out[im] = true
}

func (u *underway) kept(im ImportID) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	kept := u.out[im]
	delete(u.out, im)
	return kept
}

func (u *underway) leave() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.n--
	u.ends.Done()
}

// during lets imports go on until ctx ends, and returns when they have ended, too.
func (u *underway) during(ctx context.Context, run func()) {
	u.mu.Lock()
	u.ctx = ctx
	u.mu.Unlock()
	run()
	u.mu.Lock()
	u.ctx = nil
	u.mu.Unlock()
	u.ends.Wait()
}

// Beside calls do without waiting for it. It ends when do returns or the server stops, whether or not ctx does, whose values do has.
// The channel gets nil at the end, or an error if do has panicked. It is nil, and nothing is called, where no Run waits for the end or
// many imports go on like this.
func (s *Service) Beside(ctx context.Context, do func(context.Context)) <-chan error {
	stop := s.imports.enter()
	if stop == nil {
		return nil
	}
	beside, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ends := context.AfterFunc(stop, cancel)
	ended := make(chan error, 1)
	go func() {
		defer s.imports.leave()
		defer ends()
		defer cancel()
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = errors.New("an import panicked")
				s.Core.Log().Error(err.Error(), "panic", p, "stack", string(debug.Stack()))
			}
			ended <- err
		}()
		do(beside)
	}()
	return ended
}

// GoOn calls do, which imports a file, and waits for its end, but not for long: then the import goes on by itself, and its
// id is returned. It ends when do returns or the server stops, whether or not the request does. do gives the id to begun
// as soon as it has it. In a process without Run the import ends with ctx, and GoOn returns 0 when it has ended. Errors:
// do has panicked; ctx has ended before the import.
func (s *Service) GoOn(ctx context.Context, do func(ctx context.Context, begun func(ImportID))) (alone ImportID, err error) {
	id := make(chan ImportID, 1)
	ended := s.Beside(ctx, func(ctx context.Context) { do(ctx, func(im ImportID) { id <- im }) })
	if ended == nil {
		do(ctx, func(ImportID) {})
		return 0, nil
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	var begun <-chan ImportID // nil until the time is over
	for {
		select {
		case err := <-ended:
			return 0, err
		case alone = <-begun:
			s.imports.shown(alone)
			select {
			case err := <-ended: // at this moment
				s.imports.kept(alone)
				return 0, err
			default:
			}
			return alone, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-wait.C:
			begun = id
		}
	}
}
