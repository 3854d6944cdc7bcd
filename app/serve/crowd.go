package serve

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// crowd are the open connections. A process may open only so many files: once
// few are left, each new connection has the one closed that has waited longest
// without a request, so that whoever holds many silences nobody. The zero value
// has no bound.
type crowd struct {
	most int // 0 is no bound

	mu    sync.Mutex
	open  int
	quiet map[net.Conn]time.Time // since when nothing is asked on them
}

// count returns how many are open.
func (c *crowd) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}

// note is a server's ConnState.
func (c *crowd) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.open++
		if c.most > 0 && c.open > c.most {
			c.closeQuietest()
		}
	case http.StateClosed, http.StateHijacked:
		c.open--
	}
	if c.most == 0 {
		return
	}
	if c.quiet == nil {
		c.quiet = map[net.Conn]time.Time{}
	}
	if state == http.StateNew || state == http.StateIdle {
		c.quiet[conn] = time.Now()
	} else {
		delete(c.quiet, conn)
	}
}

// closeQuietest closes the connection that has been quiet for longest. c.mu is
// held.
func (c *crowd) closeQuietest() {
	var conn net.Conn
	var since time.Time
	for one, at := range c.quiet {
		if conn == nil || at.Before(since) {
			conn, since = one, at
		}
	}
	if conn != nil {
		delete(c.quiet, conn)
		go conn.Close() // TLS says goodbye first
	}
}

// filesKept are left for the database, calls to other servers and files.
const filesKept = 200

// mostConnections returns how many connections may be open where a process may
// open that many files; 0 is no bound.
func mostConnections(files uint64) int {
	if files == 0 || files > 1<<20 {
		return 0
	}
	return int(max(files/2, files-min(files, filesKept)))
}
