package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server is a running `daybook serve` with open connections to it.
type server struct {
	binary string
	cmd    *exec.Cmd
	conns  []*conn
	log    string // the file that it logs to
}

// start sets a workspace up in a new database in dir, and serves it on a free port of this machine. It uses only
// commands and flags that the oldest binaries know.
func start(ctx context.Context, binary, dir, setup string) (s *server, err error) {
	binary, err = filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	command := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, binary, append([]string{"--db", filepath.Join(dir, "pairs.db")}, args...)...)
		cmd.Dir = dir
		for _, pair := range os.Environ() { // settings of the caller's shell would change what is measured
			if !strings.HasPrefix(pair, "DAYBOOK_") {
				cmd.Env = append(cmd.Env, pair)
			}
		}
		cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
		cmd.WaitDelay = 15 * time.Second
		return cmd
	}
	if out, err := command("workspace", "apply", setup).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s workspace apply: %w\n%s", binary, err, out)
	}
	out, err := command("keys", "create", "--workspace", "pairs", "--name", "pairs", "--rate-limit", "1000000",
		"--json").Output()
	if err != nil {
		return nil, fmt.Errorf("%s keys create: %w", binary, err)
	}
	var key struct{ Key string }
	if err := json.Unmarshal(out, &key); err != nil || key.Key == "" {
		return nil, fmt.Errorf("%s keys create printed no key: %w", binary, err)
	}

	s = &server{binary: binary, log: filepath.Join(dir, "log")}
	log, err := os.Create(s.log)
	if err != nil {
		return nil, err
	}
	defer log.Close() // the process has its own
	s.cmd = command("serve", "--addr", "127.0.0.1:0")
	s.cmd.Stderr = log
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.stop()
		}
	}()
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	_, address, found := strings.Cut(strings.TrimSpace(line), " at http://")
	if err != nil || !found {
		text, _ := os.ReadFile(s.log) // best effort: it explains the error
		return nil, fmt.Errorf("%s serve printed %q and no address\n%s", binary, line, text)
	}
	go io.Copy(io.Discard, lines)
	for range connections {
		c, err := net.Dial("tcp", address)
		if err != nil {
			return nil, err
		}
		s.conns = append(s.conns, &conn{
			Conn: c, in: bufio.NewReader(c),
			header: "Host: " + address + "\r\nAuthorization: Bearer " + key.Key + "\r\n",
		})
	}
	return s, nil
}

// stop ends the process and waits for it: `daybook serve` ends within 10 seconds, and is killed after 15.
func (s *server) stop() {
	for _, c := range s.conns {
		c.Close()
	}
	s.cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(15*time.Second, func() { s.cmd.Process.Kill() })
	defer kill.Stop()
	s.cmd.Wait()
}

// cpu is the processor time that the process has used, all threads together; 0 where there is no /proc.
func (s *server) cpu() time.Duration {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.cmd.Process.Pid))
	var sum time.Duration
	for _, thread := range threads {
		text, _ := os.ReadFile(thread)
		first, _, _ := strings.Cut(string(text), " ")
		ns, _ := strconv.ParseInt(first, 10, 64)
		sum += time.Duration(ns)
	}
	return sum
}

// send divides requests over the connections, all at once, and returns the time until the last answer. An answer with
// another status than wanted is an error.
func (s *server) send(requests []string, status int) (time.Duration, error) {
	errs := make(chan error, len(s.conns))
	var ready, done sync.WaitGroup
	begin := make(chan struct{})
	for i, c := range s.conns {
		var wire [][]byte
		for j := i; j < len(requests); j += len(s.conns) {
			wire = append(wire, c.wire(requests[j]))
		}
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-begin
			for _, w := range wire {
				if _, err := c.ask(w, status, false); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	ready.Wait()
	began := time.Now()
	close(begin)
	done.Wait()
	took := time.Since(began)
	select {
	case err := <-errs:
		return 0, fmt.Errorf("%s: %w", s.binary, err)
	default:
		return took, nil
	}
}

// one sends one request and returns the answer's body.
func (s *server) one(request string, status int) ([]byte, error) {
	return s.conns[0].ask(s.conns[0].wire(request), status, true)
}

// conn speaks as much HTTP/1.1 as Daybook's answers need, with little time of its own, which would hide differences.
type conn struct {
	net.Conn
	in     *bufio.Reader
	header string
	line   []byte
}

// wire adds the headers that all requests have, after the request line.
func (c *conn) wire(request string) []byte {
	first, rest, _ := strings.Cut(request, "\r\n")
	if rest == "" {
		rest = "\r\n"
	}
	return []byte(first + "\r\n" + c.header + rest)
}

// ask sends a request and reads the whole answer; it returns the body only when keep is set.
func (c *conn) ask(wire []byte, status int, keep bool) ([]byte, error) {
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return nil, err
	}
	if _, err := c.Write(wire); err != nil {
		return nil, err
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	got, err := strconv.Atoi(string(line[min(9, len(line)):min(12, len(line))]))
	if err != nil {
		return nil, fmt.Errorf("no status in %q", line)
	}
	length, chunked := -1, false
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			break
		}
		name, value, _ := bytes.Cut(line, []byte(": "))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return nil, err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = true
		}
	}
	var body bytes.Buffer
	var to io.Writer = io.Discard
	if keep || got != status {
		to = &body
	}
	if chunked {
		err = c.chunks(to)
	} else if length > 0 {
		_, err = io.CopyN(to, c.in, int64(length))
	}
	if err != nil {
		return nil, err
	}
	if got != status {
		request, _, _ := bytes.Cut(wire, []byte("\r\n"))
		return nil, fmt.Errorf("%s answered %d, not %d: %s", request, got, status, body.Bytes())
	}
	return body.Bytes(), nil
}

// chunks copies a chunked body.
func (c *conn) chunks(to io.Writer) error {
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil {
			return err
		}
		if n > 0 {
			if _, err := io.CopyN(to, c.in, n); err != nil {
				return err
			}
		}
		if _, err := c.in.Discard(2); err != nil || n == 0 {
			return err
		}
	}
}
