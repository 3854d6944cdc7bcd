package cli

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/app/when"
	"daybook/store/engine"
)

// migrateCommand is daybook migrate.
func migrateCommand(f *databaseFlags) *cobra.Command {
	cmd := console.Group("migrate", "Bring the database's schema up to date, show it, or move to another database")
	cmd.AddCommand(migrateUp(f), migrateStatus(f), migrateCopy(f))
	return cmd
}

func migrateUp(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "up", Args: console.Arguments(),
		Short: "Apply what is pending, after a snapshot beside the database; makes a missing file",
		Long: "Applies what is pending, after a snapshot beside the database; makes a missing file.\n\n" +
			"On PostgreSQL, servers of an older version may go on running meanwhile. Steps that remove what those need " +
			"(contract steps)\n" +
			"wait for --contract, and are refused while such a server runs.",
	}
	contract := cmd.Flags().Bool("contract", false, "also apply the steps that remove what older servers need")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		done, err := migrate(cmd.Context(), f, *contract)
		if err != nil {
			return err
		}
		if *asJSON {
			return console.PrintJSON(cmd, done)
		}
		for _, name := range done.Applied {
			console.Say(cmd, "applied %s", name)
		}
		for _, name := range done.Waiting {
			console.Say(cmd, "%s waits: when all older servers are stopped, run: daybook migrate up --contract", name)
		}
		if len(done.Applied) == 0 && len(done.Waiting) == 0 {
			console.Say(cmd, "%s is up to date.", f.Name())
		}
		if *contract && !f.OnServer() {
			console.Say(cmd, "%s is a file, where no step waits for --contract.", f.Name())
		}
		return nil
	}
	return cmd
}

// migrated is what `migrate up --json` prints.
type migrated struct {
	Database string   `json:"database"`
	Applied  []string `json:"applied"`
	Waiting  []string `json:"waiting"` // contract steps
}

func migrate(ctx context.Context, f *databaseFlags, contract bool) (migrated, error) {
	done := migrated{f.Name(), []string{}, []string{}}
	db, err := f.OpenEngine(ctx, databaseOptions{Create: true})
	if err != nil {
		return done, err
	}
	apply := db.Migrate
	if contract {
		apply = db.Contract
	}
	names, err := apply(ctx)
	done.Applied = append(done.Applied, names...)
	if err == nil {
		names, err = waitingMigrations(ctx, db)
		done.Waiting = append(done.Waiting, names...)
	}
	return done, errors.Join(err, db.Close())
}

// waitingMigrations names the steps that `migrate up --contract` applies.
func waitingMigrations(ctx context.Context, db engine.Engine) (names []string, err error) {
	all, err := db.MigrationStatus(ctx)
	for _, m := range all {
		if m.Waiting {
			names = append(names, m.Name)
		}
	}
	return names, err
}

// migrationRow is a migration as --json shows it.
type migrationRow struct {
	Version   int          `json:"version"`
	Name      string       `json:"name"`
	AppliedAt when.Instant `json:"appliedAt"` // null: pending
	Waiting   bool         `json:"waiting"`   // pending, and only applied with --contract
}

func migrateStatus(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "status", Short: "List the migrations", Args: console.Arguments()}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		db, err := f.OpenEngine(cmd.Context(), databaseOptions{ReadOnly: true})
		if err != nil {
			return err
		}
		all, err := db.MigrationStatus(cmd.Context())
		if err := errors.Join(err, db.Close()); err != nil {
			return err
		}
		rows := make([]migrationRow, len(all))
		for i, m := range all {
			rows[i] = migrationRow{m.Version, m.Name, when.Instant(m.AppliedAtMS), m.Waiting}
		}
		return console.PrintList(cmd, *asJSON, rows, []string{"VERSION", "NAME", "APPLIED"}, func(m migrationRow) []string {
			applied := "pending"
			switch {
			case m.Waiting:
				applied = "waiting for migrate up --contract"
			case m.AppliedAt != 0:
				applied = m.AppliedAt.String()
			}
			return []string{strconv.Itoa(m.Version), m.Name, applied}
		})
	}
	return cmd
}
