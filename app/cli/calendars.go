package cli

import (
	"context"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/fault"
	"daybook/app/when"
)

// calendarsCommand is daybook calendars: other calendars of hosts and resources, which are connected in the dashboard.
func CalendarsCommand(f *databaseFlags) *cobra.Command {
	cmd := console.Group("calendars", "See, read and disconnect other calendars of hosts and resources")
	cmd.AddCommand(calendarsList(f), calendarsRead(f), calendarsDisconnect(f))
	return cmd
}

// shownCalendars is a connection, as --json shows it.
type shownCalendars struct {
	ID       calsync.ConnectionID `json:"id"`
	Host     catalog.HostID       `json:"host,omitzero"`
	Resource catalog.ResourceID   `json:"resource,omitzero"` // in place of a host
	Kind     calsync.Kind         `json:"kind"`
	Name     string               `json:"name"`
	State    calsync.State        `json:"state"`
	LastRead when.Instant         `json:"lastRead"`
	Error    any                  `json:"error"` // why it can't be read; null if it can

	workspace string
}

func showCalendars(ws catalog.Workspace, c *calsync.Connection) shownCalendars {
	return shownCalendars{c.ID, c.Host, c.Resource, c.Kind, c.Name, c.State, c.ReadAt, console.OrNil(string(c.Problem)), ws.Slug}
}

func calendarsRow(c shownCalendars) []string {
	read, problem := "never", ""
	if c.LastRead != 0 {
		read = c.LastRead.String()
	}
	if text, failed := c.Error.(string); failed {
		problem = text
	}
	of := c.Host.String()
	if c.Resource != 0 {
		of = c.Resource.String()
	}
	return []string{c.ID.String(), c.workspace, of, string(c.Kind), c.Name, string(c.State), read, problem}
}

var calendarsHead = []string{"ID", "WORKSPACE", "OF", "KIND", "NAME", "STATE", "LAST READ", "PROBLEM"}

func calendarsList(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Args: console.Arguments(),
		Short: "List the connections to other calendars of hosts and resources, and when each was last read"}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace (default all)")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			all := []shownCalendars{}
			err := d.EachWorkspace(cmd.Context(), *slug, func(ws catalog.Workspace) error {
				some, err := d.Calendars.CalendarConnections(cmd.Context(), app.Operator(ws.ID))
				for i := range some {
					all = append(all, showCalendars(ws, &some[i]))
				}
				return err
			})
			if err != nil {
				return err
			}
			return console.PrintList(cmd, *asJSON, all, calendarsHead, calendarsRow)
		})
	}
	return cmd
}

// connected finds a connection, and its workspace.
func connected(ctx context.Context, d *database, id string) (ws catalog.Workspace, c calsync.Connection, err error) {
	found := false
	err = d.EachWorkspace(ctx, "", func(w catalog.Workspace) error {
		if found {
			return nil
		}
		x, err := d.Calendars.CalendarConnection(ctx, app.Operator(w.ID), id)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		ws, c, found = w, x, err == nil
		return err
	})
	if err == nil && !found {
		err = fault.New(fault.NotFound, "", "There is no connection %q; list them with: daybook calendars list", id)
	}
	return ws, c, err
}

func calendarsRead(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "read ID", Args: console.Arguments("connection's id"),
		Short: "Read a connection's calendars now, and say how that went"}
	f.AddCalendarAllow(cmd.Flags())
	f.AddCalendarClients(cmd.Flags())
	f.AddSecretKeyFile(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			ws, c, err := connected(cmd.Context(), d, args[0])
			if err != nil {
				return err
			}
			if c, err = d.Calendars.ReadCalendars(cmd.Context(), app.Operator(ws.ID), args[0]); err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, showCalendars(ws, &c))
			}
			if c.Problem != "" {
				console.Say(cmd, "%s (%s) can't be read: %s.", c.Name, c.ID, c.Problem)
				return nil
			}
			console.Say(cmd, "Read %s (%s).", c.Name, c.ID)
			return nil
		})
	}
	return cmd
}

func calendarsDisconnect(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "disconnect ID", Args: console.Arguments("connection's id"),
		Short: "Forget a connection and what was read of it; its events block no bookings any more"}
	remove := cmd.Flags().Bool("remove", false, "first remove the bookings that were written into its calendars")
	f.AddCalendarAllow(cmd.Flags())
	f.AddCalendarClients(cmd.Flags())
	f.AddSecretKeyFile(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			ws, c, err := connected(cmd.Context(), d, args[0])
			if err != nil {
				return err
			}
			left, err := d.Calendars.DisconnectCalendars(cmd.Context(), app.Operator(ws.ID), args[0], *remove)
			if err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, map[string]any{"id": c.ID, "left": left})
			}
			console.Say(cmd, "Disconnected %s (%s).", c.Name, c.ID)
			if left > 0 {
				console.Say(cmd, "%d bookings could not be removed there: delete them in the calendar.", left)
			}
			return nil
		})
	}
	return cmd
}
