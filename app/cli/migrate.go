package cli

import (
	"context"
	"errors"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"daybook/app/when"
)

func migrateCommand(h *house) *cobra.Command {
	cmd := group("migrate", "Bring the database's schema up to date, or show it")
	cmd.AddCommand(migrateUp(h), migrateStatus(h))
	return cmd
}

func migrateUp(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "up", Short: "Apply what is pending, after a snapshot beside the database; makes a missing file", Args: arguments()}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		names, err := h.migrate(cmd.Context())
		if err != nil {
			return err
		}
		if *asJSON {
			return printJSON(cmd, map[string]any{"database": h.db, "applied": append([]string{}, names...)})
		}
		for _, name := range names {
			say(cmd, "applied %s", name)
		}
		if len(names) == 0 {
			say(cmd, "%s is up to date.", h.db)
		}
		return nil
	}
	return cmd
}

func (h *house) migrate(ctx context.Context) ([]string, error) {
	o := h.options(os.Stderr)
	o.Create = true
	db, err := openEngine(ctx, o)
	if err != nil {
		return nil, err
	}
	names, err := db.Migrate(ctx)
	return names, errors.Join(err, db.Close())
}

// migrationRow is a migration as --json shows it.
type migrationRow struct {
	Version   int          `json:"version"`
	Name      string       `json:"name"`
	AppliedAt when.Instant `json:"appliedAt"` // null: pending
}

func migrateStatus(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "status", Short: "List the migrations", Args: arguments()}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		o := h.options(os.Stderr)
		o.ReadOnly = true
		db, err := openEngine(cmd.Context(), o)
		if err != nil {
			return err
		}
		all, err := db.MigrationStatus(cmd.Context())
		if err := errors.Join(err, db.Close()); err != nil {
			return err
		}
		rows := make([]migrationRow, len(all))
		for i, m := range all {
			rows[i] = migrationRow{m.Version, m.Name, when.Instant(m.AppliedAtMS)}
		}
		return printList(cmd, *asJSON, rows, []string{"VERSION", "NAME", "APPLIED"}, func(m migrationRow) []string {
			applied := "pending"
			if m.AppliedAt != 0 {
				applied = m.AppliedAt.String()
			}
			return []string{strconv.Itoa(m.Version), m.Name, applied}
		})
	}
	return cmd
}
