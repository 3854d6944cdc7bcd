package replica

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/benbjohnson/litestream"
	"github.com/superfly/ltx"
)

// Moments are what a target can bring back.
type Moments struct {
	Database  string
	Encrypted bool
	First     time.Time   // the first moment of which something is kept
	Last      time.Time   // the last one
	Snapshots []time.Time // of the whole database
	Files     int
	Bytes     int64
}

// Plan is what a restore would bring back.
type Plan struct {
	At    time.Time // of the last transaction in it
	Files int       // to read
	Bytes int64     // of them
	infos []*ltx.FileInfo
}

// Look reads which moments a target has. It fails with ErrEmpty or ErrKey in the error.
func Look(ctx context.Context, o Objects, key *Key) (m Moments, err error) {
	n, err := readOwner(ctx, o)
	if err != nil {
		return m, about(o, err)
	}
	m = Moments{Database: n.Database, Encrypted: n.Key != ""}
	for level := range levels {
		all, err := list(ctx, o, level)
		if err != nil {
			return m, about(o, err)
		}
		for _, f := range all {
			if level == snapshots || f.min == 1 {
				m.Snapshots = append(m.Snapshots, f.at)
			}
			if m.Last.Before(f.at) {
				m.Last = f.at
			}
			m.Files++
			m.Bytes += f.stored
		}
	}
	for _, at := range m.Snapshots {
		if m.First.IsZero() || at.Before(m.First) {
			m.First = at
		}
	}
	return m, nil
}

// Try tells whether a server could keep copies of this database at a target: it answers, is nobody else's, has this key,
// and can be written. ErrEmpty is in the error of one that could, and has nothing yet.
func Try(ctx context.Context, o Objects, database string, key *Key) error {
	n, err := readOwner(ctx, o)
	empty := errors.Is(err, ErrEmpty)
	switch {
	case empty:
	case err != nil:
		return about(o, err)
	case database != "" && n.Database != database:
		return about(o, ErrOther)
	default:
		if err := n.fits(o, key); err != nil {
			return err
		}
	}
	if empty { // a bucket may say of an object that it isn't there although nothing in it may be read
		if err := o.List(ctx, filesPrefix, func(Object) error { return nil }); err != nil {
			return about(o, err)
		}
	}
	if _, err := o.Compares(ctx); err != nil {
		return about(o, err)
	}
	if empty {
		return about(o, ErrEmpty)
	}
	return nil
}

func about(o Objects, err error) error { return fmt.Errorf("%s: %w", o, err) }

// PlanOf says what a restore of the moment at would bring back; the zero time is the last moment. Transactions from the
// half second (or half minute, when it is long ago) in which at lies may be missing.
func PlanOf(ctx context.Context, o Objects, key *Key, at time.Time) (p Plan, err error) {
	n, err := readOwner(ctx, o)
	if err == nil {
		err = n.fits(o, key)
	}
	if err != nil {
		return p, about(o, err)
	}
	if !at.IsZero() {
		at = at.Truncate(time.Millisecond).Add(time.Millisecond) // Litestream takes what is before, files have milliseconds
	}
	p.infos, err = litestream.CalcRestorePlan(ctx, reader(o, key), 0, at, quiet)
	if errors.Is(err, litestream.ErrTxNotAvailable) {
		return p, tooEarly(ctx, o, key)
	}
	if err != nil {
		return p, about(o, err)
	}
	for _, x := range p.infos {
		p.Files++
		p.Bytes += x.Size
		p.At = x.CreatedAt
	}
	if p.infos[0].MinTXID != 1 {
		return p, tooEarly(ctx, o, key)
	}
	return p, nil
}

// tooEarly says which moments there are.
func tooEarly(ctx context.Context, o Objects, key *Key) error {
	m, err := Look(ctx, o, key)
	if err != nil {
		return err
	}
	if m.First.IsZero() {
		return fmt.Errorf("%s: %w that is complete yet", o, ErrEmpty)
	}
	return fmt.Errorf("%s does not go back to that moment; it has those from %s to %s", o,
		m.First.Format(time.RFC3339), m.Last.Format(time.RFC3339))
}

// Fetch writes the database as it was at a moment into a new file, readable by its owner only. Each file of the replica
// has a checksum; whether the database is sound is for the caller to check.
func Fetch(ctx context.Context, o Objects, key *Key, at time.Time, path string) (p Plan, err error) {
	if p, err = PlanOf(ctx, o, key, at); err != nil {
		return p, err
	}
	r := litestream.NewReplicaWithClient(nil, reader(o, key))
	err = r.Restore(ctx, litestream.RestoreOptions{OutputPath: path, TXID: p.infos[len(p.infos)-1].MaxTXID,
		Parallelism: litestream.DefaultRestoreParallelism})
	if err != nil {
		return p, about(o, err)
	}
	return p, os.Chmod(path, 0o600)
}

// reader returns a set of one target to read from.
func reader(o Objects, key *Key) *set {
	return &set{members: []*member{{Objects: o}}, key: key, log: quiet}
}

// quiet drops what Litestream says.
var quiet = slog.New(slog.DiscardHandler)
