package cli

import (
	"context"
	"errors"
	"fmt"

	"daybook/app"
	"daybook/app/catalog"

	netmail "net/mail"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
)

// mailCommand is daybook mail.
func MailCommand(f *databaseFlags) *cobra.Command {
	cmd := console.Group("mail", "Look at the mails, send them again, set up a mail server")
	cmd.AddCommand(mailTest(f), mailLog(f), mailShow(f), mailSend(f), mailServer(f))
	return cmd
}

// mailFlags say through which server mails go out, and where their links lead.
type mailFlags struct {
	smtp *console.SMTPURL
	base console.WebURL
}

func (w *mailFlags) add(cmd *cobra.Command, f *databaseFlags) {
	w.smtp = console.AddSMTPFlag(cmd.Flags())
	cmd.Flags().Var(&w.base, "base-url", "the server's public address, for the links in mails")
	f.AddSecretKeyFile(cmd.Flags())
	f.AddMailAllow(cmd.Flags())
}

// at opens the database by open, and sets --base-url for links.
func (w *mailFlags) at(open func(context.Context) (*database, error)) func(context.Context) (*database, error) {
	return func(ctx context.Context) (*database, error) {
		d, err := open(ctx)
		if err == nil && w.base.URL != nil {
			d.LinkTo(w.base.URL)
		}
		return d, err
	}
}

// server returns the workspace's own mail server, else that of --smtp-url. slug may be empty where there is one
// workspace.
func (w *mailFlags) server(ctx context.Context, d *database, slug string) (*smtp.Server, error) {
	all, err := d.Workspaces(ctx, app.Operator(0))
	if err != nil {
		return nil, err
	}
	if slug != "" {
		ws, err := d.WorkspaceBySlug(ctx, slug)
		if err != nil {
			return nil, err
		}
		all = []catalog.Workspace{ws}
	}
	if len(all) == 1 {
		if own, err := d.Mail.MailServer(ctx, app.Operator(all[0].ID)); err != nil || own != nil {
			return own, err
		}
	}
	if w.smtp.Server == nil {
		return nil, mail.ErrNoServer
	}
	return w.smtp.Server, nil
}

func mailTest(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "test ADDRESS", Args: console.Arguments("e-mail address"),
		Short: "Send a mail that says that mails can be sent",
	}
	slug := cmd.Flags().String("workspace", "",
		"slug of the workspace whose mail server is tested (default that of --smtp-url)")
	var flags mailFlags
	flags.add(cmd, f)
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flags.smtp.Check(); err != nil {
			return err
		}
		via := flags.smtp.Server
		if via == nil || *slug != "" {
			err := withDatabase(cmd.Context(), f.Read, func(d *database) (err error) {
				via, err = flags.server(cmd.Context(), d, *slug)
				return err
			})
			if err != nil {
				return err
			}
		}
		if err := smtp.Test(cmd.Context(), via, nil, args[0], os.Getenv("LANG")); err != nil {
			return console.NameFlags(err, "address", "the e-mail address")
		}
		if *asJSON {
			return console.PrintJSON(cmd, map[string]string{"to": args[0], "server": via.String()})
		}
		console.Say(cmd, "%s took a mail for %s.", via.Address(), args[0])
		return nil
	}
	return cmd
}

func mailLog(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "log", Short: "List the mails, the newest first", Args: console.Arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace (default all)")
	state := console.NewChoice("", "waiting", "sent", "failed", "dropped")
	cmd.Flags().Var(state, "state", "only those in this state")
	booking := cmd.Flags().String("booking", "", "only those of this booking")
	limit := cmd.Flags().Int("limit", 50, "how many")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *limit < 1 {
			return console.Usagef("--limit must be at least 1")
		}
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			all, err := mails(cmd.Context(), d, *slug, mail.ListInput{State: state.Value, Booking: *booking}, *limit)
			if err != nil {
				return err
			}
			return console.PrintList(cmd, *asJSON, all, []string{"ID", "KIND", "TO", "STATE", "TRIES", "WHEN", "ANSWER"},
				mailRow)
		})
	}
	return cmd
}

