// package bench has the command bench, by which operators try how fast their server is.
package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/bench"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/cli/database"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/sandbox"
	"daybook/app/setup"
	"daybook/app/webhook"
)

// nowhere is a network that nobody has (RFC 5737): where the sandbox's webhooks and mails would go. The server doesn't
// send them, and wouldn't be allowed to call it.
var nowhere = netip.MustParsePrefix("192.0.2.0/24")

const (
	keyRate   = 1_000_000            // requests a minute: more than any run makes
	sweepTime = time.Minute          // for the rows; the server's upkeep deletes what is left
	sweepRest = 5 * time.Millisecond // between two steps, for the server's own writes
)

// Command is daybook bench.
func Command(f *database.Flags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "bench", Args: console.Arguments(),
		Short: "Try how fast a running server is, and what bounds it",
		Long: "Loads the server at --url, which must have the database --db, for some seconds: with bookings, lists, open " +
			"times,\nbooking pages and assistants' calls, in a workspace that is made for it and removed at the end. What is " +
			"measured is\nthe server as it is, with the mails and webhooks of the bookings; but none of them is sent, and no " +
			"other workspace\nis touched: their guests notice at most that the server is busy, and that mails leave some " +
			"seconds later.\n\n" +
			"What a run leaves behind that is killed is removed by the next one, or by the server within an hour. Only one " +
			"runs\nat a time: a second one ends the first.",
	}
	var url console.WebURL
	cmd.Flags().Var(&url, "url", "the running server, such as http://localhost:8080")
	duration := cmd.Flags().Duration("duration", 20*time.Second, "how long it takes, from 5s to 5m")
	clients := cmd.Flags().Int("clients", 8, "how many ask at a time, at most 64")
	console.Require(cmd, "url")
	f.AddSecretKeyFile(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		switch {
		case *duration < bench.MinDuration || *duration > bench.MaxDuration:
			return console.Usagef("--duration must lie between 5s and 5m")
		case *clients < 1 || *clients > bench.MaxClients:
			return console.Usagef("--clients must lie between 1 and %d", bench.MaxClients)
		case url.Path != "":
			return console.Usagef("--url must be an address without a path, such as https://book.example.com")
		}
		f.AllowWebhooks(nowhere)
		f.AllowMails(nowhere)
		var report *bench.Report
		err := database.With(cmd.Context(), f.Write, func(d *database.DB) (err error) {
			o := bench.Options{Clients: *clients, Duration: *duration, Progress: func(string) {}}
			if to, is := cmd.ErrOrStderr().(*os.File); is && term.IsTerminal(int(to.Fd())) && !*asJSON {
				o.Progress = func(text string) { fmt.Fprintln(to, text+" …") }
			}
			if !f.OnServer() {
				o.Disk = filepath.Dir(f.Path)
			}
			report, err = run(cmd.Context(), d, bench.Target{URL: url.URL}, o, f.Name())
			return err
		})
		if err != nil {
			return err
		}
		report.Database = f.Name()
		if *asJSON {
			return console.PrintJSON(cmd, report)
		}
		return show(cmd, report)
	}
	return cmd
}

// run makes the sandbox, loads the server, and removes the sandbox, whatever happens.
func run(ctx context.Context, d *database.DB, t bench.Target, o bench.Options, name string) (r *bench.Report,
	err error) {
	if _, err := d.Upkeep.EndSandboxes(ctx, d.Now().Add(time.Second)); err != nil { // what was killed left them
		return nil, err
	}
	ws := sandbox.ID(id.New[catalog.WorkspaceIDKind](d.Now()))
	defer func() {
		o.Progress("removing the workspace")
		err = errors.Join(err, remove(context.WithoutCancel(ctx), d, ws))
	}()
	if err := fill(ctx, d, ws, &t); err != nil {
		return nil, err
	}
	if err := bench.Check(ctx, t, name); err != nil {
		return nil, err
	}
	o.Commit = func() error {
		return d.Write(ctx, func(tx app.Tx) error { return tx.LockWorkspace(ws) })
	}
	if r, err = bench.Run(ctx, t, o); err != nil && ctx.Err() == nil {
		if _, gone := d.Reader(ctx).SetupRevision(ws); gone == fault.ErrNotFound {
			err = errors.New("another run of `daybook bench` has begun, which ended this one")
		}
	}
	return r, err
}

