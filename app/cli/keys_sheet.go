package cli

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
)

// sheet is what brings a business back when its machine is gone.
type sheet struct {
	Made       string   `json:"made"`
	Database   string   `json:"database"`
	ServedAt   *string  `json:"servedAt"`
	Replicas   []string `json:"replicas"`
	SecretKey  *string  `json:"secretKey"`  // of the stored secrets, as --secret-key-file has it
	ReplicaKey *string  `json:"replicaKey"` // of the replicas, as --replica-key-file has it
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
	s := &sheet{Made: time.Now().UTC().Format(time.RFC3339), Database: f.Name(), Replicas: []string{}}
	replicaKey, err := key.key()
	if err != nil {
		return nil, err
	}
	if replicaKey != nil {
		s.ReplicaKey = text(replicaKey.Secret())
	}
	if f.SecretKeyFile != "" {
		secret, err := readSecretKey(f.SecretKeyFile)
		if err != nil {
			return nil, err
		}
		s.SecretKey = text(base64.StdEncoding.EncodeToString(secret))
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
		s.ServedAt = text(at)
		r, err := d.Upkeep.Replicas(ctx)
		for _, t := range r.Targets {
			s.Replicas = append(s.Replicas, t.Name)
		}
		return err
	})
}

func (s *sheet) say(cmd *cobra.Command) {
	console.Say(cmd, "DAYBOOK: KEYS OF %s, %s", s.Database, s.Made)
	console.Say(cmd, "Who has this sheet can read everything. Keep it away from the machine, where you keep passwords.\n")
	if s.ServedAt != nil {
		console.Say(cmd, "Served at       %s", *s.ServedAt)
	}
	for _, url := range s.Replicas {
		console.Say(cmd, "Replica         %s", url)
	}
	restore := "daybook restore --from REPLICA"
	if s.SecretKey != nil {
		console.Say(cmd, "secret.key      %s", *s.SecretKey)
		restore += " --secret-key-file secret.key"
	}
	if s.ReplicaKey != nil {
		console.Say(cmd, "replica.key     %s", *s.ReplicaKey)
		restore += " --replica-key-file replica.key"
	}
	console.Say(cmd, "\nOn a new machine: write each key into a file of its name that only you can read (chmod 600).")
	console.Say(cmd, "Then run")
	console.Say(cmd, "  %s", restore)
}
