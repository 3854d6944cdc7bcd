package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/webhook"
	"daybook/app/when"
)

func webhooksCommand(h *house) *cobra.Command {
	cmd := group("webhooks", "Manage webhook endpoints and what they are told")
	cmd.AddCommand(webhooksCreate(h), webhooksList(h), webhooksDeliveries(h), webhooksRedeliver(h), webhooksTest(h), webhooksRotate(h),
		webhooksEnable(h), webhooksDisable(h), webhooksDelete(h))
	return cmd
}

// operator is who the command acts as in a workspace.
func operator(ws catalog.WorkspaceID) app.Actor { return app.Operator(ws) }

// shownEndpoint is an endpoint with its secret, as --json shows it this once.
type shownEndpoint struct {
	ID        catalog.EndpointID  `json:"id"`
	URL       string              `json:"url"`
	Events    []catalog.EventKind `json:"events"`
	Secret    string              `json:"secret"`
	CreatedAt when.Instant        `json:"createdAt"`
	Previous  when.Instant        `json:"previousSecretUntil,omitzero"` // of a rotated one whose old secret signs too
}

func showEndpoint(cmd *cobra.Command, asJSON bool, e webhook.NewEndpoint) error {
	if asJSON {
		return printJSON(cmd, shownEndpoint{e.ID, e.URL, e.Events, e.Secret, e.CreatedAt, e.PreviousUntil})
	}
	say(cmd, "%s", e.Secret)
	say(cmd, "It signs what endpoint %s (%s) is told. It is shown only this once.", e.ID, e.URL)
	if e.PreviousUntil != 0 {
		say(cmd, "The old secret signs too until %s.", e.PreviousUntil)
	}
	return nil
}

func webhooksCreate(h *house) *cobra.Command {
	cmd := &cobra.Command{
		Use: "create", Short: "Register an endpoint and print its signing secret, once", Args: arguments(),
		Long: "Registers an endpoint. The events are " + strings.Join(kindTexts(catalog.EventKinds), ", ") + "; * is all of them.",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace")
	url := cmd.Flags().String("url", "", "where to send: an https:// address")
	events := cmd.Flags().StringSlice("events", nil, "which events to send, joined by commas")
	h.webhookFlag(cmd.Flags())
	h.secretFlag(cmd.Flags())
	asJSON := jsonFlag(cmd)
	require(cmd, "workspace", "url", "events")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return with(cmd.Context(), h.write, func(d *desk) error {
			ws, err := d.WorkspaceBySlug(*slug)
			if err != nil {
				return err
			}
			e, err := d.Webhook.CreateEndpoint(cmd.Context(), operator(ws.ID), webhook.EndpointInput{URL: *url, Events: *events})
			if err != nil {
				return blame(err, "url", "--url", "events", "--events")
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

func webhooksList(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the endpoints, each with its latest delivery", Args: arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace (default all)")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return with(cmd.Context(), h.read, func(d *desk) error {
			var all []listedEndpoint
			err := d.eachWorkspace(*slug, func(ws catalog.Workspace) error {
				some, err := d.Webhook.Endpoints(cmd.Context(), operator(ws.ID))
				for _, e := range some {
					all = append(all, listedEndpoint{e, ws.Slug})
				}
				return err
			})
			if err != nil {
				return err
			}
			return printList(cmd, *asJSON, all, []string{"ID", "WORKSPACE", "URL", "EVENTS", "STATE", "LATEST DELIVERY"}, endpointRow)
		})
	}
	return cmd
}

// eachWorkspace visits the workspace of that slug, or all for "".
func (d *desk) eachWorkspace(slug string, visit func(catalog.Workspace) error) error {
	if slug != "" {
		ws, err := d.WorkspaceBySlug(slug)
		if err != nil {
			return err
		}
		return visit(ws)
	}
	all, err := d.Workspaces()
	for i := 0; i < len(all) && err == nil; i++ {
		err = visit(all[i])
	}
	return err
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

func webhooksRotate(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "rotate-secret ID", Short: "Give an endpoint a new signing secret and print it, once", Args: arguments("endpoint's id")}
	overlap := cmd.Flags().Duration("overlap", 0*time.Second, "how long the old secret signs too")
	h.secretFlag(cmd.Flags())
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return with(cmd.Context(), h.write, func(d *desk) error {
			actor, err := d.owning(args[0])
			if err != nil {
				return err
			}
			e, err := d.Webhook.RotateSecret(cmd.Context(), actor, args[0], *overlap)
			if err != nil {
				return blame(err, "overlap", "--overlap")
			}
			return showEndpoint(cmd, *asJSON, e)
		})
	}
	return cmd
}

// owning is the operator in the workspace of an endpoint or delivery.
func (d *desk) owning(id string) (app.Actor, error) {
	ws, err := d.Webhook.EndpointWorkspace(id)
	return operator(ws), err
}

func webhooksEnable(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "enable ID", Short: "Tell an endpoint of events again, from now on", Args: arguments("endpoint's id")}
	return changesEndpoint(h, cmd, "Enabled %s (%s).", func(cmd *cobra.Command, d *desk, a app.Actor, id string) (webhook.Endpoint, error) {
		return d.Webhook.EnableEndpoint(cmd.Context(), a, id)
	})
}

func webhooksDisable(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "disable ID", Short: "Tell an endpoint of nothing any more; what waits is given up", Args: arguments("endpoint's id")}
	return changesEndpoint(h, cmd, "Disabled %s (%s).", func(cmd *cobra.Command, d *desk, a app.Actor, id string) (webhook.Endpoint, error) {
		return d.Webhook.DisableEndpoint(cmd.Context(), a, id)
	})
}

func webhooksDelete(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "delete ID", Short: "Forget an endpoint and its secret", Args: arguments("endpoint's id")}
	return changesEndpoint(h, cmd, "Deleted %s (%s).", func(cmd *cobra.Command, d *desk, a app.Actor, id string) (webhook.Endpoint, error) {
		e, err := d.Webhook.Endpoint(cmd.Context(), a, id)
		if err != nil {
			return e, err
		}
		return e, d.Webhook.DeleteEndpoint(cmd.Context(), a, id)
	})
}

func changesEndpoint(h *house, cmd *cobra.Command, done string, change func(*cobra.Command, *desk, app.Actor, string) (webhook.Endpoint, error)) *cobra.Command {
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return with(cmd.Context(), h.write, func(d *desk) error {
			actor, err := d.owning(args[0])
			if err != nil {
				return err
			}
			e, err := change(cmd, d, actor, args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return printJSON(cmd, e)
			}
			say(cmd, done, e.ID, e.URL)
			return nil
		})
	}
	return cmd
}
