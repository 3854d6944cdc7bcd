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

func (s *stopped) TestRestore(ctx context.Context) error {
	s.stop(errors.New("terminated signal received"))
	<-ctx.Done()
	return ctx.Err()
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
