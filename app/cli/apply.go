package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/cli/console"
	"daybook/app/fault"
	"daybook/app/setup"
)

func workspaceApply(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "apply FILE", Args: console.Arguments("file, or - for standard input"),
		Short: "Make a workspace what a YAML or JSON file says; - is standard input",
		Long: "Makes hosts, hours, resources and event types what the file says: creates what is missing and changes what\n" +
			"differs. A field that is left out stays as it is, a list that is given replaces the old one, null clears. It touches\n" +
			"no booking and nothing that the file does not name. Begin with: daybook workspace export SLUG > salon.yaml\n\n" +
			"The file in full:\n\n" + asExample(setup.Example),
	}
	dryRun := cmd.Flags().Bool("dry-run", false, "print what would change, and change nothing")
	deleteValues := cmd.Flags().Bool("delete-field-values", false,
		"let contactFields remove fields that contacts have values of, and delete these")
	f.AddSecretKeyFile(cmd.Flags())
	f.AddTextAllow(cmd.Flags())
	f.AddNewDatabase(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		file, err := readSetup(cmd, args[0])
		if err != nil {
			return err
		}
		file.Resolve(secretOf)
		if *deleteValues {
			file.DeleteFieldValues()
		}
		open, done, err := openToApply(cmd.Context(), f, *dryRun)
		if err != nil {
			return err
		}
		defer done()
		return withDatabase(cmd.Context(), open, func(d *database) error {
			report, err := d.SetupFile.ApplySetup(cmd.Context(), app.Operator(0), file, *dryRun)
			if err != nil {
				return in(args[0], err)
			}
			if *asJSON {
				return console.PrintJSON(cmd, struct {
					DryRun bool `json:"dryRun"`
					setup.Report
				}{*dryRun, report})
			}
			for _, w := range report.Warnings {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s: line %d: %s: %s\n", sourceName(args[0]), w.Line, w.Path, w.Message)
			}
			showDifferences(cmd, report.Differences, *dryRun)
			showLeft(cmd, report.Left)
			return nil
		})
	}
	return cmd
}

// asExample indents a text as help shows examples.
func asExample(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
}

// openToApply returns how to open the database. A dry run with --new-database and without one uses a temporary one, which
// done removes.
func openToApply(ctx context.Context, f *databaseFlags, dryRun bool) (open func(context.Context) (*database, error),
	done func(), err error) {
	if !dryRun {
		return f.CreateWithSecrets, func() {}, nil
	}
	none := false
	if f.anew {
		if none, err = f.isNone(ctx); err != nil {
			return nil, nil, err
		}
	}
	if !none {
		return f.Write, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "daybook-dry-run-")
	if err != nil {
		return nil, nil, err
	}
	other := *f
	other.Path = filepath.Join(dir, "daybook.db")
	return other.CreateWithSecrets, func() { os.RemoveAll(dir) }, nil
}

// readSetup reads and parses the file; - is standard input.
func readSetup(cmd *cobra.Command, name string) (setup.File, error) {
	source := cmd.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return setup.File{}, fmt.Errorf("can't read the set-up: %w", err)
		}
		defer f.Close()
		source = f
	}
	text, err := io.ReadAll(io.LimitReader(source, setup.MaxBytes+1))
	if err != nil {
		return setup.File{}, fmt.Errorf("can't read the set-up: %w", err)
	}
	file, err := setup.Parse(text)
	return file, in(name, err)
}

// in adds the file's name to an error about its content.
func in(name string, err error) error {
	if err == nil || fault.As(err) == nil {
		return err
	}
	return fmt.Errorf("%s: %w", sourceName(name), err)
}

func sourceName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// showLeft lists what the workspace has and the file does not name.
func showLeft(cmd *cobra.Command, left []setup.Unnamed) {
	if len(left) == 0 {
		return
	}
	var names []string
	for _, l := range left {
		name := l.Kind + " " + l.Name
		if !l.Active {
			name += " (inactive)"
		}
		names = append(names, name)
	}
	console.Say(cmd, "Not in the file, left as they are: %s. To retire one, name it with active: false.",
		strings.Join(names, ", "))
}

func showDifferences(cmd *cobra.Command, all []setup.Difference, dryRun bool) {
	for _, d := range all {
		if d.Change == "create" {
			console.Say(cmd, "+ %s %s", d.Kind, d.Name)
		} else {
			console.Say(cmd, "~ %s %s: %s: %s → %s", d.Kind, d.Name, d.Field, d.From, d.To)
		}
	}
	switch {
	case len(all) == 0:
		console.Say(cmd, "Nothing differs.")
	case dryRun:
		console.Say(cmd, "A dry run: nothing was changed.")
	default:
		console.Say(cmd, "Applied.")
	}
}
