package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/app/when"
	"daybook/store/replica"
	"daybook/store/sqlite"
)

// replicasCommand is daybook replicas.
func replicasCommand(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "replicas", Short: "See which moments a replica can bring back, make a key for one"}
	cmd.AddCommand(replicasList(f), replicasKey(), replicasForget(f))
	return cmd
}

// listed is a replica as replicas list shows it.
type listed struct {
	URL      string  `json:"url"`
	LastSync *string `json:"lastSync"`     // until when it has everything, as its server noted it last
	Oldest   *string `json:"oldest"`       // the first moment that it can bring back
	Newest   *string `json:"newest"`       // the last one
	Verified *string `json:"lastVerified"` // the last test restore of any of the replicas that went well
	Error    *string `json:"error"`
}

func replicasList(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Args: console.Arguments(),
		Short: "Show from when to when the replicas can bring the database back",
		Long: "Looks at the replicas that the server of the database has noted, or at those named with --from, for which\n" +
			"no database is needed. Keys of buckets come from the environment, as for serve.",
	}
	var key replicaFlags
	key.AddKey(cmd.Flags())
	from := cmd.Flags().StringArray("from", nil, "a replica: file:///directory or s3://bucket/path; may be repeated")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		k, err := key.key()
		if err != nil {
			return err
		}
		all, err := noted(cmd.Context(), f, *from)
		if err != nil {
			return err
		}
		for i := range all {
			all[i].look(cmd.Context(), k)
		}
		if *asJSON {
			return console.PrintJSON(cmd, all)
		}
		if len(all) == 0 {
			console.Say(cmd, "This database has no replicas; `daybook serve --replica` makes one.")
		}
		for i := range all {
			all[i].say(cmd)
		}
		return nil
	}
	return cmd
}

// noted returns the replicas to look at, with what their server noted.
func noted(ctx context.Context, f *databaseFlags, from []string) (all []listed, err error) {
	all = []listed{}
	for _, url := range from {
		all = append(all, listed{URL: url})
	}
	if len(from) > 0 {
		return all, nil
	}
	err = withDatabase(ctx, f.Read, func(d *database) error {
		r, err := d.Upkeep.Replicas(ctx)
		for _, t := range r.Targets {
			all = append(all, listed{URL: t.Name, LastSync: instant(t.Synced), Verified: instant(r.Verified),
				Error: orNone(t.Problem)})
		}
		return err
	})
	return all, err
}

// look asks the replica which moments it has.
func (l *listed) look(ctx context.Context, key *replica.Key) {
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	o, err := openTarget(l.URL)
	if err == nil {
		l.URL = o.String()
		var m replica.Moments
		if m, err = replica.Look(ctx, o, key); err == nil {
			l.Oldest, l.Newest = moment(m.First), moment(m.Last)
			return
		}
	}
	l.Error = orNone(whyNot(err).Error())
}

func (l *listed) say(cmd *cobra.Command) {
	if l.Oldest != nil {
		console.Say(cmd, "%s can bring back any moment from %s to %s.", l.URL, *l.Oldest, *l.Newest)
	} else if l.Error == nil {
		console.Say(cmd, "%s has no complete copy yet.", l.URL)
	}
	if l.Error != nil {
		console.Say(cmd, "%s: %s", l.URL, *l.Error)
	}
	if l.Verified != nil {
		console.Say(cmd, "  A test restore went well at %s.", *l.Verified)
	}
}

func orNone(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func instant(i when.Instant) *string {
	if i == 0 {
		return nil
	}
	return moment(i.Time())
}

func moment(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return orNone(t.UTC().Format(time.RFC3339))
}

func replicasKey() *cobra.Command {
	cmd := &cobra.Command{
		Use: "key FILE", Args: console.Arguments("new file"),
		Short: "Make a key that encrypts replicas, in a new file",
	}
	console.NoDatabase(cmd)
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		key, err := replica.NewKey()
		if err != nil {
			return err
		}
		if err := writeNew(args[0], keyFile(key)); err != nil {
			return err
		}
		if *asJSON {
			return console.PrintJSON(cmd, map[string]any{"file": args[0], "public": key.Public()})
		}
		console.Say(cmd, "Wrote %s, which your user alone can read. Its public key is %s.", args[0], key.Public())
		console.Say(cmd, "Keep a copy of it away from this machine: without it the replicas can't be read.")
		return nil
	}
	return cmd
}

func keyFile(key *replica.Key) string {
	return "# The key of Daybook's replicas. Keep a copy of it away from this machine: without it they are lost.\n" +
		"# public key: " + key.Public() + "\n" + key.Secret() + "\n"
}

// replicaKeyFile returns the text of a file with a new key for replicas.
func replicaKeyFile() (string, error) {
	key, err := replica.NewKey()
	if err != nil {
		return "", err
	}
	return keyFile(key), nil
}

func replicasForget(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "forget URL", Args: console.Arguments("address of the replica"),
		Short: "Let a new copy begin at a replica that was emptied",
		Long: "A server that finds a replica of its database empty tells so and writes nothing there: the disk may not be\n" +
			"mounted. After a replica was emptied on purpose, this lets a new copy begin. It deletes nothing, and works\n" +
			"while the database is served.",
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o, err := openTarget(args[0])
		if err != nil {
			return err
		}
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			db, ok := d.store.Engine.(*sqlite.DB)
			if !ok {
				return console.Usagef("replicas are of SQLite's; PostgreSQL replicates itself")
			}
			known, err := replica.Forget(db.Path(), o)
			if err != nil {
				return err
			}
			if !known {
				return fmt.Errorf("no server of this database has kept a replica at %s; `daybook replicas list` names "+
					"those it has", o)
			}
			console.Say(cmd, "A new copy begins at %s within a minute, if it is empty.", o)
			return nil
		})
	}
	return cmd
}

// writeNew writes a file that its owner alone can read, and replaces none.
func writeNew(path, text string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if e := f.Sync(); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
