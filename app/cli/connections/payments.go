package connections

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/cli/database"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/rooms"
)

// PaymentsCommand is daybook payments.
func PaymentsCommand(f *database.Flags) *cobra.Command {
	cmd := console.Group("payments", "Connect a workspace to its Stripe account")
	cmd.AddCommand(paymentsConnect(f), paymentsDisconnect(f), paymentsStatus(f))
	return cmd
}

// paymentFlags are what the payments commands have in common.
type paymentFlags struct {
	slug       *string
	baseURL    console.WebURL
	stripeBase *console.WebURL
	asJSON     *bool
}

func addPaymentFlags(f *database.Flags, cmd *cobra.Command) *paymentFlags {
	t := &paymentFlags{slug: cmd.Flags().String("workspace", "", "slug of the workspace"),
		stripeBase: console.AddStripeFlag(cmd.Flags()), asJSON: console.JSONFlag(cmd)}
	cmd.Flags().Var(&t.baseURL, "base-url", "the public address of the server, for the webhook's address")
	f.AddSecretKeyFile(cmd.Flags())
	console.Require(cmd, "workspace")
	return t
}

// run calls do with the workspace, and rooms that can reach Stripe.
func (t *paymentFlags) run(ctx context.Context, open func(context.Context) (*database.DB, error),
	do func(*rooms.Set, catalog.Workspace) error) error {
	return database.With(ctx, open, func(d *database.DB) error {
		ws, err := d.WorkspaceBySlug(ctx, *t.slug)
		if err != nil {
			return err
		}
		d.LinkTo(t.baseURL.URL)
		d.Payment.SetProvider(stripe.New(t.stripeBase.String()))
		return do(d.Set, ws)
	})
}

func paymentsConnect(f *database.Flags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "connect", Args: console.Arguments(),
		Short: "Keep the secret key and the signing secret, a line each, from a prompt or from standard input",
		Long: "Takes the secret key (sk_… or rk_…) and the signing secret (whsec_…) of the webhook endpoint, a line each, " +
			"from a prompt or\n" +
			"from standard input. In Stripe's dashboard, under Developers, Webhooks, add an endpoint with the address that " +
			"`payments status`\n" +
			"prints and these events:\n  " + strings.Join(stripe.EventKinds, "\n  "),
	}
	t := addPaymentFlags(f, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return t.run(cmd.Context(), f.Write, func(s *rooms.Set, ws catalog.Workspace) error {
			secrets, err := console.AskSecrets(cmd, "the secret key", "the signing secret")
			if err != nil {
				return err
			}
			c, err := s.Payment.ConnectPayments(cmd.Context(), app.Operator(ws.ID),
				payment.Keys{SecretKey: secrets[0], SigningSecret: secrets[1]})
			if err != nil {
				return console.NameFlags(err, "secretKey", "the secret key", "signingSecret", "the signing secret")
			}
			return t.show(cmd, c)
		})
	}
	return cmd
}

func paymentsDisconnect(f *database.Flags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "disconnect", Args: console.Arguments(),
		Short: "Forget the keys; prices are paid on site from then on",
	}
	t := addPaymentFlags(f, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return t.run(cmd.Context(), f.Write, func(s *rooms.Set, ws catalog.Workspace) error {
			if err := s.Payment.DisconnectPayments(cmd.Context(), app.Operator(ws.ID)); err != nil {
				return err
			}
			c, err := s.Payment.Connection(cmd.Context(), app.Operator(ws.ID), false)
			if err != nil {
				return err
			}
			return t.show(cmd, c)
		})
	}
	return cmd
}

func paymentsStatus(f *database.Flags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "status", Args: console.Arguments(),
		Short: "Tell the mode, whether the key works, when Stripe's last event arrived, and the webhook's address",
	}
	t := addPaymentFlags(f, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return t.run(cmd.Context(), f.Read, func(s *rooms.Set, ws catalog.Workspace) error {
			c, err := s.Payment.Connection(cmd.Context(), app.Operator(ws.ID), true)
			if err != nil {
				return err
			}
			return t.show(cmd, c)
		})
	}
	return cmd
}

func (t *paymentFlags) show(cmd *cobra.Command, c payment.Connection) error {
	if *t.asJSON {
		return console.PrintJSON(cmd, c)
	}
	if !c.Connected {
		console.Say(cmd, "%s is not connected to Stripe: prices are paid on site.", c.Workspace)
	} else {
		console.Say(cmd, "%s is connected to Stripe in %s mode%s.", c.Workspace, c.Mode, prefixed(", account ", c.Account))
		if c.KeyWorks {
			console.Say(cmd, "The key works.")
		} else {
			console.Say(cmd, "The key does not work: %s.", strings.TrimRight(c.Problem, "."))
		}
		if c.LastEventAt == 0 {
			console.Say(cmd, "No event of Stripe's has arrived yet.")
		} else {
			console.Say(cmd, "The last event, %s, arrived at %s.", c.LastEvent, c.LastEventAt)
		}
	}
	url := c.WebhookURL
	if strings.HasPrefix(url, "/") {
		url = "the server's public address followed by " + url
	}
	console.Say(cmd, "The webhook endpoint to be added in Stripe's dashboard: %s", url)
	return nil
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
