package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"daybook/app"
)

// sumsTime is for how long sums are added up again.
const sumsTime = 20 * time.Second

// checkSums compares the sums of days that are kept for figures with the bookings, as far as there is time.
func checkSums(ctx context.Context, t *target) (wrong []result) {
	all, err := t.Set.Workspaces(ctx, app.Operator(0))
	if err != nil {
		return []result{fail("day sums", err.Error(), "")}
	}
	limited, cancel := context.WithTimeout(ctx, sumsTime)
	defer cancel()
	days, whole := 0, true
	for i := range all {
		found, err := t.Set.Report.CheckSums(limited, all[i].ID)
		if err != nil {
			return append(wrong, fail("day sums", err.Error(), ""))
		}
		days, whole = days+found.Days, whole && found.Whole
		if found.Wrong == 0 {
			continue
		}
		names := strings.Join(found.Names, ", ")
		if len(found.Names) < found.Wrong {
			names += ", …"
		}
		wrong = append(wrong, fail("day sums", fmt.Sprintf("The figures of %s are wrong: of %d days that are kept, the sums "+
			"of %d are not those of their bookings (%s).", all[i].Slug, found.Days, found.Wrong, names),
			fmt.Sprintf("Run this on the database: DELETE FROM day_sums WHERE workspace_id = %d. The server makes them anew "+
				"when somebody asks.", int64(all[i].ID))))
	}
	switch {
	case wrong != nil:
		return wrong
	case !whole:
		return []result{fine("day sums", "%d days are as their bookings; there was no time for more", days)}
	}
	return []result{fine("day sums", "%d days are kept, as their bookings are", days)}
}
