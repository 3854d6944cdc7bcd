package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"daybook/app/cli/console"
	"daybook/app/upkeep"
	"daybook/app/when"
	"daybook/store/engine"
	"daybook/store/replica"
	"daybook/store/replica/s3"
	"daybook/store/sqlite"
)

// replicaFlags say where the database is replicated to.
type replicaFlags struct {
	urls    []string
	keyFile string
	keep    time.Duration
}

// Add adds the flags of a server.
func (f *replicaFlags) Add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.urls, "replica", nil, "keep a copy, seconds old, at file:///directory or "+
		"s3://bucket/path?endpoint=…&region=…; may be repeated (SQLite only)")
	f.AddKey(flags)
	flags.DurationVar(&f.keep, "replica-retention", replica.DefaultKeep, "how far back the copies can bring the database")
}

// AddKey adds the flag for the key alone.
func (f *replicaFlags) AddKey(flags *pflag.FlagSet) {
	flags.StringVar(&f.keyFile, "replica-key-file", "",
		"encrypt the copies with the key in this file; `daybook replicas key FILE` makes one")
}

var replicaSchemes = map[string]replica.Opener{"file": replica.OpenFolder, "s3": s3.Open}

// openTarget makes the target of an address.
func openTarget(url string) (replica.Objects, error) {
	o, err := replica.Open(url, replicaSchemes)
	if err != nil {
		return nil, console.Usagef("%v", err)
	}
	return o, nil
}

func (f *replicaFlags) key() (*replica.Key, error) {
	if f.keyFile == "" {
		return nil, nil
	}
	text, err := readPrivate(f.keyFile, "replica's key")
	if err != nil {
		return nil, fmt.Errorf("--replica-key-file: %w", err)
	}
	return replica.ParseKey(text)
}

// replicated is a database that is being replicated.
type replicated struct {
	*replica.Replica
	Key  string // the public part of the one that encrypts it; "" for none
	db   *sqlite.DB
	days int // that copies are kept
}

// startReplica prepares what the flags ask for: nil where they name no replica. It fails when a target has another
// database's replica or another key; one that doesn't answer is tried again while Run runs.
func startReplica(ctx context.Context, e engine.Engine, f *replicaFlags, id string,
	log *slog.Logger) (*replicated, error) {
	if len(f.urls) == 0 {
		if f.keyFile != "" {
			return nil, console.Usagef("--replica-key-file encrypts the copies of --replica; give that, too")
		}
		return nil, nil
	}
	db, ok := e.(*sqlite.DB)
	if !ok {
		return nil, console.Usagef("--replica is for SQLite; PostgreSQL replicates itself")
	}
	if f.keep < when.Day {
		return nil, console.Usagef("--replica-retention is at least 24h")
	}
	c := replica.Config{Path: db.Path(), Database: id, Keep: f.keep, Log: log, DB: db}
	var err error
	if c.Key, err = f.key(); err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, url := range f.urls {
		o, err := openTarget(url)
		if err != nil {
			return nil, err
		}
		if named[o.String()] {
			return nil, console.Usagef("--replica names %s twice", o)
		}
		named[o.String()] = true
		c.Targets = append(c.Targets, o)
	}
	if c.Key == nil {
		log.Warn(inClear, "action", inClearAdvice)
	}
	r := replica.New(c)
	if err := r.Check(ctx); err != nil {
		return nil, err
	}
	return &replicated{r, c.Key.Public(), db, int((f.keep + when.Day - 1) / when.Day)}, db.Replicate(r)
}

// Targets implements upkeep.Replicator.
func (r *replicated) Targets() (all []upkeep.ReplicaTarget, leads bool) {
	s := r.Status()
	for _, t := range s.Targets {
		x := upkeep.ReplicaTarget{Name: t.Name, Problem: t.Problem, Days: r.days}
		if !t.Synced.IsZero() {
			x.Synced = when.At(t.Synced)
		}
		if !t.Since.IsZero() {
			x.Since = when.At(t.Since)
		}
		all = append(all, x)
	}
	return all, s.Leading
}

// TestRestore implements upkeep.Replicator.
func (r *replicated) TestRestore(ctx context.Context) (string, error) {
	return r.Replica.TestRestore(ctx, r.db)
}

var _ upkeep.Replicator = (*replicated)(nil)

// whyNot says why nothing can be restored.
func whyNot(err error) error {
	if errors.Is(err, replica.ErrEmpty) {
		return fmt.Errorf("%w; name the address that `daybook serve --replica` has", err)
	}
	return err
}
