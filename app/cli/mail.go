package cli

import (
	"context"
	"fmt"

	"daybook/app/catalog"

	netmail "net/mail"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"daybook/app"
	"daybook/app/mail"
	"daybook/app/rooms"
)

func mailCommand(h *house) *cobra.Command {
	cmd := group("mail", "Look at the mails, send them again, set up a mail server")
	cmd.AddCommand(mailTest(h), mailLog(h), mailShow(h), mailSend(h), mailServer(h))
	return cmd
}

// mailWay is how the commands find the way out for mails.
type mailWay struct {
	smtp *smtpURL
	base webURL
}

func (w *mailWay) flags(cmd *cobra.Command, h *house) {
	w.smtp = smtpFlag(cmd.Flags())
	cmd.Flags().Var(&w.base, "base-url", "the server's public address, for the links in mails")
	h.secretFlag(cmd.Flags())
	h.mailFlag(cmd.Flags())
}

// at is the house's desk, with links to the base.
func (w *mailWay) at(h *house, open func(context.Context) (*desk, error)) func(context.Context) (*desk, error) {
	return func(ctx context.Context) (*desk, error) {
		d, err := open(ctx)
		if err == nil && w.base.URL != nil {
			d.Set = rooms.New(rooms.Config{Config: app.Config{Store: d.store, Vault: d.vault, BaseURL: w.base.URL}, Mail: h.mails()})
		}
		return d, err
	}
}

// server is the workspace's own, else the one of --smtp-url. Without a workspace the only one's is meant.
func (w *mailWay) server(d *desk, slug string) (*mail.Server, error) {
	all, err := d.Workspaces()
	if err != nil {
		return nil, err
	}
	if slug != "" {
		ws, err := d.WorkspaceBySlug(slug)
		if err != nil {
			return nil, err
		}
		all = []catalog.Workspace{ws}
	}
	if len(all) == 1 {
		if own, err := d.Mail.MailServer(all[0].ID); err != nil || own != nil {
			return own, err
		}
	}
	if w.smtp.Server == nil {
		return nil, mail.ErrNoServer
	}
	return w.smtp.Server, nil
}

func mailTest(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "test ADDRESS", Short: "Send a mail that says that mails can be sent", Args: arguments("e-mail address")}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace whose mail server is tested (default that of --smtp-url)")
	var way mailWay
	way.flags(cmd, h)
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := way.smtp.check(); err != nil {
			return err
		}
		server := way.smtp.Server
		if server == nil || *slug != "" {
			err := with(cmd.Context(), h.read, func(d *desk) (err error) {
				server, err = way.server(d, *slug)
				return err
			})
			if err != nil {
				return err
			}
		}
		if err := mail.Test(cmd.Context(), server, nil, args[0], os.Getenv("LANG")); err != nil {
			return blame(err, "address", "the e-mail address")
		}
		if *asJSON {
			return printJSON(cmd, map[string]string{"to": args[0], "server": server.String()})
		}
		say(cmd, "%s took a mail for %s.", server.Address(), args[0])
		return nil
	}
	return cmd
}

func mailLog(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "log", Short: "List the mails, the newest first", Args: arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace (default all)")
	state := newChoice("", "waiting", "sent", "failed", "dropped")
	cmd.Flags().Var(state, "state", "only those in this state")
	booking := cmd.Flags().String("booking", "", "only those of this booking")
	limit := cmd.Flags().Int("limit", 50, "how many")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *limit < 1 {
			return usage("--limit must be at least 1")
		}
		return with(cmd.Context(), h.read, func(d *desk) error {
			all, err := d.mails(cmd.Context(), *slug, mail.ListInput{State: state.value, Booking: *booking}, *limit)
			if err != nil {
				return err
			}
			return printList(cmd, *asJSON, all, []string{"ID", "KIND", "TO", "STATE", "TRIES", "WHEN", "ANSWER"}, mailRow)
		})
	}
	return cmd
}

