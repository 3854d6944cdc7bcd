package console

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// maxSecret bounds a line of standard input that holds a secret.
const maxSecret = 4096

// AskNewPassword asks for a password twice at a terminal, without echo; else it takes a line of standard input.
func AskNewPassword(cmd *cobra.Command) (string, error) {
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return readSecret(cmd.InOrStdin(), "the password")
	}
	first, err := askHidden(cmd, in, "Password: ")
	if err != nil {
		return "", err
	}
	again, err := askHidden(cmd, in, "Again: ")
	if err != nil {
		return "", err
	}
	if first != again {
		return "", errors.New("the two passwords differ; try again")
	}
	return first, nil
}

// readSecret takes one line.
func readSecret(in io.Reader, what string) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(in, maxSecret)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", fmt.Errorf("%s is expected on standard input, on a line of its own", what)
	}
	return line, nil
}

// askHidden reads a line without echo. A signal gives the terminal its echo back.
func askHidden(cmd *cobra.Command, in *os.File, prompt string) (string, error) {
	fd := int(in.Fd())
	state, err := term.GetState(fd)
	if err != nil {
		return "", err
	}
	fmt.Fprint(cmd.ErrOrStderr(), prompt)
	type answer struct {
		text []byte
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		text, err := term.ReadPassword(fd)
		answers <- answer{text, err}
	}()
	select {
	case a := <-answers:
		fmt.Fprintln(cmd.ErrOrStderr())
		if a.err == io.EOF {
			a.err = errors.New("no password was given")
		}
		return string(a.text), a.err
	case <-cmd.Context().Done():
		term.Restore(fd, state) //nolint:errcheck // nothing else can be done
		fmt.Fprintln(cmd.ErrOrStderr())
		return "", context.Cause(cmd.Context())
	}
}

// AskSecrets asks for each of the secrets at a terminal, without echo; else it takes a line of standard input for each.
func AskSecrets(cmd *cobra.Command, what ...string) (secrets []string, err error) {
	in, ok := cmd.InOrStdin().(*os.File)
	terminal := ok && term.IsTerminal(int(in.Fd()))
	lines := bufio.NewReader(io.LimitReader(cmd.InOrStdin(), maxSecret))
	for _, name := range what {
		var line string
		if terminal {
			if line, err = askHidden(cmd, in, strings.ToUpper(name[:1])+name[1:]+": "); err != nil {
				return nil, err
			}
		} else if line, err = lines.ReadString('\n'); err != nil && err != io.EOF {
			return nil, err
		}
		if line = strings.TrimSpace(line); line == "" {
			return nil, errors.New(fmt.Sprint(name, " is expected on standard input, on a line of its own"))
		}
		secrets = append(secrets, line)
	}
	return secrets, nil
}

// AskSecret asks at a terminal, without echo, by the prompt; else it takes a line of standard input. An error calls the
// secret what.
func AskSecret(cmd *cobra.Command, prompt, what string) (string, error) {
	if in, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		return askHidden(cmd, in, prompt)
	}
	return readSecret(cmd.InOrStdin(), what)
}

// AtTerminal tells whether somebody can be asked.
func AtTerminal(cmd *cobra.Command) bool {
	in, ok := cmd.InOrStdin().(*os.File)
	return ok && term.IsTerminal(int(in.Fd()))
}

// Ask asks for a line at a terminal.
func Ask(cmd *cobra.Command, prompt string) (string, error) {
	fmt.Fprint(cmd.ErrOrStderr(), prompt)
	answers := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(io.LimitReader(cmd.InOrStdin(), maxSecret)).ReadString('\n') // an end is no answer
		answers <- strings.TrimSpace(line)
	}()
	select {
	case line := <-answers:
		return line, nil
	case <-cmd.Context().Done():
		fmt.Fprintln(cmd.ErrOrStderr())
		return "", context.Cause(cmd.Context())
	}
}

// Confirm asks a question at a terminal, and tells whether the answer is yes; no is the default.
func Confirm(cmd *cobra.Command, question string) (bool, error) {
	line, err := Ask(cmd, question+" [y/N] ")
	line = strings.ToLower(line)
	return line == "y" || line == "yes", err
}
