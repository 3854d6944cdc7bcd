package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/store/engine"
	"daybook/store/migrations"
	"daybook/store/transfer"
)

func migrateCopy(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "copy", Args: console.Arguments(),
		Short: "Copy everything to an empty database, such as one on PostgreSQL, and prove that it is the same",
		Long: "Stop all servers of both databases first. From the beginning of the copy, the old database counts as moved: " +
			"it is not\n" +
			"served and no command changes it. A copy that was stopped goes on when the same command is run again, and is " +
			"not served\n" +
			"before it is complete. Keys, links, ids and secrets go on working, with the same --secret-key-file. --undo puts " +
			"the old\n" +
			"database back to use.",
	}
	from, to := other{flag: "--from"}, other{flag: "--to"}
	cmd.Flags().StringVar(&from.path, "from", "", "the database to copy: a file, or postgres://user@host/name")
	cmd.Flags().StringVar(&to.path, "to", "", "the empty database to copy it to; made when it is a file that is missing")
	undo := cmd.Flags().Bool("undo", false, "put the database of --from back to use instead, which has moved")
	f.AddSecretKeyFile(cmd.Flags())
	console.Require(cmd, "from")
	asJSON := console.JSONFlag(cmd)
	console.NamesDatabases(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *undo == (to.path != "") {
			return console.Usagef("give either --to, or --undo")
		}
		if *undo {
			return undoCopy(cmd, from.in(f), *asJSON)
		}
		return copyDatabase(cmd, from.in(f), to.in(f), *asJSON)
	}
	return cmd
}

// other is a database that another flag than --db names.
type other struct{ flag, path string }

func (o other) in(f *databaseFlags) *databaseFlags {
	one := *f
	one.Path, one.flag = o.path, o.flag
	return &one
}

// copied is what `migrate copy --json` prints.
type copied struct {
	From   string         `json:"from"`
	To     string         `json:"to"`
	Tables []transfer.Sum `json:"tables"`
}

func copyDatabase(cmd *cobra.Command, from, to *databaseFlags, asJSON bool) error {
	ctx := cmd.Context()
	source, err := from.openToCopy(ctx)
	if err != nil {
		return err
	}
	target, err := to.openEmpty(ctx)
	if err != nil {
		return errors.Join(err, source.Close())
	}
	sums, err := transfer.Copy(ctx, source, target, transfer.Options{Progress: progressTo(cmd.ErrOrStderr())})
	if err := errors.Join(err, target.Close(), source.Close()); err != nil {
		return err
	}
	if asJSON {
		return console.PrintJSON(cmd, copied{from.Name(), to.Name(), sums})
	}
	var rows int64
	for _, s := range sums {
		rows += s.Rows
	}
	err = console.PrintList(cmd, false, sums, []string{"TABLE", "ROWS", "SHA-256"}, func(s transfer.Sum) []string {
		return []string{s.Table, strconv.FormatInt(s.Rows, 10), s.Hash[:16]}
	})
	console.Say(cmd, "Copied %d rows in %d tables; each has the same count and hash on both sides.", rows, len(sums))
	console.Say(cmd, "%s is out of use now. Serve the new one with --db %s", from.Name(), to.Name())
	return err
}

// openToCopy opens a database that is copied. The secret key must be the one that its secrets are encrypted with.
func (f *databaseFlags) openToCopy(ctx context.Context) (engine.Engine, error) {
	db, err := f.OpenEngine(ctx, databaseOptions{})
	if err != nil {
		return nil, err
	}
	d, err := f.withSubjects(db, db.CheckSchema(ctx))
	if err != nil {
		return nil, err
	}
	err = d.Upkeep.CheckSecretKey(ctx)
	if err == nil {
		_, _, err = d.Upkeep.StoredSecrets(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return db, nil
}

// openEmpty opens a database that is copied to, and gives it its schema when it has none.
func (f *databaseFlags) openEmpty(ctx context.Context) (engine.Engine, error) {
	db, err := f.OpenEngine(ctx, databaseOptions{Create: true})
	if err != nil {
		return nil, err
	}
	err = db.CheckSchema(ctx)
	if errors.Is(err, migrations.ErrOlder) && isNew(ctx, db) {
		_, err = db.Migrate(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// tellEvery is the time between two lines about one table.
const tellEvery = time.Second

// progressTo writes a line for each table that is copied, and now and then for one that takes long.
func progressTo(out io.Writer) func(string, int64, int64) error {
	var told time.Time
	return func(table string, rows, of int64) error {
		if of == 0 || rows < of && time.Since(told) < tellEvery {
			return nil
		}
		told = time.Now()
		_, err := fmt.Fprintf(out, "%s: %d of %d rows\n", table, rows, of)
		return err
	}
}

func undoCopy(cmd *cobra.Command, from *databaseFlags, asJSON bool) error {
	db, err := from.OpenEngine(cmd.Context(), databaseOptions{})
	if err != nil {
		return err
	}
	err = db.CheckSchema(cmd.Context())
	if err != nil {
		return errors.Join(err, db.Close())
	}
	moved, err := transfer.Undo(cmd.Context(), db)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if asJSON {
		return console.PrintJSON(cmd, map[string]any{"from": from.Name(), "to": moved.Other})
	}
	console.Say(cmd, "%s is in use again. Remove the copy in %s: two that are served would part.", from.Name(),
		moved.Other)
	return nil
}