// fill makes the sandbox as an owner does, with a webhook endpoint, and a mail server of its own, so that its mails
// hold up nobody's. Its key is in no place but t.
func fill(ctx context.Context, d *database.DB, ws catalog.WorkspaceID, t *bench.Target) error {
	t.Slug = "bench-" + strings.ToLower(rand.Text())[:20] // which nobody guesses
	a := app.Operator(ws)
	_, err := d.Shop.CreateWorkspace(ctx, app.Operator(0),
		catalog.WorkspaceInput{ID: ws, Slug: t.Slug, Name: bench.Name, TimeZone: "UTC"})
	if err != nil {
		return err
	}
	file, err := setup.Parse(bench.SetUp(t.Slug))
	if err == nil {
		_, err = d.SetupFile.ApplySetup(ctx, app.Operator(0), file, false)
	}
	if err == nil {
		_, err = d.Webhook.CreateEndpoint(ctx, a, webhook.EndpointInput{URL: "https://192.0.2.1/", Events: []string{"*"}})
	}
	if err == nil {
		err = d.Mail.SetMailServer(ctx, a, "smtp://192.0.2.1:25?from=nobody@bench.invalid&tls=none")
	}
	if err != nil {
		return err
	}
	k, err := d.Account.CreateKey(ctx, a, account.KeyInput{Name: "bench", Scope: account.FullScope, RateLimit: keyRate})
	t.Key = k.Value
	return err
}

// remove ends the sandbox and deletes its rows.
func remove(ctx context.Context, d *database.DB, ws catalog.WorkspaceID) error {
	ctx, stop := context.WithTimeout(ctx, sweepTime)
	defer stop()
	err := d.Upkeep.EndSandbox(ctx, ws)
	for more := true; more && err == nil; time.Sleep(sweepRest) {
		more, err = d.Upkeep.Sweep(ctx, 1)
	}
	if err != nil {
		return fmt.Errorf("the workspace of the test is not quite removed; the server does it within an hour: %w", err)
	}
	return nil
}

// show prints the report for people.
func show(cmd *cobra.Command, r *bench.Report) error {
	console.Say(cmd, "%s, %d at a time, %.0f s. Times are in milliseconds; half of the answers came within p50.\n",
		r.URL, r.Clients, r.Seconds)
	err := console.PrintList(cmd, false, r.Paths, []string{"REQUEST", "PER SECOND", "P50", "IN THE SERVER", "P95",
		"P99", "MAX", "PROCESSOR", "ERRORS"}, func(p bench.Row) []string {
		return []string{p.Name, rate(p.PerSecond), short(p.P50), known(p.Server), short(p.P95),
			short(p.P99), short(p.Max), known(p.Processor), strconv.Itoa(p.Errors)}
	})
	if err != nil {
		return err
	}
	console.Say(cmd, "\nWhile the server rests, a commit takes %s ms (p99 %s), and the way there and back %s ms (p99 %s).",
		short(r.Commit.P50), short(r.Commit.P99), short(r.Network.P50), short(r.Network.P99))
	for _, text := range r.Verdict {
		console.Say(cmd, "%s", text)
	}
	console.Say(cmd, "%d bookings were made, and removed.", r.Bookings)
	return nil
}

// rate is how many there are a second: with a digit more where they are few.
func rate(n float64) string {
	if n < 10 {
		return strconv.FormatFloat(n, 'f', 1, 64)
	}
	return strconv.FormatFloat(n, 'f', 0, 64)
}

// short is a time with the digits that matter.
func short(ms float64) string {
	switch {
	case ms < 10:
		return strconv.FormatFloat(ms, 'f', 2, 64)
	case ms < 100:
		return strconv.FormatFloat(ms, 'f', 1, 64)
	}
	return strconv.FormatFloat(ms, 'f', 0, 64)
}

func known(ms *float64) string {
	if ms == nil {
		return "-"
	}
	return short(*ms)
}
