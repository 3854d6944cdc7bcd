package dashboard

import (
	"context"
	"errors"
	"testing"
	"time"

	"daybook/app/upkeep"
	"daybook/app/when"
	"daybook/views/dash"
)

// replicas is a replicator whose state a test sets.
type replicas struct {
	upkeep.ReplicaTarget
	test  error // of the test restore
	tests int
}

func (r *replicas) Targets() ([]upkeep.ReplicaTarget, bool) {
	return []upkeep.ReplicaTarget{r.ReplicaTarget}, true
}

func (r *replicas) TestRestore(context.Context) error {
	r.tests++
	return r.test
}

// An owner sees on Today that a copy of the database lags for more than an hour, and that it could not be brought back.
func TestReplicaTrouble(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	now := func() when.Instant { return when.At(w.Clock.Now()) }
	r := &replicas{ReplicaTarget: upkeep.ReplicaTarget{Name: "s3://salon/copies", Synced: now()}}
	note := func(text ...string) {
		t.Helper()
		w.Must(w.Upkeep.NoteReplicas(t.Context(), r))
		b.wants(b.get(dash.TodayPath), 200, text...)
	}
	note("!The copy of your data", "!can be brought back")
	if r.tests != 1 {
		t.Errorf("%d test restores", r.tests)
	}
	r.Problem, r.Since = "connection refused", now()
	note("!The copy of your data")
	w.Clock.Advance(2 * time.Hour)
	note("The copy of your data at salon is not complete: connection refused", "complete 2 hours ago")
	r.Problem, r.Since, r.Synced, r.test = "", 0, now(), errors.New("a page is damaged")
	note("!The copy of your data")
	w.Clock.Advance(24 * time.Hour)
	note("brought back failed: a page is damaged")
	if r.tests != 2 {
		t.Errorf("%d test restores in a day", r.tests)
	}
	w.Clock.Advance(6 * time.Hour)
	r.test = nil
	note("!brought back failed")
	noted, err := w.Upkeep.Replicas(t.Context())
	w.Must(err)
	if r.tests != 3 || noted.Verified != now() || noted.Problem != "" {
		t.Errorf("after %d tests: %+v", r.tests, noted)
	}
	r.Problem, r.Since = "gone", now()
	w.Must(w.Upkeep.NoteReplicas(t.Context(), r))
	w.Clock.Advance(4 * 24 * time.Hour)
	b.wants(w.asOwner().get(dash.TodayPath), 200, "not been tested for days", "The copy of your data")
}
