package cli

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/webhook"
	"daybook/app/when"
)

// webhooksCommand is daybook webhooks.
func WebhooksCommand(f *databaseFlags) *cobra.Command {
	cmd := console.Group("webhooks", "Manage webhook endpoints and what they are told")
	cmd.AddCommand(webhooksCreate(f), webhooksList(f), webhooksDeliveries(f), webhooksRedeliver(f), webhooksTest(f),
		webhooksRotate(f),
		webhooksEnable(f), webhooksDisable(f), webhooksDelete(f))
	return cmd
}

// shownEndpoint is an endpoint with its secret, as --json shows it once.
type shownEndpoint struct {
	ID        catalog.EndpointID  `json:"id"`
	URL       string              `json:"url"`
	Events    []catalog.EventKind `json:"events"`
	Secret    string              `json:"secret"`
	CreatedAt when.Instant        `json:"createdAt"`
	Previous  when.Instant        `json:"previousSecretUntil,omitzero"` // while the old secret of a rotated one signs too
}

func showEndpoint(cmd *cobra.Command, asJSON bool, e webhook.NewEndpoint) error {
	if asJSON {
		return console.PrintJSON(cmd, shownEndpoint{e.ID, e.URL, e.Events, e.Secret, e.CreatedAt, e.PreviousUntil})
	}
	console.Say(cmd, "%s", e.Secret)
	console.Say(cmd, "It signs what endpoint %s (%s) is told. It is shown only this once.", e.ID, e.URL)
	if e.PreviousUntil != 0 {
		console.Say(cmd, "The old secret signs too until %s.", e.PreviousUntil)
	}
	return nil
}

func webhooksCreate(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "create", Short: "Register an endpoint and print its signing secret, once", Args: console.Arguments(),
		Long: "Registers an endpoint. The events are " + strings.Join(kindTexts(catalog.EventKinds), ", ") +
			"; * is " + strings.Join(kindTexts(catalog.CommonKinds), ", ") + ". The others must be named.",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	url := cmd.Flags().String("url", "", "where to send: an https:// address")
	events := cmd.Flags().StringSlice("events", nil, "which events to send, joined by commas")
	f.AddWebhookAllow(cmd.Flags())
	f.AddSecretKeyFile(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	console.Require(cmd, "workspace", "url", "events")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			ws, err := d.WorkspaceBySlug(cmd.Context(), *slug)
			if err != nil {
				return err
			}
			e, err := d.Webhook.CreateEndpoint(cmd.Context(), app.Operator(ws.ID),
				webhook.EndpointInput{URL: *url, Events: *events})
			if err != nil {
				return console.NameFlags(err, "url", "--url", "events", "--events")
			}
			return showEndpoint(cmd, *asJSON, e)
		})
	}
	return cmd
}

func kindTexts(kinds []catalog.EventKind) (texts []string) {
	for _, k := range kinds {
		texts = append(texts, string(k))
	}
	return texts
}

// listedEndpoint is an endpoint of one of several workspaces.
type listedEndpoint struct {
	webhook.Endpoint
	Workspace string `json:"workspace"`
}

func webhooksList(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Args: console.Arguments(),
		Short: "List the endpoints, each with its latest delivery",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace (default all)")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			var all []listedEndpoint
			err := d.EachWorkspace(cmd.Context(), *slug, func(ws catalog.Workspace) error {
				some, err := d.Webhook.Endpoints(cmd.Context(), app.Operator(ws.ID))
				for _, e := range some {
					all = append(all, listedEndpoint{e, ws.Slug})
				}
				return err
			})
			if err != nil {
				return err
			}
			return console.PrintList(cmd, *asJSON, all, []string{"ID", "WORKSPACE", "URL", "EVENTS", "STATE", "LATEST DELIVERY"},
				endpointRow)
		})
	}
	return cmd
}

func endpointRow(e listedEndpoint) []string {
	state, latest := "enabled", "none"
	switch {
	case !e.Enabled:
		state = "disabled (" + string(e.DisabledReason) + ")"
	case e.FailingSince != 0:
		state = "failing since " + e.FailingSince.String()
	}
	if d := e.LatestDelivery; d != nil {
		latest = d.CreatedAt.String() + " " + resultOf(d)
	}
	return []string{e.ID.String(), e.Workspace, e.URL, strings.Join(kindTexts(e.Events), ","), state, latest}
}

func webhooksRotate(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "rotate-secret ID", Args: console.Arguments("endpoint's id"),
		Short: "Give an endpoint a new signing secret and print it, once",
	}
	overlap := cmd.Flags().Duration("overlap", 0*time.Second, "how long the old secret signs too")
	f.AddSecretKeyFile(cmd.Flags())
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			actor, err := owning(cmd.Context(), d, args[0])
			if err != nil {
				return err
			}
			e, err := d.Webhook.RotateSecret(cmd.Context(), actor, args[0], *overlap)
			if err != nil {
				return console.NameFlags(err, "overlap", "--overlap")
			}
			return showEndpoint(cmd, *asJSON, e)
		})
	}
	return cmd
}

// owning returns the operator of the workspace that has the endpoint or delivery.
func owning(ctx context.Context, d *database, id string) (app.Actor, error) {
	ws, err := d.Webhook.EndpointWorkspace(ctx, app.Operator(0), id)
	return app.Operator(ws), err
}

func webhooksEnable(f *databaseFlags) *cobra.Command {
	return changesEndpoint(f, "enable", "Send events to an endpoint again, from now on", "Enabled",
		func(ctx context.Context, d *database, a app.Actor, id string) (webhook.Endpoint, error) {
			return d.Webhook.EnableEndpoint(ctx, a, id)
		})
}

func webhooksDisable(f *databaseFlags) *cobra.Command {
	return changesEndpoint(f, "disable", "Stop sending events to an endpoint; what waits is dropped", "Disabled",
		func(ctx context.Context, d *database, a app.Actor, id string) (webhook.Endpoint, error) {
			return d.Webhook.DisableEndpoint(ctx, a, id)
		})
}

func webhooksDelete(f *databaseFlags) *cobra.Command {
	return changesEndpoint(f, "delete", "Delete an endpoint and its secret", "Deleted",
		func(ctx context.Context, d *database, a app.Actor, id string) (webhook.Endpoint, error) {
			e, err := d.Webhook.Endpoint(ctx, a, id)
			if err != nil {
				return e, err
			}
			return e, d.Webhook.DeleteEndpoint(ctx, a, id)
		})
}

// changesEndpoint returns a command that does something to the endpoint with an id and says that it is done.
func changesEndpoint(f *databaseFlags, name, short, done string,
	change func(context.Context, *database, app.Actor, string) (webhook.Endpoint, error)) *cobra.Command {
	cmd := &cobra.Command{Use: name + " ID", Args: console.Arguments("endpoint's id"), Short: short}
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			actor, err := owning(cmd.Context(), d, args[0])
			if err != nil {
				return err
			}
			e, err := change(cmd.Context(), d, actor, args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, e)
			}
			console.Say(cmd, "%s %s (%s).", done, e.ID, e.URL)
			return nil
		})
	}
	return cmd
}
