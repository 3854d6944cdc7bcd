package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Process is one that answers requests.
type Process struct {
	*exec.Cmd
	Address string // that it prints behind "http://"
	log     string // the file that it logs to
}

// Command makes a command in a folder, without the settings of the caller's shell, which would change what is measured.
// Canceling it asks it to end, and kills it 15 s later.
func Command(ctx context.Context, dir, binary string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir = dir
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "DAYBOOK_") && !strings.HasPrefix(pair, "GO") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	cmd.Env = append(cmd.Env, env...)
	cmd.Cancel = func() error {
		cmd.Process.Signal(syscall.SIGCONT)
		return cmd.Process.Signal(syscall.SIGTERM)
	}
	cmd.WaitDelay = 15 * time.Second
	return cmd
}

// Output runs a command of the product to its end and returns what it prints.
func Output(cmd *exec.Cmd) ([]byte, error) {
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, &errs)
	}
	return out, nil
}

// Start starts a server, which logs to the file, and waits for its address.
func Start(cmd *exec.Cmd, log string) (*Process, error) {
	p := &Process{Cmd: cmd, log: log}
	file, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer file.Close() // the process has its own
	cmd.Stderr = file
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	_, address, found := strings.Cut(strings.TrimSpace(line), "http://")
	if err != nil || !found {
		p.Stop()
		return nil, errors.Join(fmt.Errorf("%s printed %q and no address", cmd.Path, line), p.Said())
	}
	p.Address = address
	go io.Copy(io.Discard, lines)
	return p, nil
}

// Said is the end of its log, as an error.
func (p *Process) Said() error {
	text, _ := os.ReadFile(p.log) // best effort: it explains another error
	if len(text) == 0 {
		return nil
	}
	return errors.New(string(text[max(0, len(text)-2000):]))
}

// Stop ends the process and waits for it.
func (p *Process) Stop() {
	p.Process.Signal(syscall.SIGCONT)
	p.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(15*time.Second, func() { p.Process.Kill() })
	defer kill.Stop()
	p.Wait()
}

// FreeAddress is one of this machine that nobody listens on.
func FreeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}
