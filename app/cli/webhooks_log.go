package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/cli/console"
	"daybook/app/webhook"
)

func webhooksDeliveries(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "deliveries", Args: console.Arguments(),
		Short: "List what endpoints were told, or are to be, the newest first",
	}
	slug := cmd.Flags().String("workspace", "", "slug of the workspace (default all)")
	endpoint := cmd.Flags().String("endpoint", "", "id of one endpoint")
	state := cmd.Flags().String("state", "", "pending, delivered or failed (default all)")
	limit := cmd.Flags().Int("limit", 50, "how many at most")
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *limit < 1 || *limit > 10_000 {
			return console.Usagef("--limit must lie between 1 and 10000")
		}
		return withDatabase(cmd.Context(), f.Read, func(d *database) error {
			in := webhook.ListDeliveriesInput{Endpoint: *endpoint, State: *state}
			all, err := deliveries(cmd.Context(), d, *slug, in, *limit)
			if err != nil {
				return console.NameFlags(err, "state", "--state")
			}
			return console.PrintList(cmd, *asJSON, all, []string{"ID", "EVENT", "ENDPOINT", "CREATED", "ATTEMPTS", "STATE"},
				deliveryRow)
		})
	}
	return cmd
}

// deliveries lists the latest deliveries of the workspace, or of all when slug is empty, the newest first.
func deliveries(ctx context.Context, d *database, slug string, in webhook.ListDeliveriesInput,
	limit int) (all []webhook.Delivery, err error) {
	visit := func(ws catalog.WorkspaceID) error {
		in := in
		for left := limit; left > 0; {
			n := min(left, 100)
			in.Limit = &n
			page, err := d.Webhook.Deliveries(ctx, app.Operator(ws), in)
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
		actor, err := owning(ctx, d, in.Endpoint)
		if err != nil {
			return nil, err
		}
		return all, visit(actor.Workspace)
	}
	if err := d.EachWorkspace(ctx, slug, func(ws catalog.Workspace) error { return visit(ws.ID) }); err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b webhook.Delivery) int { return int(min(1, max(-1, b.ID-a.ID))) })
	return all[:min(len(all), limit)], nil
}

func deliveryRow(d webhook.Delivery) []string {
	return []string{d.ID.String(), string(d.Event), d.EndpointID.String(), d.CreatedAt.String(), strconv.Itoa(d.Attempts),
		resultOf(&d)}
}

// resultOf returns the state of a delivery in a few words.
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

func webhooksRedeliver(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "redeliver ID", Args: console.Arguments("delivery's id"),
		Short: "Send the event of a delivery again, with all its tries before it",
	}
	return queues(f, cmd, func(d *database, a app.Actor, id string) (webhook.Delivery, error) {
		return d.Webhook.Redeliver(cmd.Context(), a, id)
	})
}

func webhooksTest(f *databaseFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use: "test ID", Short: "Send an endpoint a made-up event", Args: console.Arguments("endpoint's id"),
		Long: "Sends an endpoint a made-up event of the first kind that it wants, with \"test\": true beside the usual " +
			"fields.",
	}
	f.AddSecretKeyFile(cmd.Flags())
	return queues(f, cmd, func(d *database, a app.Actor, id string) (webhook.Delivery, error) {
		return d.Webhook.TestEndpoint(cmd.Context(), a, id)
	})
}

// queues makes a command that queues a delivery for the running server.
func queues(f *databaseFlags, cmd *cobra.Command,
	do func(*database, app.Actor, string) (webhook.Delivery, error)) *cobra.Command {
	asJSON := console.JSONFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withDatabase(cmd.Context(), f.Write, func(d *database) error {
			actor, err := owning(cmd.Context(), d, args[0])
			if err != nil {
				return err
			}
			one, err := do(d, actor, args[0])
			if err != nil {
				return err
			}
			if *asJSON {
				return console.PrintJSON(cmd, one)
			}
			console.Say(cmd,
				"Queued %s (%s to %s); the server sends it. See how it went with: daybook webhooks deliveries --endpoint %s",
				one.ID, one.Event, one.EndpointID, one.EndpointID)
			return nil
		})
	}
	return cmd
}
