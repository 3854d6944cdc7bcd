package database

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/app/when"
)

// MigrateCommand is daybook migrate.
func MigrateCommand(f *Flags) *cobra.Command {
	cmd := console.Group("migrate", "Bring the database's schema up to date, show it, or move to another database")
	cmd.AddCommand(migrateUp(f), migrateStatus(f), migrateCopy(f))
	return cmd
}

func migrateUp(f *Flags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "up", Args: console.Arguments(),
		Short: "Apply what is pending, after a snapshot beside the database; makes a missing file",
	}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		names, err := migrate(cmd.Context(), f)
		if err != nil {
			return err
		}
		if *asJSON {
			return console.PrintJSON(cmd, map[string]any{"database": f.Name(), "applied": append([]string{}, names...)})
		}
		for _, name := range names {
			console.Say(cmd, "applied %s", name)
		}
		if len(names) == 0 {
			console.Say(cmd, "%s is up to date.", f.Name())
		}
		return nil
	}
	return cmd
}

func migrate(ctx context.Context, f *Flags) ([]string, error) {
	db, err := f.OpenEngine(ctx, Options{Create: true})
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

func migrateStatus(f *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "status", Short: "List the migrations", Args: console.Arguments()}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		db, err := f.OpenEngine(cmd.Context(), Options{ReadOnly: true})
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
		return console.PrintList(cmd, *asJSON, rows, []string{"VERSION", "NAME", "APPLIED"}, func(m migrationRow) []string {
			applied := "pending"
			if m.AppliedAt != 0 {
				applied = m.AppliedAt.String()
			}
			return []string{strconv.Itoa(m.Version), m.Name, applied}
		})
	}
	return cmd
}
