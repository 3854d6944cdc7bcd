package pgtest

import (
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// Between has lead stand between a test's engine and the server, until the test ends: it is called for each
// connection, hands on what either end sends, and returns when one of them is gone. Between returns the URL of the
// database at place by that way.
func Between(t testing.TB, place string, lead func(client, server net.Conn)) string {
	t.Helper()
	u, err := url.Parse(place)
	if err != nil {
		t.Fatal(err)
	}
	address := u.Host
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var open []net.Conn
	t.Cleanup(func() {
		listener.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range open {
			c.Close()
		}
	})
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", address)
			if err != nil {
				client.Close()
				continue
			}
			mu.Lock()
			open = append(open, client, server)
			mu.Unlock()
			go func() {
				defer client.Close()
				defer server.Close()
				lead(client, server)
			}()
		}
	}()
	u.Host = listener.Addr().String()
	return u.String()
}

// Wire leads to a database, until it is silent: then it holds back whatever either end sends.
type Wire struct {
	URL string // the database, by way of the wire

	mu     sync.Mutex
	open   *sync.Cond
	silent func(listens bool) bool // whether a connection is; listens: it hears what others commit
}

// NewWire leads to the database at place until the test ends.
func NewWire(t testing.TB, place string) *Wire {
	t.Helper()
	w := &Wire{}
	w.open = sync.NewCond(&w.mu)
	w.Restore()
	w.URL = Between(t, place, w.lead)
	t.Cleanup(w.Restore)
	return w
}

// Silence makes every connection silent.
func (w *Wire) Silence() { w.set(func(bool) bool { return true }) }

// SilenceListeners makes those connections silent that listen to other servers' commits.
func (w *Wire) SilenceListeners() { w.set(func(listens bool) bool { return listens }) }

// Restore hands on what was held back, and what follows.
func (w *Wire) Restore() { w.set(func(bool) bool { return false }) }

func (w *Wire) set(silent func(bool) bool) {
	w.mu.Lock()
	w.silent = silent
	w.mu.Unlock()
	w.open.Broadcast()
}

func (w *Wire) lead(client, server net.Conn) {
	listens := false // guarded by w.mu
	var ended sync.WaitGroup
	ended.Go(func() { w.pass(client, server, &listens) })
	ended.Go(func() { w.pass(server, client, &listens) })
	ended.Wait()
}

func (w *Wire) pass(from, to net.Conn, listens *bool) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		w.mu.Lock()
		*listens = *listens || strings.Contains(string(buffer[:n]), "LISTEN ")
		for w.silent(*listens) {
			w.open.Wait()
		}
		w.mu.Unlock()
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
