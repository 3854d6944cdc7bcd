package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	_ "time/tzdata" // the zones of a machine that has none
)

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// Main runs the command that the process was started as, and returns its exit code.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal kills
	return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	ran, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDone
	}
	if isUsage(err) {
		fmt.Fprintf(errs, "%s: %s (see %s --help)\n", ran.CommandPath(), oneLine(err), ran.CommandPath())
		return exitUsage
	}
	fmt.Fprintln(errs, "daybook: "+oneLine(err))
	return exitFailed
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// usageError is wrong usage: what stands on the command line, or in its environment twins, is at fault.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usage(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// isUsage also knows the errors that cobra itself makes: they come before any command has begun.
func isUsage(err error) bool {
	var u usageError
	var begun begunError
	return errors.As(err, &u) || !errors.As(err, &begun)
}

// begunError marks what a command itself returned.
type begunError struct{ error }

func (e begunError) Unwrap() error { return e.error }

func newRoot() *cobra.Command {
	h := &house{}
	root := group("daybook", "Scheduling and bookings, with one file as its database")
	root.Long = "Daybook takes bookings: a booking page, a REST API and agent tools over one SQLite file.\n\nTry it with: daybook demo\nStart it with: daybook serve"
	root.Version = Version
	root.SilenceErrors, root.SilenceUsage = true, true
	root.PersistentFlags().StringVar(&h.db, "db", "daybook.db", "the database file")
	for _, make := range commands {
		root.AddCommand(make(h))
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return usageError{flagError(cmd, err)} })
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return complete(cmd) }
	prepare(root)
	return root
}

// group is a command that only has others under it.
func group(use, short string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				hint := ""
				if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
					hint = "; did you mean " + strings.Join(near, " or ") + "?"
				}
				return usage("there is no command %q%s", args[0], hint)
			case cmd.HasParent():
				return usage("name a command: %s", strings.Join(names(cmd), ", "))
			}
			return cmd.Help()
		},
	}
}

func names(cmd *cobra.Command) (all []string) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			all = append(all, c.Name())
		}
	}
	return all
}

// prepare goes over every command: its help names the environment twins, and its errors are known as its own.
func prepare(cmd *cobra.Command) {
	cmd.SuggestionsMinimumDistance = 2
	showTwins(cmd.PersistentFlags())
	showTwins(cmd.LocalNonPersistentFlags())
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if err := run(cmd, args); err != nil {
				return begunError{err}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		prepare(sub)
	}
}
