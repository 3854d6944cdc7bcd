package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
)

// server is a process that answers, with open connections to it.
type server struct {
	*Process
	conns []*Conn
}

// start runs this binary as "product" or "floor", or another one, and has it sleep.
func (b *bench) start(ctx context.Context, binary, as, header string, args ...string) (*server, error) {
	p, err := Start(b.command(ctx, binary, as, args...), fmt.Sprintf("%s/%s.log", b.dir, as))
	if err != nil {
		return nil, err
	}
	s := &server{Process: p}
	if err := s.connect(b.o.clients, header); err != nil {
		s.stop()
		return nil, err
	}
	s.sleep()
	return s, nil
}

// connect opens connections whose requests all have the header.
func (s *server) connect(n int, header string) error {
	for range n {
		c, err := Dial(s.Address, header)
		if err != nil {
			return err
		}
		s.conns = append(s.conns, c)
	}
	return nil
}

func (b *bench) command(ctx context.Context, binary, as string, args ...string) *exec.Cmd {
	env := []string{"BENCH_PAIRS=" + as, "BENCH_PROFILE=" + b.o.profile}
	if b.o.procs != "" {
		env = append(env, "GOMAXPROCS="+b.o.procs)
	}
	return Command(ctx, b.dir, binary, env, args...)
}

// daybook runs a command of the product on the database, with that to read, and returns what it prints.
func (b *bench) daybook(ctx context.Context, in string, args ...string) ([]byte, error) {
	cmd := b.command(ctx, b.self, "product", append([]string{"--db", b.db}, args...)...)
	cmd.Stdin = strings.NewReader(in)
	return Output(cmd)
}

func (s *server) pid() int { return s.Process.Process.Pid }

// wake lets the process run, and sleep stops it.
func (s *server) wake()  { s.Process.Process.Signal(syscall.SIGCONT) }
func (s *server) sleep() { s.Process.Process.Signal(syscall.SIGSTOP) }

// stop ends the process and waits for it.
func (s *server) stop() {
	for _, c := range s.conns {
		c.Close()
	}
	s.Stop()
}
