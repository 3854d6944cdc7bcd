package upkeep

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

const (
	databaseName = "database" // its id, for the replicas
	replicasName = "replicas" // what the server that replicates said last
)

// Replicas is the last report about the replicas by the server that replicates the database.
type Replicas struct {
	At       when.Instant    `json:"at"` // of the note
	Targets  []ReplicaTarget `json:"targets"`
	Verified when.Instant    `json:"verified,omitzero"` // the last test restore that went well
	Tried    when.Instant    `json:"tried,omitzero"`    // the last test restore
	Problem  string          `json:"problem,omitzero"`  // why it failed; "" if it didn't
}

// ReplicaTarget is a place that has a replica.
type ReplicaTarget struct {
	Name    string       `json:"name"`             // without secrets
	Synced  when.Instant `json:"synced,omitzero"`  // until when it has everything; 0 for never
	Problem string       `json:"problem,omitzero"` // why it doesn't have everything
	Since   when.Instant `json:"since,omitzero"`   // since when there is that problem
	Days    int          `json:"days,omitzero"`    // how far back it goes
}

// Replicator replicates the database that this process serves.
type Replicator interface {
	// Targets returns the state of the targets; leads is false while another process replicates.
	Targets() (all []ReplicaTarget, leads bool)
	// TestRestore restores the newest state from a target into a temporary file and compares it with the database. It returns
	// the target's name, with an error, too.
	TestRestore(ctx context.Context) (target string, err error)
}

const (
	replicasEvery = 10 * time.Second // the targets are looked at
	noteEvery     = time.Hour        // and noted, where nothing has changed
	testEvery     = 24 * time.Hour
	testAgain     = 6 * time.Hour // after a test restore that failed
	testTime      = 2 * time.Hour // that one may take
)

// DatabaseID returns the database's id, which is made at random at the first call. A copy of the database has the same
// id.
func (s *Service) DatabaseID(ctx context.Context) (id string, err error) {
	id, err = s.Reader(ctx).ServerValue(databaseName)
	if errors.Is(err, fault.ErrNotFound) {
		err = s.Quietly(ctx, func(tx Tx) (err error) {
			if err := tx.AddServerValue(databaseName, "db_"+strings.ToLower(rand.Text())); err != nil {
				return err
			}
			id, err = tx.ServerValue(databaseName)
			return err
		})
	}
	return id, err
}

// Replicas returns the last report; its At is 0 if the database was never replicated. In the process that
// replicates it is seconds old.
func (s *Service) Replicas(ctx context.Context) (Replicas, error) {
	noted, err := s.notedReplicas(ctx)
	if seen := s.seen.Load(); err == nil && seen != nil && seen.At > noted.At {
		noted.At, noted.Targets = seen.At, seen.Targets
	}
	return noted, err
}

func (s *Service) notedReplicas(ctx context.Context) (r Replicas, err error) {
	text, err := s.Reader(ctx).ServerValue(replicasName)
	if errors.Is(err, fault.ErrNotFound) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &r)
	}
	return r, err
}

// WatchReplicas saves the state of the replicas, for the commands and the other servers, and tests once a day that the
// newest copy can be restored, until ctx ends.
func (s *Service) WatchReplicas(ctx context.Context, r Replicator) error {
	for wait := time.Second; ; wait = min(2*wait, replicasEvery) { // soon at first: `replicas list` tells of what was noted
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		if err := s.NoteReplicas(ctx, r); err != nil && ctx.Err() == nil {
			s.Core.Log().Warn("how the replicas are can't be noted", "error", err)
		}
	}
}

// NoteReplicas saves the state of the replicas if it has changed, and tests one when that is due.
// While another process replicates it does nothing.
func (s *Service) NoteReplicas(ctx context.Context, r Replicator) error {
	targets, leads := r.Targets()
	if !leads {
		return nil
	}
	noted, err := s.notedReplicas(ctx)
	if err != nil {
		return err
	}
	now := when.At(s.Core.Now())
	next := noted
	next.At, next.Targets = now, targets
	tests := due(&next, now)
	for i := range targets { // what an earlier server sent is there
		at := slices.IndexFunc(noted.Targets, func(t ReplicaTarget) bool { return t.Name == targets[i].Name })
		if targets[i].Synced == 0 && at >= 0 {
			targets[i].Synced = noted.Targets[at].Synced
		}
	}
	s.seen.Store(&Replicas{At: now, Targets: targets})
	if tests {
		s.testRestore(ctx, r, &next)
	}
	if next.Tried == noted.Tried && now < noted.At.Add(noteEvery) && same(noted.Targets, targets) {
		return nil
	}
	return s.saveReplicas(ctx, &next)
}

func (s *Service) saveReplicas(ctx context.Context, r *Replicas) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return s.Quietly(ctx, func(tx Tx) error { return tx.SetServerValue(replicasName, string(text)) })
}

// same tells whether nothing has changed that is worth a note.
func same(a, b []ReplicaTarget) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Problem != b[i].Problem || (a[i].Synced == 0) != (b[i].Synced == 0) {
			return false
		}
	}
	return true
}

// due tells whether it is time for a test restore: there is something to restore, and the last one is a day ago.
func due(r *Replicas, now when.Instant) bool {
	for _, t := range r.Targets {
		if t.Problem != "" || t.Synced == 0 {
			continue
		}
		if r.Tried == 0 {
			return true
		}
		every := testEvery
		if r.Problem != "" {
			every = testAgain
		}
		return now >= r.Tried.Add(every)
	}
	return false
}

func (s *Service) testRestore(ctx context.Context, r Replicator, note *Replicas) {
	within, stop := context.WithTimeout(ctx, testTime)
	defer stop()
	target, err := r.TestRestore(within)
	if ctx.Err() != nil {
		return // the server stops, and the next one tries
	}
	note.Tried = when.At(s.Core.Now())
	if err != nil {
		note.Problem = err.Error()
		s.Core.Log().Error("the replica can't be brought back", "target", target, "error", err,
			"action", "see the line, and run: daybook restore --from URL --dry-run")
		return
	}
	note.Verified, note.Problem = note.Tried, ""
	s.Core.Log().Info("a test restore of the replica went well", "target", target)
}
