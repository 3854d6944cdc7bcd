package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"daybook/app/rooms"
	"daybook/store"
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

// patient is what is looked at. Without a database that can be opened, db and Service are nil.
type patient struct {
	house  *house
	server *server // its flags
	db     store.Engine
	Set    *rooms.Set
}

// check looks at one thing. A check that needs the database is not run without it.
type check struct {
	name    string
	needsDB bool
	run     func(context.Context, *patient) []finding
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
	{"secrets", true, checkSecrets},
	{"workspaces", true, checkWorkspaces},
	{"mail", true, checkMail},
	{"payments", true, checkPayments},
}

func doctorCommand(h *house) *cobra.Command {
	cmd := &cobra.Command{
		Use: "doctor", Short: "Check configuration, database, clock and zones, and say what to do", Args: arguments(),
		Long: "Checks what `daybook serve` with the same flags and environment would work with.\nThe exit code is 1 when something fails.",
	}
	s := newServer(h)
	s.addFlags(cmd.Flags())
	health := cmd.Flags().String("health", "", "only ask the server at this address whether it is alive, as a container does")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *health != "" {
			return askHealth(cmd.Context(), *health)
		}
		p := &patient{house: h, server: s}
		all := p.examine(cmd.Context())
		if *asJSON {
			if err := printJSON(cmd, all); err != nil {
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

func (p *patient) examine(ctx context.Context) (all []finding) {
	for _, c := range checks {
		if c.needsDB && p.Set == nil {
			continue
		}
		all = append(all, c.run(ctx, p)...)
	}
	if p.db != nil {
		if err := p.db.Close(); err != nil {
			all = append(all, fail("database", err.Error(), ""))
		}
	}
	return all
}

func showFindings(cmd *cobra.Command, all []finding) {
	marks := map[string]string{"ok": "✓", "warning": "!", "failed": "✗"}
	for _, f := range all {
		say(cmd, "%s %-10s  %s", marks[f.Status], f.Check, oneLine(errors.New(f.Message)))
		if f.Advice != "" {
			say(cmd, "  %-10s  → %s", "", f.Advice)
		}
	}
}
