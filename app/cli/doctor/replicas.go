package doctor

import (
	"context"
	"fmt"
	"time"

	"daybook/app/when"
)

const (
	replicaLate  = time.Hour    // until then a replica makes up by itself
	replicaProof = 2 * when.Day // a test restore is made every day
)

// checkReplicas tells how the replicas were when their server noted it last.
func checkReplicas(ctx context.Context, t *target) (all []finding) {
	r, err := t.Set.Upkeep.Replicas(ctx)
	if err != nil {
		return []finding{fail("replicas", err.Error(), "")}
	}
	if len(r.Targets) == 0 {
		if t.flags.OnServer() {
			return nil
		}
		return []finding{warn("replicas", "There is no copy of the database elsewhere that is kept up to date.",
			"Give serve --replica file:///directory on another disk, or s3://bucket/path.")}
	}
	now := when.At(t.Set.Now())
	for _, x := range r.Targets {
		switch late := now.Add(-replicaLate); {
		case x.Problem != "" && (x.Synced < late || x.Since < late):
			said := fmt.Sprintf("%s has everything until %s only: %s", x.Name, at(x.Synced), x.Problem)
			all = append(all, fail("replicas", said,
				"See that it can be reached and has room; what is missing is made up for by itself."))
		case x.Problem != "":
			all = append(all, warn("replicas", fmt.Sprintf("%s: %s", x.Name, x.Problem), "It is tried again by itself."))
		default:
			all = append(all, fine("replicas", "%s has everything until %s, as noted at %s", x.Name, at(x.Synced), at(r.At)))
		}
	}
	switch {
	case r.Problem != "":
		all = append(all, fail("replicas", fmt.Sprintf("The test restore of %s failed: %s", at(r.Tried), r.Problem),
			"Run: daybook restore --dry-run --from URL"))
	case r.Verified == 0:
		all = append(all, warn("replicas", "No test restore was made yet.", "A server makes one by itself, every day."))
	case r.Verified < now.Add(-replicaProof):
		all = append(all, warn("replicas", "The last test restore was at "+at(r.Verified)+".",
			"A running server makes one every day; see its log."))
	default:
		all = append(all, fine("replicas", "a test restore went well at %s", at(r.Verified)))
	}
	return all
}

func at(i when.Instant) string {
	if i == 0 {
		return "never"
	}
	return i.Time().Format(time.RFC3339)
}
