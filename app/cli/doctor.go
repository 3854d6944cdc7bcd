package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/app/subjects"
	"daybook/store/engine"
	"daybook/views/finding"
)

// result is what one check found.
type result struct {
	Name    string        `json:"name"`
	State   finding.State `json:"state"`
	Message string        `json:"message"`
	Advice  string        `json:"advice"` // what to do; "" for nothing
}

func fine(check, format string, args ...any) result {
	return result{Name: check, State: finding.OK, Message: fmt.Sprintf(format, args...)}
}

func warn(check, message, advice string) result {
	return result{check, finding.Warning, message, advice}
}

func fail(check, message, advice string) result {
	return result{check, finding.Failed, message, advice}
}

// target is what is checked. While no database is open, db and Set are nil.
type target struct {
	flags   *databaseFlags
	server  *server // its flags
	version string
	db      engine.Engine
	Set     *subjects.Set
}

// check looks at one thing. A check that needs the database is skipped without one.
type check struct {
	name    string
	needsDB bool
	run     func(context.Context, *target) []result
}

// checks run in this order.
var checks = []check{
	{"time zones", false, checkZones},
	{"address", false, checkAddress},
	{"secret key", false, checkSecretKey},
	{"database", false, checkDatabase},
	{"schema", true, checkSchema},
	{"address", true, checkProxy},
	{"servers", true, checkServers},
	{"secrets", true, checkSecrets},
	{"workspaces", true, checkWorkspaces},
	{"mail", true, checkMail},
	{"texts", true, checkTexts},
	{"payments", true, checkPayments},
	{"calendars", true, checkCalendars},
	{"day sums", true, checkSums},
	{"replica", false, checkReplicas},
	{"settings", false, checkSettings},
	{"health", false, checkHealth},
}

// doctorCommand is daybook doctor.
func doctorCommand(f *databaseFlags, program program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check configuration, database, clock and zones, and say what to do", Args: console.Arguments(),
		Long: "Checks what `daybook serve` with the same flags and environment would work with.\n" +
			"The exit code is 1 when something fails.",
	}
	s := newServer(f, program)
	s.AddFlags(cmd.Flags())
	health := cmd.Flags().String("health", "",
		"only ask the server at this address whether it is alive, as a container does")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *health != "" {
			return askHealth(cmd.Context(), *health)
		}
		s.root = cmd.Root()
		t := &target{flags: f, server: s, version: program.Version}
		all := t.runChecks(cmd.Context())
		failed := 0
		for _, r := range all {
			if r.State == finding.Failed {
				failed++
			}
		}
		if *asJSON {
			if err := console.PrintJSON(cmd, struct {
				OK     bool     `json:"ok"`
				Checks []result `json:"checks"`
			}{failed == 0, all}); err != nil {
				return err
			}
		} else {
			showResults(cmd, all)
		}
		if failed > 0 {
			return fmt.Errorf("%d of %d checks failed; see the lines with ✗", failed, len(all))
		}
		return nil
	}
	return cmd
}

func (t *target) runChecks(ctx context.Context) (all []result) {
	for _, c := range checks {
		if c.needsDB && t.Set == nil {
			continue
		}
		all = append(all, c.run(ctx, t)...)
	}
	if t.db != nil {
		if err := t.db.Close(); err != nil {
			all = append(all, fail("database", err.Error(), ""))
		}
	}
	return all
}

func showResults(cmd *cobra.Command, all []result) {
	marks := map[finding.State]string{finding.OK: "✓", finding.Warning: "!", finding.Failed: "✗"}
	for _, r := range all {
		console.Say(cmd, "%s %-11s  %s", marks[r.State], r.Name, console.OneLine(errors.New(r.Message)))
		if r.Advice != "" {
			console.Say(cmd, "  %-11s  → %s", "", r.Advice)
		}
	}
}
