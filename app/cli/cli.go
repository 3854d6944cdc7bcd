package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"

	_ "time/tzdata" // for machines without time zone data
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
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
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
	if console.IsUsage(err) {
		fmt.Fprintf(errs, "%s: %s (see %s --help)\n", ran.CommandPath(), console.OneLine(err), ran.CommandPath())
		return exitUsage
	}
	fmt.Fprintln(errs, "daybook: "+console.OneLine(err))
	return exitFailed
}

func newRoot() *cobra.Command {
	f := &databaseFlags{}
	root := console.Group("daybook", "Scheduling and bookings, with one file as its database")
	root.Long = "Daybook takes bookings: a booking page, a REST API and agent tools over one SQLite file.\n\n" +
		"Try it with: daybook demo\nStart it with: daybook serve"
	root.Version = Version
	root.SilenceErrors, root.SilenceUsage = true, true
	f.Add(root.PersistentFlags())
	root.AddCommand(commands(f)...)
	console.Prepare(root)
	return root
}