// mails lists the latest mails of the workspace, or of all when slug is empty, the newest first.
func mails(ctx context.Context, d *database, slug string, in mail.ListInput,
	limit int) (found []mail.Mail, err error) {
	err = d.EachWorkspace(ctx, slug, func(ws catalog.Workspace) error {
		in := in
		for n := 0; n < limit; {
			rest := limit - n
			in.Limit = &rest
			page, err := d.Mail.Mails(ctx, app.Operator(ws.ID), in)
			if err != nil {
				return err
			}
			found, n = append(found, page.Data...), n+len(page.Data)
			if !page.HasMore {
				break
			}
			in.Cursor = *page.NextCursor
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b mail.Mail) int { return int(max(-1, min(1, b.ID-a.ID))) })
	return found[:min(limit, len(found))], nil
}

func mailRow(m mail.Mail) []string {
	when := m.SettledAt
	if m.State == mail.Waiting {
		when = m.DueAt
	}
	return []string{m.ID.String(), string(m.Kind), m.To, string(m.State), fmt.Sprint(m.Attempts), when.String(), m.Answer}
}

func mailShow(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{Use: "show ID", Short: "Print what a mail says", Args: console.Arguments("mail's id")}
	html := cmd.Flags().Bool("html", false, "print the HTML part")
	invitation := cmd.Flags().Bool("invitation", false, "print the invitation")
	var flags mailFlags
	flags.add(cmd, f)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flags.smtp.Check(); err != nil {
			return err
		}
		return withDatabase(cmd.Context(), flags.at(f.Read), func(d *database) error {
			m, err := d.Mail.Mail(cmd.Context(), app.Operator(0), args[0])
			if err != nil {
				return err
			}
			text, err := mail.Compose(cmd.Context(), d.Mail, &m, sender(flags.smtp.Server))
			switch {
			case err != nil:
				return err
			case *html:
				console.Say(cmd, "%s", text.HTML)
			case *invitation:
				fmt.Fprint(cmd.OutOrStdout(), text.Invitation)
			default:
				console.Say(cmd, "To: %s\nSubject: %s\n\n%s", text.To, text.Subject, text.Text)
			}
			return nil
		})
	}
	return cmd
}

func mailSend(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "send ID", Short: "Send a mail of the log, again too", Args: console.Arguments("mail's id"),
		Long: "Makes the mail due, for the running server to send. With --base-url, and a mail server that the workspace " +
			"or --smtp-url\nnames, it is sent here and now.",
	}
	var flags mailFlags
	flags.add(cmd, f)
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := flags.smtp.Check(); err != nil {
			return err
		}
		return withDatabase(cmd.Context(), flags.at(f.Write), func(d *database) error {
			m, err := flags.send(cmd.Context(), d, args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, m)
			}
			switch m.State {
			case mail.Sent:
				console.Say(cmd, "Sent %s to %s: %s.", m.ID, m.To, m.Answer)
			case mail.Waiting:
				console.Say(cmd, "%s to %s is due at %s; the server sends it.", m.ID, m.To, m.DueAt)
			default:
				return fmt.Errorf("%s to %s was not sent: %s", m.ID, m.To, m.Answer)
			}
			return nil
		})
	}
	return cmd
}

func (w *mailFlags) send(ctx context.Context, d *database, ref string) (mail.Mail, error) {
	if w.base.URL == nil {
		return d.Mail.ResendMail(ctx, app.Operator(0), ref)
	}
	m, err := mail.NewLoop(mail.LoopConfig{Service: d.Mail, Server: w.smtp.Server}).Send(ctx, ref)
	if errors.Is(err, mail.ErrNoServer) {
		return d.Mail.ResendMail(ctx, app.Operator(0), ref)
	}
	return m, err
}

func mailServer(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "server", Args: console.Arguments(),
		Short: "Show a workspace's own mail server, or set it from a prompt or standard input",
		Long: "The server is a line such as smtp://user:password@mail.example.com:587?from=bookings@example.com\n" +
			"Without one of its own a workspace uses that of `daybook serve --smtp-url`.",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	set := cmd.Flags().Bool("set", false, "set it: reads one line")
	clear := cmd.Flags().Bool("clear", false, "take it away")
	f.AddSecretKeyFile(cmd.Flags())
	f.AddMailAllow(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	console.Require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *set && *clear {
			return console.Usagef("give --set or --clear, not both")
		}
		open := f.Read
		if *set || *clear {
			open = f.Write
		}
		return withDatabase(cmd.Context(), open, func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), *slug)
			if err != nil {
				return err
			}
			if *set || *clear {
				if err := setMailServer(cmd, d, ws, *set); err != nil {
					return err
				}
			}
			own, err := d.Mail.MailServer(cmd.Context(), app.Operator(ws.ID))
			if err != nil {
				return err
			}
			return showMailServer(cmd, *asJSON, own)
		})
	}
	return cmd
}

func setMailServer(cmd *cobra.Command, d *database, ws catalog.Workspace, set bool) (err error) {
	text := ""
	if set {
		if text, err = console.AskSecret(cmd, "SMTP URL: ", "the SMTP URL"); err != nil {
			return err
		}
	}
	return console.NameFlags(d.Mail.SetMailServer(cmd.Context(), app.Operator(ws.ID), text), "smtpUrl", "the SMTP URL")
}

func showMailServer(cmd *cobra.Command, asJSON bool, own *smtp.Server) error {
	name := "none of its own"
	if own != nil {
		name = own.String()
	}
	if asJSON {
		return console.PrintJSON(cmd, map[string]any{"server": console.OrNil((&console.SMTPURL{Server: own}).String())})
	}
	console.Say(cmd, "%s", name)
	return nil
}

// sender returns the address that mails of the server come from; the zero Address without a server.
func sender(s *smtp.Server) (from netmail.Address) {
	if s != nil {
		from = s.From
	}
	return from
}
