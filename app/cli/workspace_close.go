package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/disk"
	"daybook/app/when"
)

// listedWorkspace is a workspace as the operator sees it.
type listedWorkspace struct {
	catalog.Workspace
	SuspendedAt when.Instant `json:"suspendedAt,omitzero"`
}

func listedOf(w catalog.Workspace) listedWorkspace { return listedWorkspace{w, w.SuspendedAt} }

// state says whether the doors of the workspace are open.
func (w *listedWorkspace) state() string {
	if w.SuspendedAt != 0 {
		return "suspended"
	}
	return "open"
}

func workspaceSuspend(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "suspend SLUG", Args: console.Arguments("workspace's slug"),
		Short: "Close a workspace's pages, API and dashboard; nothing is sent for it, and its data stays",
	}
	return setSuspended(cmd, f, true)
}

func workspaceResume(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "resume SLUG", Args: console.Arguments("workspace's slug"),
		Short: "Open a suspended workspace again",
	}
	return setSuspended(cmd, f, false)
}

func setSuspended(cmd *cobra.Command, f *databaseFlags, suspend bool) *cobra.Command {
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			set := d.Shop.ResumeWorkspace
			if suspend {
				set = d.Shop.SuspendWorkspace
			}
			if ws, err = set(cmd.Context(), app.Operator(ws.ID)); err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, listedOf(ws))
			}
			if suspend {
				console.Say(cmd, "%s is suspended since %s. Open it again with: daybook workspace resume %s", ws.Slug, ws.SuspendedAt, ws.Slug)
			} else {
				console.Say(cmd, "%s is open.", ws.Slug)
			}
			return nil
		})
	}
	return cmd
}

func workspaceDelete(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "delete SLUG", Args: console.Arguments("workspace's slug"),
		Short: "Delete a workspace for good, with everything in it, after everything was written to a file",
		Long: "Suspends the workspace, writes everything in it to a ZIP file (what the dashboard exports: no passwords, keys or\n" +
			"secrets), and deletes it: at once it is gone for everybody, its rows go in small steps. A file that can't be written\n" +
			"whole deletes nothing. It asks for the slug again, at a terminal or by --confirm.",
	}
	confirm := cmd.Flags().String("confirm", "", "the slug again, where there is no terminal to ask at")
	file := cmd.Flags().String("export", "", "the new file for the export (default SLUG-TIME.zip in this folder)")
	without := cmd.Flags().Bool("no-export", false, "delete without an export")
	f.AddSecretKeyFile(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *without && *file != "" {
			return console.Usagef("give --export or --no-export, not both")
		}
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if *confirm == "" && console.AtTerminal(cmd) {
				if *confirm, err = console.Ask(cmd, fmt.Sprintf("This deletes %s, %q, for good. Its slug again: ", ws.Slug, ws.Name)); err != nil {
					return err
				}
			}
			if *confirm != ws.Slug {
				return console.Usagef("deleting %s must be confirmed: --confirm %s", ws.Slug, ws.Slug)
			}
			if *file == "" && !*without {
				*file = ws.Slug + "-" + time.Now().UTC().Format("20060102T150405Z") + ".zip"
			}
			if err := d.deleteWorkspace(cmd.Context(), ws, *file); err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, map[string]any{"workspace": ws.Slug, "export": console.OrNil(*file)})
			}
			if *file != "" {
				console.Say(cmd, "Wrote everything in %s to %s.", ws.Slug, *file)
			}
			console.Say(cmd, "Deleted the workspace %s.", ws.Slug)
			return nil
		})
	}
	return cmd
}

// deleteWorkspace suspends the workspace, exports it to a new file of that name, unless that is "", and deletes it and its
// rows. If it can't, the workspace is as it was, open or suspended.
func (d *database) deleteWorkspace(ctx context.Context, ws catalog.Workspace, name string) error {
	by := app.Operator(ws.ID)
	var file *os.File
	var err error
	if name != "" { // before anybody is shut out
		if file, err = newFile(name); err != nil {
			return err
		}
	}
	if _, err = d.Shop.SuspendWorkspace(ctx, by); file != nil {
		if err == nil {
			err = d.exportTo(ctx, by, file)
		}
		if err != nil {
			file.Close()    //nolint:errcheck // it is closed, unless nothing was exported
			os.Remove(name) //nolint:errcheck // the error before it is told
		}
	}
	if err == nil {
		err = d.Shop.DeleteWorkspace(ctx, by, ws.Slug)
	}
	if err != nil {
		if ws.SuspendedAt == 0 {
			_, again := d.Shop.ResumeWorkspace(context.WithoutCancel(ctx), by)
			err = errors.Join(err, again)
		}
		return err
	}
	for more := true; more && err == nil; { // a server of the database does the same
		more, err = d.Upkeep.Sweep(ctx, 50)
	}
	if err != nil {
		return fmt.Errorf("the workspace is gone; its rows are deleted by the next server, since here: %w", err)
	}
	return nil
}

// newFile makes a file that only its owner may read.
func newFile(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, console.Usagef("--export %s is there already: name a new file", name)
	}
	if err != nil {
		return nil, fmt.Errorf("can't write the export: %w", err)
	}
	return file, nil
}

// exportTo writes everything in the workspace to the file. After an error it isn't whole.
func (d *database) exportTo(ctx context.Context, by app.Actor, file *os.File) error {
	out := bufio.NewWriter(file)
	err := d.Report.ExportAll(ctx, by, false, out)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = disk.SyncDir(filepath.Dir(file.Name()))
	}
	if err != nil {
		return fmt.Errorf("nothing was deleted, since the export failed: %w", err)
	}
	return nil
}
