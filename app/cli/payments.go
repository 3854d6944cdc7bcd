package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/payment"
	"daybook/app/rooms"
)

func paymentsCommand(h *house) *cobra.Command {
	cmd := group("payments", "Connect a workspace to its Stripe account")
	cmd.AddCommand(paymentsConnect(h), paymentsDisconnect(h), paymentsStatus(h))
	return cmd
}

// till is what the payments commands are told.
type till struct {
	slug       *string
	baseURL    webURL
	stripeBase *webURL
	asJSON     *bool
}

func newTill(h *house, cmd *cobra.Command) *till {
	t := &till{slug: cmd.Flags().String("workspace", "", "slug of the workspace"), stripeBase: addStripeFlag(cmd.Flags()), asJSON: jsonFlag(cmd)}
	cmd.Flags().Var(&t.baseURL, "base-url", "the public address of the server, for the webhook's address")
	h.secretFlag(cmd.Flags())
	require(cmd, "workspace")
	return t
}

// run does something to the workspace, with Stripe at hand.
func (t *till) run(ctx context.Context, open func(context.Context) (*desk, error), do func(*rooms.Set, catalog.Workspace) error) error {
	return with(ctx, open, func(d *desk) error {
		ws, err := d.WorkspaceBySlug(*t.slug)
		if err != nil {
			return err
		}
		s := rooms.New(rooms.Config{Config: app.Config{Store: d.store, Vault: d.vault, BaseURL: t.baseURL.URL}})
		s.Payment.TakePayments(payment.New(t.stripeBase.String()))
		return do(s, ws)
	})
}

func paymentsConnect(h *house) *cobra.Command {
	cmd := &cobra.Command{
		Use: "connect", Short: "Keep the secret key and the signing secret, a line each, from a prompt or from standard input", Args: arguments(),
		Long: "Takes the secret key (sk_… or rk_…) and the signing secret (whsec_…) of the webhook endpoint, a line each, from a prompt or\n" +
			"from standard input. In Stripe's dashboard, under Developers, Webhooks, add an endpoint with the address that `payments status`\n" +
			"prints and these events:\n  " + strings.Join(payment.EventKinds, "\n  "),
	}
	t := newTill(h, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return t.run(cmd.Context(), h.write, func(s *rooms.Set, ws catalog.Workspace) error {
			secrets, err := askSecrets(cmd, "the secret key", "the signing secret")
			if err != nil {
				return err
			}
			c, err := s.Payment.ConnectPayments(cmd.Context(), ws, payment.Keys{SecretKey: secrets[0], SigningSecret: secrets[1]})
			if err != nil {
				return blame(err, "secretKey", "the secret key", "signingSecret", "the signing secret")
			}
			return t.show(cmd, c)
		})
	}
	return cmd
}

func paymentsDisconnect(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "disconnect", Short: "Forget the keys; prices are paid on site from then on", Args: arguments()}
	t := newTill(h, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return t.run(cmd.Context(), h.write, func(s *rooms.Set, ws catalog.Workspace) error {
			if err := s.Payment.DisconnectPayments(cmd.Context(), ws); err != nil {
				return err
			}
			c, err := s.Payment.Connection(cmd.Context(), ws, false)
			if err != nil {
				return err
			}
			return t.show(cmd, c)
		})
	}
	return cmd
}

func paymentsStatus(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "status", Short: "Tell the mode, whether the key works, when Stripe's last event arrived, and the webhook's address", Args: arguments()}
	t := newTill(h, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return t.run(cmd.Context(), h.read, func(s *rooms.Set, ws catalog.Workspace) error {
			c, err := s.Payment.Connection(cmd.Context(), ws, true)
			if err != nil {
				return err
			}
			return t.show(cmd, c)
		})
	}
	return cmd
}

func (t *till) show(cmd *cobra.Command, c payment.Connection) error {
	if *t.asJSON {
		return printJSON(cmd, c)
	}
	if !c.Connected {
		say(cmd, "%s is not connected to Stripe: prices are paid on site.", c.Workspace)
	} else {
		say(cmd, "%s is connected to Stripe in %s mode%s.", c.Workspace, c.Mode, prefixed(", account ", c.Account))
		if c.KeyWorks {
			say(cmd, "The key works.")
		} else {
			say(cmd, "The key does not work: %s.", strings.TrimRight(c.Problem, "."))
		}
		if c.LastEventAt == 0 {
			say(cmd, "No event of Stripe's has arrived yet.")
		} else {
			say(cmd, "The last event, %s, arrived at %s.", c.LastEvent, c.LastEventAt)
		}
	}
	url := c.WebhookURL
	if strings.HasPrefix(url, "/") {
		url = "the server's public address followed by " + url
	}
	say(cmd, "The webhook endpoint to be added in Stripe's dashboard: %s", url)
	return nil
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// askSecrets asks for each of the secrets at a terminal, without echo; else it takes a line of standard input for each.
func askSecrets(cmd *cobra.Command, what ...string) (secrets []string, err error) {
	in, ok := cmd.InOrStdin().(*os.File)
	terminal := ok && term.IsTerminal(int(in.Fd()))
	lines := bufio.NewReader(io.LimitReader(cmd.InOrStdin(), maxSecret))
	for _, name := range what {
		var line string
		if terminal {
			if line, err = askHidden(cmd, in, strings.ToUpper(name[:1])+name[1:]+": "); err != nil {
				return nil, err
			}
		} else if line, err = lines.ReadString('\n'); err != nil && err != io.EOF {
			return nil, err
		}
		if line = strings.TrimSpace(line); line == "" {
			return nil, errors.New(fmt.Sprint(name, " is expected on standard input, on a line of its own"))
		}
		secrets = append(secrets, line)
	}
	return secrets, nil
}
