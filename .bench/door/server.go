package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"daybook/.bench/load"
)

// server is a process that answers, with open connections to it.
type server struct {
	cmd   *exec.Cmd
	conns []*load.Conn
	log   string // the file that it logs to
}

// start runs this binary as "product" or "floor", or another one, and waits for the address, which it prints behind
// "http://".
func (b *bench) start(ctx context.Context, binary, as, header string, args ...string) (s *server, err error) {
	s = &server{log: fmt.Sprintf("%s/%s.log", b.dir, as)}
	log, err := os.Create(s.log)
	if err != nil {
		return nil, err
	}
	defer log.Close() // the process has its own
	s.cmd = b.command(ctx, binary, as, args...)
	s.cmd.Stderr = log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	begun := s
	defer func() {
		if err != nil {
			begun.stop()
		}
	}()
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	_, address, found := strings.Cut(strings.TrimSpace(line), "http://")
	if err != nil || !found {
		return nil, errors.Join(fmt.Errorf("%s printed %q and no address", as, line), s.said())
	}
	go io.Copy(io.Discard, lines)
	for range b.o.clients {
		c, err := load.Dial(address, header)
		if err != nil {
			return nil, err
		}
		s.conns = append(s.conns, c)
	}
	s.sleep()
	return s, nil
}

func (b *bench) command(ctx context.Context, binary, as string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = b.dir
	for _, pair := range os.Environ() { // settings of the caller's shell would change what is measured
		if !strings.HasPrefix(pair, "DAYBOOK_") && !strings.HasPrefix(pair, "GO") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	cmd.Env = append(cmd.Env, "BENCH_DOOR="+as, "BENCH_PROFILE="+b.o.profile)
	if b.o.procs != "" {
		cmd.Env = append(cmd.Env, "GOMAXPROCS="+b.o.procs)
	}
	cmd.Cancel = func() error {
		cmd.Process.Signal(syscall.SIGCONT)
		return cmd.Process.Signal(syscall.SIGTERM)
	}
	cmd.WaitDelay = 15 * time.Second
	return cmd
}

// daybook runs a command of the product on the database and returns what it prints.
func (b *bench) daybook(ctx context.Context, args ...string) ([]byte, error) {
	cmd := b.command(ctx, b.self, "product", append([]string{"--db", b.db}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("daybook %s: %w\n%s", args[0], err, &errs)
	}
	return out, nil
}

func (s *server) pid() int { return s.cmd.Process.Pid }

// said is the end of its log, as an error.
func (s *server) said() error {
	text, _ := os.ReadFile(s.log) // best effort: it explains another error
	if len(text) == 0 {
		return nil
	}
	return errors.New(string(text[max(0, len(text)-2000):]))
}

// stop ends the process and waits for it.
func (s *server) stop() {
	for _, c := range s.conns {
		c.Close()
	}
	s.wake()
	s.cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(15*time.Second, func() { s.cmd.Process.Kill() })
	defer kill.Stop()
	s.cmd.Wait()
}
