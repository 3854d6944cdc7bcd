package load

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Get is a request, as Wire takes it.
func Get(path string) string { return "GET " + path + " HTTP/1.1\r\n" }

// Post is a request with a body of JSON.
func Post(path, body string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		path, len(body), body)
}

// Tool is a call of an agent's tool.
func Tool(name, arguments string) string {
	return strings.Replace(Post("/api/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+
		`","arguments":`+arguments+`}}`), "\r\n", "\r\nAccept: application/json, text/event-stream\r\n", 1)
}

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
