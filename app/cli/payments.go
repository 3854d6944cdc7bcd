package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/cli/console"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/subjects"
)

// paymentsCommand is daybook payments.
func PaymentsCommand(f *databaseFlags) *cobra.Command {
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

func addPaymentFlags(f *databaseFlags, cmd *cobra.Command) *paymentFlags {
	t := &paymentFlags{slug: cmd.Flags().String("workspace", "", "slug of the workspace"),
		stripeBase: console.AddStripeFlag(cmd.Flags()), asJSON: console.JSONFlag(cmd)}
	cmd.Flags().Var(&t.baseURL, "base-url", "the public address of the server, for the webhook's address")
	f.AddSecretKeyFile(cmd.Flags())
	console.Require(cmd, "workspace")
	return t
}

// run calls do as the operator of the workspace, with subjects that can reach Stripe, and shows the connection.
func (t *paymentFlags) run(cmd *cobra.Command, open func(context.Context) (*database, error),
	do func(*subjects.Set, app.Actor) (payment.Connection, error)) error {
	return withDatabase(cmd.Context(), open, func(d *database) error {
		ws, err := d.WorkspaceBySlug(cmd.Context(), *t.slug)
		if err != nil {
			return err
		}
		d.LinkTo(t.baseURL.URL)
		d.Payment.SetProvider(stripe.New(t.stripeBase.String()))
		c, err := do(d.Set, app.Operator(ws.ID))
		if err != nil {
			return err
		}
		return t.show(cmd, c)
	})
}

func paymentsConnect(f *databaseFlags) *cobra.Command {
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
		return t.run(cmd, f.Write, func(s *subjects.Set, a app.Actor) (payment.Connection, error) {
			secrets, err := console.AskSecrets(cmd, "the secret key", "the signing secret")
			if err != nil {
				return payment.Connection{}, err
			}
			c, err := s.Payment.ConnectPayments(cmd.Context(), a,
				payment.Keys{SecretKey: secrets[0], SigningSecret: secrets[1]})
			return c, console.NameFlags(err, "secretKey", "the secret key", "signingSecret", "the signing secret")
		})
	}
	return cmd
}

func paymentsDisconnect(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "disconnect", Args: console.Arguments(),
		Short: "Forget the keys; prices are paid on site from then on",
	}
	t := addPaymentFlags(f, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return t.run(cmd, f.Write, func(s *subjects.Set, a app.Actor) (payment.Connection, error) {
			if err := s.Payment.DisconnectPayments(cmd.Context(), a); err != nil {
				return payment.Connection{}, err
			}
			return s.Payment.Connection(cmd.Context(), a, false)
		})
	}
	return cmd
}

func paymentsStatus(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "status", Args: console.Arguments(),
		Short: "Tell the mode, whether the key works, when Stripe's last event arrived, and the webhook's address",
	}
	t := addPaymentFlags(f, cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return t.run(cmd, f.Read, func(s *subjects.Set, a app.Actor) (payment.Connection, error) {
			return s.Payment.Connection(cmd.Context(), a, true)
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
