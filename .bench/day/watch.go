package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"time"
)

const (
	// MB at most: what there is idle and under load, and SQLite's caches, which fill with the day's rows: 64 MiB of the
	// writer and 8 of each reader.
	memory  = 160
	largest = 64 << 20 // bytes of the log of SQLite
)

// watch notes each second how much memory the product has and how long the log is.
type watch struct {
	memory []float64 // MB of its own
	log    int64     // bytes at most
	stop   func()
}

func (s *salon) watch(ctx context.Context) *watch {
	ctx, cancel := context.WithCancel(ctx)
	w, ended := &watch{}, make(chan struct{})
	w.stop = func() { cancel(); <-ended }
	go func() {
		defer close(ended)
		for tick := time.NewTicker(time.Second); ; {
			w.memory = append(w.memory, anonymous(s.server.Process.Pid))
			if info, err := os.Stat(s.db + "-wal"); err == nil {
				w.log = max(w.log, info.Size())
			}
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	return w
}

var anonymousLine = regexp.MustCompile(`RssAnon:\s+(\d+) kB`)

// anonymous is the memory of a process, in MB, without what it maps of files; 0 where there is no /proc.
func anonymous(pid int) float64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	found := anonymousLine.FindSubmatch(text)
	if found == nil {
		return 0
	}
	kb, _ := strconv.Atoi(string(found[1]))
	return float64(kb) / 1000
}

// most is the largest reading of a part of the day.
func (w *watch) most(from, to float64) (most float64) {
	n := float64(len(w.memory))
	for _, m := range w.memory[int(from*n):int(to*n)] {
		most = max(most, m)
	}
	return most
}

func (w *watch) print() {
	fmt.Printf("memory at most, by quarters: %.0f, %.0f, %.0f, %.0f MB; the log of SQLite at most %.1f MB\n",
		w.most(0, .25),
		w.most(.25, .5), w.most(.5, .75), w.most(.75, 1), float64(w.log)/1e6)
}

func (w *watch) judge() error {
	var errs []error
	if most := w.most(0, 1); most > memory {
		errs = append(errs, fmt.Errorf("memory came to %.0f MB, more than %d", most, memory))
	}
	if w.log > largest {
		errs = append(errs, fmt.Errorf("the log of SQLite came to %d bytes", w.log))
	}
	return errors.Join(errs...)
}