// mails lists the mails of one workspace or of all, page by page.
func (d *desk) mails(ctx context.Context, slug string, in mail.ListInput, limit int) (found []mail.Mail, err error) {
	all, err := d.Workspaces()
	if err != nil {
		return nil, err
	}
	if slug != "" {
		ws, err := d.WorkspaceBySlug(slug)
		if err != nil {
			return nil, err
		}
		all = []catalog.Workspace{ws}
	}
	for _, ws := range all {
		in := in
		for n := 0; n < limit; {
			rest := limit - n
			in.Limit = &rest
			page, err := d.Mail.Mails(ctx, ws.ID, in)
			if err != nil {
				return nil, err
			}
			found, n = append(found, page.Data...), n+len(page.Data)
			if !page.HasMore {
				break
			}
			in.Cursor = *page.NextCursor
		}
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

func mailShow(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "show ID", Short: "Print what a mail says", Args: arguments("mail's id")}
	html := cmd.Flags().Bool("html", false, "print the HTML part")
	invitation := cmd.Flags().Bool("invitation", false, "print the invitation")
	var way mailWay
	way.flags(cmd, h)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := way.smtp.check(); err != nil {
			return err
		}
		return with(cmd.Context(), way.at(h, h.read), func(d *desk) error {
			m, err := d.Mail.Mail(cmd.Context(), 0, args[0])
			if err != nil {
				return err
			}
			text, err := mail.Compose(cmd.Context(), d.Mail, &m, sender(way.smtp.Server))
			switch {
			case err != nil:
				return err
			case *html:
				say(cmd, "%s", text.HTML)
			case *invitation:
				fmt.Fprint(cmd.OutOrStdout(), text.Invitation)
			default:
				say(cmd, "To: %s\nSubject: %s\n\n%s", text.To, text.Subject, text.Text)
			}
			return nil
		})
	}
	return cmd
}

func mailSend(h *house) *cobra.Command {
	cmd := &cobra.Command{
		Use: "send ID", Short: "Send a mail of the log, again too", Args: arguments("mail's id"),
		Long: "Makes the mail due, for the running server to send. With --base-url, and a mail server that the workspace or --smtp-url\nnames, it is sent here and now.",
	}
	var way mailWay
	way.flags(cmd, h)
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := way.smtp.check(); err != nil {
			return err
		}
		return with(cmd.Context(), way.at(h, h.write), func(d *desk) error {
			m, err := way.send(cmd.Context(), d, args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return printJSON(cmd, m)
			}
			switch m.State {
			case mail.Sent:
				say(cmd, "Sent %s to %s: %s.", m.ID, m.To, m.Answer)
			case mail.Waiting:
				say(cmd, "%s to %s is due at %s; the server sends it.", m.ID, m.To, m.DueAt)
			default:
				return fmt.Errorf("%s to %s was not sent: %s", m.ID, m.To, m.Answer)
			}
			return nil
		})
	}
	return cmd
}

func (w *mailWay) send(ctx context.Context, d *desk, ref string) (mail.Mail, error) {
	if w.base.URL == nil {
		return d.Mail.ResendMail(ctx, 0, ref)
	}
	m, err := mail.New(mail.Config{Service: d.Mail, Server: w.smtp.Server}).Send(ctx, ref)
	if err == mail.ErrNoServer {
		return d.Mail.ResendMail(ctx, 0, ref)
	}
	return m, err
}

func mailServer(h *house) *cobra.Command {
	cmd := &cobra.Command{
		Use: "server", Short: "Show a workspace's own mail server, or set it from a prompt or standard input", Args: arguments(),
		Long: "The server is a line such as smtp://user:password@mail.example.com:587?from=bookings@example.com\nWithout one of its own a workspace uses that of `daybook serve --smtp-url`.",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	set := cmd.Flags().Bool("set", false, "set it: reads one line")
	clear := cmd.Flags().Bool("clear", false, "take it away")
	h.secretFlag(cmd.Flags())
	h.mailFlag(cmd.Flags())
	asJSON := jsonFlag(cmd)
	require(cmd, "workspace")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *set && *clear {
			return usage("give --set or --clear, not both")
		}
		open := h.read
		if *set || *clear {
			open = h.write
		}
		return with(cmd.Context(), open, func(d *desk) error {
			ws, err := d.WorkspaceBySlug(*slug)
			if err != nil {
				return err
			}
			if *set || *clear {
				if err := setMailServer(cmd, d, ws, *set); err != nil {
					return err
				}
			}
			own, err := d.Mail.MailServer(ws.ID)
			if err != nil {
				return err
			}
			return showMailServer(cmd, *asJSON, own)
		})
	}
	return cmd
}

func setMailServer(cmd *cobra.Command, d *desk, ws catalog.Workspace, set bool) (err error) {
	text := ""
	if in, ok := cmd.InOrStdin().(*os.File); set && ok && term.IsTerminal(int(in.Fd())) {
		text, err = askHidden(cmd, in, "SMTP URL: ")
	} else if set {
		text, err = readSecret(cmd.InOrStdin(), "the SMTP URL")
	}
	if err != nil {
		return err
	}
	return blame(d.Mail.SetMailServer(cmd.Context(), ws.ID, text), "smtpUrl", "the SMTP URL")
}

func showMailServer(cmd *cobra.Command, asJSON bool, own *mail.Server) error {
	name := "none of its own"
	if own != nil {
		name = own.String()
	}
	if asJSON {
		return printJSON(cmd, map[string]any{"server": orNil((&smtpURL{Server: own}).String())})
	}
	say(cmd, "%s", name)
	return nil
}

// sender is who mails of the server are from, or nobody.
func sender(s *mail.Server) (from netmail.Address) {
	if s != nil {
		from = s.From
	}
	return from
}
