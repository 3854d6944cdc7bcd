package cli

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"daybook/app/cli/console"
	"daybook/app/demo"
	"daybook/app/mail/catch"
	"daybook/store/postgres"
	"daybook/views/dash"
)

// demoLine is what `demo --json` prints.
type demoLine struct {
	BaseURL      string `json:"baseUrl"`
	Workspace    string `json:"workspace"`
	BookingURL   string `json:"bookingUrl"`
	DashboardURL string `json:"dashboardUrl"`
	MailsURL     string `json:"mailsUrl"`
	Email        string `json:"email"`
	Password     string `json:"password"`
	Key          string `json:"key"`
	ReadOnlyKey  string `json:"readOnlyKey"`
}

// demoCommand is daybook demo.
func demoCommand(f *databaseFlags, program program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "demo", Short: "Serve a throw-away salon with bookings to look around in", Args: console.Arguments(),
		Long: "Serves a salon with two months of past bookings and three weeks of coming ones, in a database of its own " +
			"(--db is not\n" +
			"touched) that is removed when the demo ends. With --db postgres://… that is a schema of its own in this " +
			"database.",
	}
	aside := *f
	s := newServer(&aside, program)
	s.logLevel.Value = "warn"
	cmd.Flags().StringVar(&s.Addr, "addr", "127.0.0.1:8080", "address to listen on; port 0 picks a free one")
	s.addCommon(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	console.NoFile(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGHUP) // the terminal was closed
		defer stop()
		remove, err := placeForDemo(ctx, &aside, f)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remove()) }()
		box, err := catch.Open()
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, box.Close()) }()
		var line demoLine
		s.fill = func(ctx context.Context, w *wiring) error {
			w.Caught = box
			r, err := demo.Fill(ctx, w.Set, w.Config, w.Now())
			if err == nil {
				err = demo.AddPictures(ctx, w.Set, r)
			}
			base := w.BaseURL()
			line = demoLine{base, r.Workspace, base + "/" + r.Workspace, base + dash.TodayPath,
				base + dash.CaughtPath, r.Email, r.Password, r.Key, r.ReadOnlyKey}
			return err
		}
		s.ready = func(*wiring) error {
			if *asJSON {
				return console.PrintJSON(cmd, line)
			}
			line.print(cmd)
			return nil
		}
		s.root = cmd.Root()
		return s.run(ctx, cmd.ErrOrStderr())
	}
	return cmd
}

// placeForDemo names an empty database, which remove removes: a file, or a schema where --db is on a server.
func placeForDemo(ctx context.Context, aside, given *databaseFlags) (remove func() error, err error) {
	if !given.OnServer() {
		dir, err := os.MkdirTemp("", "daybook-demo-")
		aside.Path = filepath.Join(dir, "daybook.db")
		if err == nil && aside.SecretKeyFile == "" { // so that health can be kept
			aside.SecretKeyFile = filepath.Join(dir, "secret.key")
			key := make([]byte, 32)
			rand.Read(key)
			err = os.WriteFile(aside.SecretKeyFile, []byte(base64.StdEncoding.EncodeToString(key)), 0o600)
		}
		return func() error { return os.RemoveAll(dir) }, err
	}
	aside.InSchema(given, fmt.Sprintf("daybook_demo_%x", time.Now().UnixNano()))
	o, err := aside.Postgres()
	if err != nil {
		return nil, err
	}
	return func() error { return postgres.DropSchema(context.WithoutCancel(ctx), o) }, postgres.MakeSchema(ctx, o)
}

func (l demoLine) print(cmd *cobra.Command) {
	console.Say(cmd, `The demo is ready. Ctrl-C ends it and removes its data.

Booking page   %s
Dashboard      %s
  e-mail       %s
  password     %s
Its mails      %s
API key        %s
  read-only    %s

List the coming bookings:
  curl -H 'Authorization: Bearer %s' '%s/api/v1/bookings?scope=upcoming&limit=5'

Call the agent tools by an MCP client:
  npx -y -p node@22 -p @modelcontextprotocol/inspector@2 mcp-inspector --cli %s/api/mcp --transport http --header 'Authorization: Bearer %s' --method tools/list
`, l.BookingURL, l.DashboardURL, l.Email, l.Password, l.MailsURL, l.Key, l.ReadOnlyKey, l.Key, l.BaseURL, l.BaseURL, l.Key)
}
