package cli

import (
	"context"
	"encoding/base64"
	"errors"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
)

// sheet is what brings a business back when its machine is gone.
type sheet struct {
	Made       string   `json:"made"`
	Version    string   `json:"version"` // of the program, which the new machine needs at least
	Database   string   `json:"database"`
	ServedAt   *string  `json:"servedAt"`
	Replicas   []string `json:"replicas"`
	SecretKey  *string  `json:"secretKey"`  // of the stored secrets, as --secret-key-file has it
	ReplicaKey *string  `json:"replicaKey"` // of the replicas, as --replica-key-file has it
	// Keys and Restore are lines for a shell: the first write the keys into files, those of each replica bring the
	// database back from it.
	Keys    []string   `json:"keys"`
	Restore [][]string `json:"restore"`
}

// keysSheetCommand is daybook keys-sheet.
func keysSheetCommand(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "keys-sheet", Args: console.Arguments(),
		Short: "Print the keys without which replicas and stored secrets are lost, to keep away from this machine",
		Long: "Prints the addresses of the replicas and both keys, in clear, with the commands that bring the database\n" +
			"back from them on a new machine. Print it on paper, or put it where you keep passwords.",
	}
	var key replicaFlags
	key.AddKey(cmd.Flags())
	f.AddSecretKeyFile(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		s, err := f.sheet(cmd.Context(), &key)
		if err != nil {
			return err
		}
		if *asJSON {
			return console.PrintJSON(cmd, s)
		}
		s.say(cmd)
		return nil
	}
	return cmd
}

// sheet fills the sheet. It fails when --secret-key-file is not the key of the stored secrets.
func (f *databaseFlags) sheet(ctx context.Context, key *replicaFlags) (*sheet, error) {
	s := &sheet{Made: time.Now().UTC().Format(time.RFC3339), Version: Version, Database: f.Name(), Replicas: []string{}}
	replicaKey, err := key.key()
	if err != nil {
		return nil, err
	}
	if replicaKey != nil {
		s.ReplicaKey = orNone(replicaKey.Secret())
	}
	if f.SecretKeyFile != "" {
		secret, err := readSecretKey(f.SecretKeyFile)
		if err != nil {
			return nil, err
		}
		s.SecretKey = orNone(base64.StdEncoding.EncodeToString(secret))
	}
	if s.SecretKey == nil && s.ReplicaKey == nil {
		return nil, console.Usagef("name the files with the keys: --secret-key-file, --replica-key-file")
	}
	return s, withDatabase(ctx, f.Read, func(d *database) error {
		if s.SecretKey != nil {
			if err := d.Upkeep.CheckSecretKey(ctx); err != nil {
				return err
			}
		}
		at, err := d.Upkeep.ServedAt(ctx)
		if err != nil {
			return err
		}
		s.ServedAt = orNone(at)
		r, err := d.Upkeep.Replicas(ctx)
		for _, t := range r.Targets {
			s.Replicas = append(s.Replicas, t.Name)
		}
		return errors.Join(err, s.write(f))
	})
}

// write writes the lines for a shell.
func (s *sheet) write(f *databaseFlags) error {
	s.Keys, s.Restore = []string{"umask 077"}, [][]string{}
	for _, key := range []struct {
		name string
		text *string
	}{{"secret.key", s.SecretKey}, {"replica.key", s.ReplicaKey}} {
		if key.text != nil {
			s.Keys = append(s.Keys, "echo "+console.Quoted(*key.text)+" > "+key.name)
		}
	}
	if f.OnServer() {
		return nil
	}
	path, err := filepath.Abs(f.Path)
	if err != nil {
		return err
	}
	owner := ""
	if u, err := user.Current(); err == nil && u.Uid != "0" {
		owner = u.Username
	}
	for _, url := range s.Replicas {
		s.Restore = append(s.Restore, s.restore(url, path, owner))
	}
	return nil
}

// restore returns the lines that bring the database back to its path from a replica. owner is who serves it, "" for
// root.
func (s *sheet) restore(url, path, owner string) []string {
	lines := []string{"mkdir -p " + console.Quoted(filepath.Dir(path))}
	if strings.HasPrefix(url, "s3:") {
		lines = append(lines, "export AWS_ACCESS_KEY_ID='____' AWS_SECRET_ACCESS_KEY='____'  # write the bucket's keys here")
	}
	line := "daybook restore --db " + console.Quoted(path) + " --from " + console.Quoted(url)
	if s.SecretKey != nil {
		line += " --secret-key-file secret.key"
	}
	if s.ReplicaKey != nil {
		line += " --replica-key-file replica.key"
	}
	lines = append(lines, line)
	if owner != "" {
		lines = append(lines, "chown "+console.Quoted(owner+":")+" "+console.Quoted(path))
	}
	return lines
}

func (s *sheet) say(cmd *cobra.Command) {
	console.Say(cmd, "DAYBOOK: KEYS OF %s, %s", s.Database, s.Made)
	console.Say(cmd, "Who has this sheet can read everything. Keep it away from the machine, where you keep passwords.\n")
	if s.ServedAt != nil {
		console.Say(cmd, "Served at       %s", *s.ServedAt)
	}
	console.Say(cmd, "Daybook         %s, or a newer one", s.Version)
	console.Say(cmd, "\nOn a new machine that has the program, these lines write the keys into files that only you can read:\n")
	for _, line := range s.Keys {
		console.Say(cmd, "  %s", line)
	}
	for i, url := range s.Replicas {
		console.Say(cmd, "\nThen these bring the database back from %s:\n", url)
		for _, line := range s.Restore[i] {
			console.Say(cmd, "  %s", line)
		}
	}
	if len(s.Replicas) > 0 {
		console.Say(cmd, "\nOf several replicas, one is enough: the first that answers.")
		if slices.ContainsFunc(s.Replicas, func(url string) bool { return strings.HasPrefix(url, "s3:") }) {
			console.Say(cmd, "The keys of the bucket aren't on the machine for this sheet to print; write them here:\n\n"+
				"  AWS_ACCESS_KEY_ID      ______________________________\n\n  AWS_SECRET_ACCESS_KEY  ______________________________")
		}
	}
	if s.ReplicaKey == nil && len(s.Replicas) > 0 || s.SecretKey == nil {
		console.Say(cmd, "\nThis sheet has not all keys: run it with --secret-key-file and --replica-key-file, as serve has them.")
	}
}
