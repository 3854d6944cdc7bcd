package cli

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/cli/console"
	"daybook/app/movein"
	"daybook/app/movein/calcom"
	"daybook/app/movein/calendly"
	"daybook/app/movein/call"
	"daybook/app/movein/easyappointments"
	"daybook/store/postgres"
)

// importTime is how long another program may be read.
const importTime = 20 * time.Minute

// aboutBusiness is what the commands that take over a business say of it.
const aboutBusiness = "People become hosts with their hours, event types become services with their questions, whoever booked becomes a\n" +
	"customer, and what is to come is booked. Nobody is told: no mail, no text, no webhook of a booking. What meets something live is\n" +
	"left out; a service with a rule that Daybook hasn't is made hidden; the report says what and why, and lists webhooks to make\n" +
	"again. Whoever and whatever is there already stays as it is, so that it can be run again: it takes what is new, and moves\n" +
	"what was moved there. The dashboard undoes an import for 24 hours. Try it with --dry-run first."

// businessFlags are those of every command that takes over a business.
type businessFlags struct {
	slug   *string
	dry    *bool
	asJSON *bool
}

func addBusinessFlags(cmd *cobra.Command, f *databaseFlags) businessFlags {
	b := businessFlags{slug: cmd.Flags().String("workspace", "", "slug of the workspace that it becomes a part of")}
	b.dry = cmd.Flags().Bool("dry-run", false, "say what would be done, and change nothing")
	f.AddSecretKeyFile(cmd.Flags())
	b.asJSON = console.JSONFlag(cmd)
	return b
}

// importCalcom is daybook import cal.com.
func importCalcom(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "cal.com", Args: console.Arguments(),
		Short: "Take over a business from Cal.com, by a copy of its database or by an API key",
		Long: "Reads a PostgreSQL database of Cal.com (--database), in one snapshot, or what the owner of an API key has there\n" +
			"(--key-file), and changes nothing there. " + aboutBusiness,
	}
	b := addBusinessFlags(cmd, f)
	from := cmd.Flags().String("database", "", "Cal.com's database, or a copy of it: postgres://user@host/name")
	password := cmd.Flags().String("database-password-file", "", "the file with the password for Cal.com's database")
	insecure := cmd.Flags().Bool("database-insecure", false, "let Cal.com's database on another machine be read without sslmode=verify-full")
	team := cmd.Flags().String("team", "", "slug of the only team that is taken over (default all)")
	key := cmd.Flags().String("key-file", "", "the file with the API key of somebody at Cal.com")
	base := cmd.Flags().String("api", "https://api.cal.com", "address of the API, of a server of your own too, with --key-file")
	console.Require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case *from == "" && *key == "":
			return console.Usagef("give --database or --key-file")
		case *from != "" && *key != "":
			return console.Usagef("give either --database or --key-file")
		case *key != "" && (*password != "" || *insecure || *team != ""):
			return console.Usagef("--database-password-file, --database-insecure and --team go with --database")
		case *from != "" && cmd.Flags().Changed("api"):
			return console.Usagef("--api goes with --key-file")
		}
		return b.run(cmd, f, func(ctx context.Context) (*movein.Business, error) {
			if *key != "" {
				text, err := readPrivate(*key, "key file")
				if err != nil {
					return nil, err
				}
				return calcom.FromAPI(ctx, calcom.API{Base: *base, Key: strings.TrimSpace(text)}, time.Now())
			}
			other := databaseFlags{Path: calcom.Address(*from), flag: "--database", passwordFile: *password, insecure: *insecure}
			if !postgres.IsURL(other.Path) {
				return nil, console.Usagef("--database must be the address of a PostgreSQL database, such as postgres://cal@localhost/calendso")
			}
			db, err := other.foreign(ctx, *from)
			if err != nil {
				return nil, err
			}
			defer db.Close()
			return calcom.FromDatabase(ctx, db, *team, time.Now())
		})
	}
	return cmd
}

// importEasyAppointments is daybook import easyappointments.
func importEasyAppointments(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "easyappointments", Args: console.Arguments(),
		Short: "Take over a business from Easy!Appointments, by its API token",
		Long:  "Reads what the API of an Easy!Appointments has, and changes nothing there. " + aboutBusiness,
	}
	b := addBusinessFlags(cmd, f)
	base := cmd.Flags().String("api", "", "address of Easy!Appointments, such as https://book.example.com")
	key := cmd.Flags().String("key-file", "", "the file with the API token of its settings")
	console.Require(cmd, "workspace", "api", "key-file")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return b.run(cmd, f, func(ctx context.Context) (*movein.Business, error) {
			text, err := readPrivate(*key, "key file")
			if err != nil {
				return nil, err
			}
			return easyappointments.Read(ctx, call.Server{Base: *base, Key: strings.TrimSpace(text)}, time.Now())
		})
	}
	return cmd
}

// importCalendly is daybook import calendly.
func importCalendly(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "calendly", Args: console.Arguments(),
		Short: "Take over a business from Calendly, by a personal access token",
		Long: "Reads what the owner of a token has at Calendly, of an admin what the organization has, and changes nothing there. Calendly\n" +
			"doesn't tell buffers, notice and limits, so that all services are made hidden. " + aboutBusiness,
	}
	b := addBusinessFlags(cmd, f)
	key := cmd.Flags().String("key-file", "", "the file with the personal access token")
	base := cmd.Flags().String("api", "https://api.calendly.com", "address of the API")
	console.Require(cmd, "workspace", "key-file")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return b.run(cmd, f, func(ctx context.Context) (*movein.Business, error) {
			text, err := readPrivate(*key, "key file")
			if err != nil {
				return nil, err
			}
			return calendly.Read(ctx, call.Server{Base: *base, Key: strings.TrimSpace(text)}, time.Now())
		})
	}
	return cmd
}

