package cli

import (
	"context"
	"fmt"

	"daybook/app"
	"daybook/app/calsync"
)

// checkCalendars counts the connections to hosts' other calendars that can't be read.
func checkCalendars(ctx context.Context, t *target) (all []result) {
	workspaces, err := t.Set.Workspaces(ctx, app.Operator(0))
	if err != nil {
		return []result{fail("calendars", err.Error(), "")}
	}
	read := 0
	for _, w := range workspaces {
		some, err := t.Set.Calendars.CalendarConnections(ctx, app.Operator(w.ID))
		if err != nil {
			return append(all, fail("calendars", err.Error(), ""))
		}
		failing := 0
		for i := range some {
			if some[i].State == calsync.Failing || some[i].State == calsync.Refused {
				failing++
			}
		}
		if read += len(some) - failing; failing > 0 {
			all = append(all, warn("calendars", fmt.Sprintf("%s: %d of %d connected calendars can't be read.", w.Slug, failing,
				len(some)), "See why: daybook calendars list --workspace "+w.Slug))
		}
	}
	if len(all) == 0 && read == 0 {
		return []result{fine("calendars", "no other calendar is connected")}
	}
	if read > 0 {
		all = append(all, fine("calendars", "%d connected", read))
	}
	return all
}
