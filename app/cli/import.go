package cli

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/movein"
	"daybook/app/table"
	"daybook/app/when"
)

// ImportCommand is daybook import.
func ImportCommand(f *databaseFlags) *cobra.Command {
	cmd := console.Group("import", "Take over appointments, or a whole business, from other programs")
	cmd.AddCommand(importDiary(f), importCalcom(f), importEasyAppointments(f), importCalendly(f))
	return cmd
}

// importDiary is daybook import ics.
func importDiary(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "ics FILE", Args: console.Arguments("file"),
		Short: "Import the appointments of a diary (iCalendar) as bookings of a service with a person",
		Long: "Each event that takes place once becomes a booking of --service with --host, for its attendee or, without one, for\n" +
			"whom its title names. Of one that comes again, each date within the next year does, 53 at most. Nobody is told: no\n" +
			"mail, no text, no webhook. What meets a booking, time off or another appointment is left out, as are whole days and\n" +
			"dates beyond that; the report says what and why. The same file again does the rest, and moves what was moved there.\n" +
			"The dashboard undoes an import for 24 hours, and cancels what was cancelled there.",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	host := cmd.Flags().String("host", "", "e-mail or id of the person whose diary it is")
	service := cmd.Flags().String("service", "", "slug of the service that is booked")
	dry := cmd.Flags().Bool("dry-run", false, "say what would be done, and change nothing")
	f.AddSecretKeyFile(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	console.Require(cmd, "workspace", "host", "service")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			file, err := readTable(args[0])
			if err != nil {
				return err
			}
			ws, err := d.WorkspaceBySlug(cmd.Context(), *slug)
			if err != nil {
				return err
			}
			setup, err := d.Setup(ws.ID)
			if err != nil {
				return err
			}
			ref, err := setup.HostRef(*host)
			if err != nil {
				return err
			}
			h := setup.Host(ref)
			if h == nil {
				return fmt.Errorf("there is no host %q in %s", *host, *slug)
			}
			e := setup.EventType(*service)
			if e == nil {
				return fmt.Errorf("there is no service %q in %s", *service, *slug)
			}
			rows, numbers, left, err := movein.Diary(file, e.Title, h.Name, setup.Zone, time.Now())
			if err != nil {
				return err
			}
			in := movein.Input{File: rows}
			return doImport(cmd, d, app.Operator(ws.ID), in, left, chosen{h, e, numbers, setup.Zone}, *dry, *asJSON)
		})
	}
	return cmd
}

// chosen are the host and the service of all rows.
type chosen struct {
	host    *catalog.Host
	service *catalog.EventType
	numbers []int // of the events that the rows were
	zone    *time.Location
}

// dated returns the name of whose appointment it is, with the time where that is known.
func (c chosen) dated(name string, start when.Instant) string {
	if start == 0 {
		return name
	}
	return name + ", " + start.Time().In(c.zone).Format("2006-01-02 15:04")
}

// number is that of the event in a line of the table, whose first are the headings.
func (c chosen) number(line int) int {
	if i := line - 2; i >= 0 && i < len(c.numbers) {
		return c.numbers[i]
	}
	return line
}

// readTable reads a file that isn't larger than what the dashboard takes.
func readTable(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, table.MaxBytes+1))
	if err == nil && len(text) > table.MaxBytes {
		err = fmt.Errorf("%s is larger than %d MB", name, table.MaxBytes>>20)
	}
	return text, err
}

// doImport imports the table, or says what that would do, and reports it.
func doImport(cmd *cobra.Command, d *database, a app.Actor, in movein.Input, left []movein.LineProblem, of chosen, dry, asJSON bool) error {
	p, err := d.MoveIn.PreviewAppointments(cmd.Context(), a, in)
	if err != nil {
		return err
	}
	in.Services, in.People = map[string]string{}, map[string]string{}
	for _, n := range p.Services {
		in.Services[n.Key] = of.service.ID.String()
	}
	for _, n := range p.People {
		in.People[n.Key] = of.host.ID.String()
	}
	run := d.MoveIn.PreviewAppointments
	if !dry {
		run = d.MoveIn.ImportAppointments
	}
	if p, err = run(cmd.Context(), a, in); err != nil {
		return err
	}
	type line struct {
		Line int    `json:"line"`
		Name string `json:"name"`
		Why  string `json:"why"`
	}
	report := struct {
		DryRun   bool   `json:"dryRun"`
		Upcoming int    `json:"upcoming"`
		Past     int    `json:"past"`
		Moved    int    `json:"moved"`
		Same     int    `json:"same"`
		Import   any    `json:"import"`
		Left     []line `json:"left"`
	}{DryRun: dry, Upcoming: p.Upcoming, Past: p.Past, Moved: p.Moved, Same: p.Same, Left: []line{}}
	if p.ID != 0 {
		report.Import = p.ID.String()
	}
	for _, l := range left {
		report.Left = append(report.Left, line{l.Line, l.Name, l.Text.String()})
	}
	for _, l := range append(p.Left, p.Listed...) {
		report.Left = append(report.Left, line{of.number(l.Line), of.dated(l.Name, l.Start), l.Text.String()})
	}
	for _, o := range p.Overlaps {
		report.Left = append(report.Left, line{of.number(o.Line), of.dated(o.Name, o.Start), "its time is taken"})
	}
	for _, e := range p.Ended {
		report.Left = append(report.Left, line{of.number(e.Line), of.dated(e.Name, e.Start),
			"it is cancelled there, and takes place here: cancel it here, too, if nobody comes"})
	}
	slices.SortStableFunc(report.Left, func(a, b line) int { return a.Line - b.Line })
	if asJSON {
		return console.PrintJSON(cmd, report)
	}
	if dry {
		console.Say(cmd, "This would be done; nothing was changed.")
	}
	console.Say(cmd, "%d to come and %d past are new, %d have moved, %d are as they were, %d are left out.", report.Upcoming, report.Past,
		report.Moved, report.Same, len(report.Left))
	for _, l := range report.Left {
		console.Say(cmd, "  %d %s: %s", l.Line, l.Name, l.Why)
	}
	return nil
}
