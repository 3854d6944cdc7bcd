package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"daybook/.bench/load"
)

// server is a running `daybook serve` with open connections to it.
type server struct {
	binary string
	cmd    *exec.Cmd
	conns  []*load.Conn
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
		c, err := load.Dial(address, "Authorization: Bearer "+key.Key+"\r\n")
		if err != nil {
			return nil, err
		}
		s.conns = append(s.conns, c)
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

// cpu is the processor time that the process has used.
func (s *server) cpu() time.Duration { return load.CPU(s.cmd.Process.Pid) }

// send divides requests over the connections, all at once, and returns the time until the last answer. An answer with
// another status than wanted is an error.
func (s *server) send(requests []string, status int) (time.Duration, error) {
	took, _, err := load.Send(s.conns, requests, status)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", s.binary, err)
	}
	return took, nil
}

// one sends one request and returns the answer's body.
func (s *server) one(request string, status int) ([]byte, error) {
	return s.conns[0].Ask(s.conns[0].Wire(request), status, true)
}
