package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// Loop is work beside the requests. It runs from the server's start until ctx
// ends, and the stop waits for it. When it returns an error or panics before
// that, the error is logged and it is started again, after 250 ms at first and
// up to 30 s when it keeps failing; nil means that it is done.
type Loop struct {
	Name string
	Run  func(ctx context.Context) error
}

const (
	firstRestart = 250 * time.Millisecond
	lastRestart  = 30 * time.Second
)

// loops are the running ones.
type loops struct {
	mu      sync.Mutex
	running map[string]int
	all     sync.WaitGroup
}

func startLoops(ctx context.Context, log *slog.Logger, ls []Loop) *loops {
	run := &loops{running: map[string]int{}}
	for _, l := range ls {
		run.count(l.Name, 1)
		run.all.Go(func() {
			defer run.count(l.Name, -1)
			l.keepRunning(ctx, log)
		})
	}
	return run
}

func (l *loops) count(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running[name] += n; l.running[name] == 0 {
		delete(l.running, name)
	}
}

// wait returns nil when all have ended, or names those that have not by the
// time ctx ends.
func (l *loops) wait(ctx context.Context) error {
	ended := make(chan struct{})
	go func() { l.all.Wait(); close(ended) }()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var names []string
	for name := range l.running {
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf("still running after shutdown: %s", strings.Join(names, ", "))
}

func (l Loop) keepRunning(ctx context.Context, log *slog.Logger) {
	pause := firstRestart
	for {
		began := time.Now()
		err := l.once(ctx)
		switch {
		case ctx.Err() != nil:
			if err != nil && !errors.Is(err, context.Canceled) {
				log.Error("loop ended badly", "loop", l.Name, "error", err)
			}
			return
		case err == nil:
			return
		case time.Since(began) > lastRestart:
			pause = firstRestart
		}
		log.Error("loop failed and will be restarted", "loop", l.Name, "error", err, "in", pause.String())
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause/2 + rand.N(pause)):
		}
		pause = min(2*pause, lastRestart)
	}
}

func (l Loop) once(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return l.Run(ctx)
}
