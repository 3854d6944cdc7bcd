package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Send divides requests over the connections, all at once. It returns the time until the last answer, and that of each
// request in no order. An answer with another status than wanted is an error.
func Send(conns []*Conn, requests []string, status int) (took time.Duration, each []time.Duration, err error) {
	errs := make(chan error, len(conns))
	var ready, done sync.WaitGroup
	begin := make(chan struct{})
	each = make([]time.Duration, len(requests))
	for i, c := range conns {
		var wire [][]byte
		for j := i; j < len(requests); j += len(conns) {
			wire = append(wire, c.Wire(requests[j]))
		}
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-begin
			last := time.Now()
			for n, w := range wire {
				if _, err := c.Ask(w, status, false); err != nil {
					errs <- err
					return
				}
				now := time.Now()
				each[i+n*len(conns)], last = now.Sub(last), now
			}
		})
	}
	ready.Wait()
	began := time.Now()
	close(begin)
	done.Wait()
	took = time.Since(began)
	select {
	case err := <-errs:
		return 0, nil, err
	default:
		return took, each, nil
	}
}

// CPU is the processor time that a process has used, all threads together; 0 where there is no /proc.
func CPU(pid int) time.Duration {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	var sum time.Duration
	for _, thread := range threads {
		text, _ := os.ReadFile(thread)
		first, _, _ := strings.Cut(string(text), " ")
		ns, _ := strconv.ParseInt(first, 10, 64)
		sum += time.Duration(ns)
	}
	return sum
}
