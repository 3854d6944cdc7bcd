package upkeep_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"daybook/app/apptest"
	"daybook/app/subjects"
	"daybook/app/upkeep"
	"daybook/app/when"
)

// stopped is a replicator whose test restore is under way when the server is told to stop, as by SIGTERM.
type stopped struct{ stop context.CancelCauseFunc }

func (s *stopped) Targets() ([]upkeep.ReplicaTarget, bool) {
	return []upkeep.ReplicaTarget{{Name: "file:///mnt/copy", Synced: when.At(time.Now())}}, true
}

func (s *stopped) TestRestore(ctx context.Context) (string, error) {
	s.stop(errors.New("terminated signal received"))
	<-ctx.Done()
	return "", ctx.Err()
}

// A server that stops amid a test restore says nothing of it, and notes no failure.
func TestStopAmidTestRestore(t *testing.T) {
	var said bytes.Buffer
	s := apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		c.Logger = slog.New(slog.NewTextHandler(&said, nil))
	}})
	ctx, stop := context.WithCancelCause(t.Context())
	s.Upkeep.NoteReplicas(ctx, &stopped{stop}) // nothing can be noted any more
	if said.Len() > 0 {
		t.Errorf("the log says %s", &said)
	}
	noted, err := s.Upkeep.Replicas(t.Context())
	if s.Must(err); noted.Problem != "" || noted.Tried != 0 {
		t.Errorf("noted: %+v", noted)
	}
}

// begun is a replicator that has just begun.
type begun struct{}

func (begun) Targets() ([]upkeep.ReplicaTarget, bool) {
	return []upkeep.ReplicaTarget{{Name: "file:///mnt/copy"}}, true
}

func (begun) TestRestore(context.Context) (string, error) { return "", nil }

// Replicas are known soon after the start, to `replicas list` and the other servers, not only at the first of the looks
// that follow.
func TestReplicasAreNotedSoon(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Upkeep.WatchReplicas(ctx, begun{}) }()
	defer func() { stop(); s.Must(<-ended) }()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		noted, err := s.Upkeep.Replicas(t.Context())
		s.Must(err)
		if len(noted.Targets) == 1 {
			return
		}
		if time.Since(began) > 8*time.Second {
			t.Fatal("nothing was noted within 8 s")
		}
	}
}
