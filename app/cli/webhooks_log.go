package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/webhook"
)

func webhooksDeliveries(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "deliveries", Short: "List what endpoints were told, or are to be, the newest first", Args: arguments()}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace (default all)")
	endpoint := cmd.Flags().String("endpoint", "", "id of one endpoint")
	state := cmd.Flags().String("state", "", "pending, delivered or failed (default all)")
	limit := cmd.Flags().Int("limit", 50, "how many at most")
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *limit < 1 || *limit > 10_000 {
			return usage("--limit must lie between 1 and 10000")
		}
		return with(cmd.Context(), h.read, func(d *desk) error {
			in := webhook.ListDeliveriesInput{Endpoint: *endpoint, State: *state}
			all, err := d.deliveries(cmd.Context(), *slug, in, *limit)
			if err != nil {
				return blame(err, "state", "--state")
			}
			return printList(cmd, *asJSON, all, []string{"ID", "EVENT", "ENDPOINT", "CREATED", "ATTEMPTS", "STATE"}, deliveryRow)
		})
	}
	return cmd
}

// deliveries merges the logs of the workspaces.
func (d *desk) deliveries(ctx context.Context, slug string, in webhook.ListDeliveriesInput, limit int) (all []webhook.Delivery, err error) {
	visit := func(ws catalog.WorkspaceID) error {
		in := in
		for left := limit; left > 0; {
			n := min(left, 100)
			in.Limit = &n
			page, err := d.Webhook.Deliveries(ctx, operator(ws), in)
			if err != nil {
				return err
			}
			all = append(all, page.Data...)
			if left -= len(page.Data); !page.HasMore {
				break
			}
			in.Cursor = *page.NextCursor
		}
		return nil
	}
	if in.Endpoint != "" && slug == "" {
		actor, err := d.owning(in.Endpoint)
		if err != nil {
			return nil, err
		}
		return all, visit(actor.Workspace)
	}
	if err := d.eachWorkspace(slug, func(ws catalog.Workspace) error { return visit(ws.ID) }); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b webhook.Delivery) int { return int(min(1, max(-1, b.ID-a.ID))) })
	return all[:min(len(all), limit)], nil
}

func deliveryRow(d webhook.Delivery) []string {
	return []string{d.ID.String(), string(d.Event), d.EndpointID.String(), d.CreatedAt.String(), strconv.Itoa(d.Attempts), resultOf(&d)}
}

// resultOf says in a few words how far a delivery is.
func resultOf(d *webhook.Delivery) string {
	text := string(d.State)
	if d.Error != nil {
		text += ": " + *d.Error
	} else if d.ResponseStatus != nil {
		text += fmt.Sprintf(" (%d in %d ms)", *d.ResponseStatus, *d.DurationMS)
	}
	if d.NextAttemptAt != 0 {
		text += "; next attempt " + d.NextAttemptAt.String()
	}
	return text
}

func webhooksRedeliver(h *house) *cobra.Command {
	cmd := &cobra.Command{Use: "redeliver ID", Short: "Send the event of a delivery again, with all its tries before it", Args: arguments("delivery's id")}
	return queues(h, cmd, func(d *desk, a app.Actor, id string) (webhook.Delivery, error) {
		return d.Webhook.Redeliver(cmd.Context(), a, id)
	})
}

func webhooksTest(h *house) *cobra.Command {
	cmd := &cobra.Command{
		Use: "test ID", Short: "Send an endpoint a made-up event", Args: arguments("endpoint's id"),
		Long: "Sends an endpoint a made-up event of the first kind that it wants, with \"test\": true beside the usual fields.",
	}
	h.secretFlag(cmd.Flags())
	return queues(h, cmd, func(d *desk, a app.Actor, id string) (webhook.Delivery, error) {
		return d.Webhook.TestEndpoint(cmd.Context(), a, id)
	})
}

// queues is a command after which a running server has something to send.
func queues(h *house, cmd *cobra.Command, do func(*desk, app.Actor, string) (webhook.Delivery, error)) *cobra.Command {
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return with(cmd.Context(), h.write, func(d *desk) error {
			actor, err := d.owning(args[0])
			if err != nil {
				return err
			}
			one, err := do(d, actor, args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return printJSON(cmd, one)
			}
			say(cmd, "Queued %s (%s to %s); the server sends it. See how it went with: daybook webhooks deliveries --endpoint %s", one.ID, one.Event, one.EndpointID, one.EndpointID)
			return nil
		})
	}
	return cmd
}
