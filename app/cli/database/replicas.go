package database

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/store/replica"
)

// ReplicasCommand is daybook replicas.
func ReplicasCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "replicas", Short: "See which moments a replica can bring back, make a key for one"}
	cmd.AddCommand(replicasList(), replicasKey())
	return cmd
}

func replicasList() *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Args: console.Arguments(),
		Short: "Show from when to when a replica can bring the database back",
	}
	var f ReplicaFlags
	f.AddKey(cmd.Flags())
	from := cmd.Flags().String("from", "", "the replica's address: file:///directory or s3://bucket/path")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *from == "" {
			return console.Usagef("name the replica with --from")
		}
		o, err := openTarget(*from)
		if err != nil {
			return err
		}
		key, err := f.key()
		if err != nil {
			return err
		}
		m, err := replica.Look(cmd.Context(), o, key)
		if err != nil {
			return whyNot(err)
		}
		if *asJSON {
			return console.PrintJSON(cmd, map[string]any{"replica": o.String(), "database": m.Database,
				"encrypted": m.Encrypted, "first": moment(m.First), "last": moment(m.Last), "snapshots": moments(m.Snapshots),
				"files": m.Files, "bytes": m.Bytes})
		}
		if m.First.IsZero() {
			console.Say(cmd, "%s has no complete copy yet.", o)
			return nil
		}
		console.Say(cmd, "%s can bring back any moment from %s to %s.", o, m.First.Format(time.RFC3339),
			m.Last.Format(time.RFC3339))
		console.Say(cmd, "%d files, %d bytes.", m.Files, m.Bytes)
		return nil
	}
	return cmd
}

func moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(time.RFC3339)
}

func moments(all []time.Time) []any {
	list := make([]any, len(all))
	for i, t := range all {
		list[i] = moment(t)
	}
	return list
}

func replicasKey() *cobra.Command {
	cmd := &cobra.Command{
		Use: "key FILE", Args: console.Arguments("new file"),
		Short: "Make a key that encrypts replicas, in a new file",
	}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		key, err := replica.NewKey()
		if err != nil {
			return err
		}
		text := "# The key of Daybook's replicas. Keep a copy of it away from this machine: without it they are lost.\n" +
			"# public key: " + key.Public() + "\n" + key.Secret() + "\n"
		if err := writeNew(args[0], text); err != nil {
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
