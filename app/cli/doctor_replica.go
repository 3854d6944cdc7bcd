package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"daybook/store/engine"
	"daybook/store/replica"
)

// checkReplicas tries the replicas that are given: whether they answer, are this database's, and can be written.
func checkReplicas(ctx context.Context, t *target) (all []result) {
	f := &replicaFlags{}
	f.urls, _ = t.server.Flags.GetStringArray("replica")
	f.keyFile, _ = t.server.Flags.GetString("replica-key-file")
	if len(f.urls) == 0 {
		return nil
	}
	if t.flags.OnServer() {
		return []result{fail("replica", "--replica is for SQLite; PostgreSQL replicates itself.", "Leave --replica out.")}
	}
	key, err := f.key()
	if err != nil {
		return []result{fail("replica", err.Error(), "")}
	}
	if key == nil {
		all = append(all, warn("replica", inClear, inClearAdvice))
	}
	database := "" // unknown
	if t.Set != nil {
		database, err = t.Set.Upkeep.DatabaseID(ctx)
		if errors.Is(err, engine.ErrReadOnly) { // it has none, since nothing has kept copies of it yet
			database, err = "none", nil
		}
		if err != nil {
			return append(all, fail("replica", err.Error(), ""))
		}
	}
	tried := make([]result, len(f.urls))
	var each sync.WaitGroup
	for i, url := range f.urls {
		each.Go(func() { tried[i] = tryReplica(ctx, url, database, key) })
	}
	each.Wait()
	return append(all, tried...)
}

const (
	inClear       = "The copies are not encrypted: who can read them has all customers and bookings."
	inClearAdvice = "Make a key by `daybook replicas key FILE`, and give it as --replica-key-file with an empty place."
)

func tryReplica(ctx context.Context, url, database string, key *replica.Key) result {
	ctx, stop := context.WithTimeout(ctx, replicaTime)
	defer stop()
	o, err := openTarget(url)
	if err != nil {
		return fail("replica", err.Error(), "")
	}
	done := make(chan error, 1)
	go func() { done <- replica.Try(ctx, o, database, key) }()
	select {
	case err = <-done:
	case <-ctx.Done(): // a disk of a network that is gone may hang for longer
		err = fmt.Errorf("%s: it does not answer in time", o)
	}
	switch {
	case err == nil:
		return fine("replica", "%s answers, has this database's copies and can be written", o)
	case errors.Is(err, replica.ErrEmpty):
		return fine("replica", "%s answers and can be written; it has nothing yet", o)
	}
	return fail("replica", err.Error(), "Check the address, its keys and that its disk is mounted; serve would go on without "+
		"these copies, or refuse to start.")
}
