package doctor

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/app/cli/database"
	"daybook/app/cli/server"
	"daybook/app/rooms"
	"daybook/store/engine"
)

// finding is what one check found.
type finding struct {
	Check   string `json:"check"`
	Status  string `json:"status"` // ok, warning or failed
	Message string `json:"message"`
	Advice  string `json:"advice,omitempty"` // what to do
}

func fine(check, format string, args ...any) finding {
	return finding{Check: check, Status: "ok", Message: fmt.Sprintf(format, args...)}
}

func warn(check, message, advice string) finding { return finding{check, "warning", message, advice} }

func fail(check, message, advice string) finding { return finding{check, "failed", message, advice} }

// target is what is checked. While no database is open, db and Set are nil.
type target struct {
	flags  *database.Flags
	server *server.Server // its flags
	db     engine.Engine
	Set    *rooms.Set
}

// check looks at one thing. A check that needs the database is skipped without one.
type check struct {
	name    string
	needsDB bool
	run     func(context.Context, *target) []finding
}

// checks run in this order.
var checks = []check{
	{"time zones", false, checkZones},
	{"clock", false, checkClock},
	{"address", false, checkAddress},
	{"secret key", false, checkSecretKey},
	{"database", false, checkDatabase},
	{"disk", false, checkDisk},
	{"schema", true, checkSchema},
	{"servers", true, checkServers},
	{"secrets", true, checkSecrets},
	{"workspaces", true, checkWorkspaces},
	{"mail", true, checkMail},
	{"payments", true, checkPayments},
	{"calendars", true, checkCalendars},
	{"replicas", true, checkReplicas},
}

// Command is daybook doctor.
func Command(f *database.Flags, program server.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check configuration, database, clock and zones, and say what to do", Args: console.Arguments(),
		Long: "Checks what `daybook serve` with the same flags and environment would work with.\n" +
			"The exit code is 1 when something fails.",
	}
	s := server.New(f, program)
	s.AddFlags(cmd.Flags())
	health := cmd.Flags().String("health", "",
		"only ask the server at this address whether it is alive, as a container does")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *health != "" {
			return askHealth(cmd.Context(), *health)
		}
		t := &target{flags: f, server: s}
		all := t.runChecks(cmd.Context())
		if *asJSON {
			if err := console.PrintJSON(cmd, all); err != nil {
				return err
			}
		} else {
			showFindings(cmd, all)
		}
		failed := 0
		for _, f := range all {
			if f.Status == "failed" {
				failed++
			}
		}
		if failed > 0 {
			return fmt.Errorf("%d of %d checks failed; see the lines with ✗", failed, len(all))
		}
		return nil
	}
	return cmd
}

func (t *target) runChecks(ctx context.Context) (all []finding) {
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

func showFindings(cmd *cobra.Command, all []finding) {
	marks := map[string]string{"ok": "✓", "warning": "!", "failed": "✗"}
	for _, f := range all {
		console.Say(cmd, "%s %-10s  %s", marks[f.Status], f.Check, console.OneLine(errors.New(f.Message)))
		if f.Advice != "" {
			console.Say(cmd, "  %-10s  → %s", "", f.Advice)
		}
	}
}