// foreign opens the database of another program, whose address was given as that.
func (f *databaseFlags) foreign(ctx context.Context, given string) (*sql.DB, error) {
	address := f.Path
	f.Path = given // is compared with the variable
	o, err := f.Postgres()
	if err != nil {
		return nil, err
	}
	o.URL = address
	return postgres.OpenForeign(ctx, o)
}

// run takes over what read returns, or says what that would do.
func (b businessFlags) run(cmd *cobra.Command, f *databaseFlags, read func(context.Context) (*movein.Business, error)) error {
	return withDatabase(cmd.Context(), f.Write, func(d *database) error {
		ws, err := d.WorkspaceBySlug(cmd.Context(), *b.slug)
		if err != nil {
			return err
		}
		setup, err := d.Setup(ws.ID)
		if err != nil {
			return err
		}
		ctx, stop := context.WithTimeout(cmd.Context(), importTime)
		defer stop()
		business, err := read(ctx)
		if err != nil {
			return err
		}
		run := d.MoveIn.MoveBusiness
		if *b.dry {
			run = d.MoveIn.PreviewBusiness
		}
		m, err := run(cmd.Context(), app.Operator(ws.ID), *business)
		if err != nil {
			return fmt.Errorf("it was interrupted, and the same command does the rest: %w", err)
		}
		return b.report(cmd, &m, setup.Zone)
	})
}

// movedBusiness is what --json prints.
type movedBusiness struct {
	DryRun    bool             `json:"dryRun"`
	Hosts     movein.Count     `json:"hosts"`
	Services  movein.Count     `json:"services"`
	Customers movein.Count     `json:"customers"`
	Upcoming  int              `json:"upcoming"`
	Waiting   int              `json:"waiting"`
	Moved     int              `json:"moved"`
	Same      int              `json:"same"`
	Import    any              `json:"import"`
	Left      []leftOut        `json:"left"`
	Webhooks  []movein.Webhook `json:"webhooks"`
}

// leftOut is a movein.Left in words.
type leftOut struct {
	Kind movein.Kind `json:"kind"`
	ID   string      `json:"id,omitempty"`
	Name string      `json:"name"`
	Why  string      `json:"why"`
}

// leftOuts returns what was left out in words, with times on the clocks of the zone.
func leftOuts(all []movein.Left, zone *time.Location) []leftOut {
	words := []leftOut{}
	for _, l := range all {
		if l.Start != 0 {
			l.Name += ", " + l.Start.Time().In(zone).Format("2006-01-02 15:04")
		}
		words = append(words, leftOut{l.Kind, l.ID, l.Name, l.Why.String()})
	}
	return words
}

// inShell quotes a word of another program for a command that people paste, and oneLine keeps its text in the comment behind.
func inShell(word string) string { return "'" + strings.ReplaceAll(oneLine(word), "'", `'\''`) + "'" }
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (b businessFlags) report(cmd *cobra.Command, m *movein.MovedBusiness, zone *time.Location) error {
	left := leftOuts(m.Left, zone)
	if *b.asJSON {
		all := movedBusiness{*b.dry, m.Hosts, m.Services, m.Customers, m.Upcoming, m.Waiting, m.Moved, m.Same, nil,
			left, slices.Concat([]movein.Webhook{}, m.Webhooks)}
		if m.ID != 0 {
			all.Import = m.ID.String()
		}
		return console.PrintJSON(cmd, all)
	}
	if *b.dry {
		console.Say(cmd, "This would be done; nothing was changed.")
	}
	console.Say(cmd, "%d hosts, %d services and %d customers are new; %d, %d and %d are there already and stay as they are.", m.Hosts.New,
		m.Services.New, m.Customers.New, m.Hosts.Known, m.Services.Known, m.Customers.Known)
	console.Say(cmd, "%d bookings to come are new, %d of them wait for approval; %d have moved, %d are as they were.", m.Upcoming, m.Waiting, m.Moved, m.Same)
	if len(left) > 0 {
		console.Say(cmd, "Left out, or not as it was there:")
	}
	for _, l := range left {
		console.Say(cmd, "  %s %s: %s", l.Kind, l.Name, l.Why)
	}
	if len(m.Webhooks) > 0 {
		console.Say(cmd, "Webhooks to make again, with new secrets:")
	}
	for _, w := range m.Webhooks {
		if len(w.Events) == 0 {
			console.Say(cmd, "  %s (%s) is called there for %s, which Daybook has no event for", w.URL, w.Of, strings.Join(w.There, ", "))
			continue
		}
		state := ""
		if !w.Active {
			state = ", switched off there"
		}
		console.Say(cmd, "  daybook webhooks create --workspace %s --url %s --events %s   # %s: %s%s", *b.slug, inShell(w.URL), strings.Join(w.Events, ","),
			oneLine(w.Of), oneLine(strings.Join(w.There, ", ")), state)
	}
	if m.Hosts.New > 0 && !*b.dry {
		console.Say(cmd, "Hosts sign in only once they are invited: in the dashboard's settings, or by daybook user create.")
	}
	return nil
}
