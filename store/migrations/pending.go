package migrations

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// What Pending and the engines' checks find, to be told apart with errors.Is; the message says what to do.
var (
	ErrOlder   = errors.New("the database needs a migration")
	ErrNewer   = errors.New("the database is of a newer version")
	ErrForeign = errors.New("not a Daybook database")
	ErrChanged = errors.New("a released migration was changed")
	ErrServed  = errors.New("a server runs that the migration does not allow")
)

// Applied is a row of schema_migrations, which every engine has.
type Applied struct {
	Version     int    `db:"version"`
	Name        string `db:"name"`
	Checksum    string `db:"checksum"`
	AppliedAtMS int64  `db:"applied_at_ms"`
	Allows      int    `db:"allows"` // of the migration; only PostgreSQL keeps it
}

// State is one migration: of this binary, of the database, or of both.
type State struct {
	Version     int
	Name        string
	AppliedAtMS int64 // 0: pending
	Waiting     bool  // pending, and applied by Engine.Contract alone
}

// Status lists every migration in order: those of the set, and what the database has beyond it.
func (s Set) Status(rows []Applied) []State {
	var all []State
	done := map[int]bool{}
	for _, r := range rows {
		all = append(all, State{Version: r.Version, Name: r.Name, AppliedAtMS: r.AppliedAtMS})
		done[r.Version] = true
	}
	for _, m := range s {
		if !done[m.Version] {
			all = append(all, State{Version: m.Version, Name: m.Name, Waiting: m.Contract && len(rows) > 0})
		}
	}
	slices.SortStableFunc(all, func(a, b State) int { return cmp.Compare(a.Version, b.Version) })
	return all
}

// Check fails when the schema of the database at db, which has so many tables, is not the set's, nor a newer one that
// allows this binary (see Pending): ErrOlder, ErrNewer, ErrForeign or ErrChanged, in a message that says what to do.
// Contract steps may be pending.
func (s Set) Check(db string, rows []Applied, tables int) error {
	pending, err := s.Pending(db, rows, tables)
	if err != nil {
		return err
	}
	if len(pending.Expanding()) > 0 {
		return fmt.Errorf("%s has %d of %d migrations; run `daybook migrate up --db %s`: %w",
			filepath.Base(db), len(rows), len(s), db, ErrOlder)
	}
	return nil
}

// Pending are the migrations that the database at db has not got, in order. One may be older than some that it has:
// two were written side by side. A migration that this binary does not know is no error if it allows binaries with one
// that this binary has.
func (s Set) Pending(db string, rows []Applied, tables int) (Set, error) {
	name := filepath.Base(db)
	if len(rows) == 0 && tables > 0 {
		return nil, fmt.Errorf("%s holds another program's tables; name another file with --db: %w", name, ErrForeign)
	}
	missing := map[int]Migration{}
	for _, m := range s {
		missing[m.Version] = m
	}
	for _, r := range rows {
		m, ok := missing[r.Version]
		if !ok && s.has(r.Allows) {
			continue
		}
		if !ok {
			return nil, fmt.Errorf("%s was last used by a newer Daybook (it has %s, which this one does not know); install that version, or restore a snapshot: %w",
				name, r.Name, ErrNewer)
		}
		if r.Checksum != m.Checksum {
			return nil, fmt.Errorf("%s got %s in another wording than this Daybook's %s; use the Daybook that made it: %w", name, r.Name, m.Name, ErrChanged)
		}
		delete(missing, r.Version)
	}
	var pending Set
	for _, m := range s {
		if _, ok := missing[m.Version]; ok {
			pending = append(pending, m)
		}
	}
	return pending, nil
}

// Expanding are the steps of the set without the contract steps: all that a database in use is given without being
// asked.
func (s Set) Expanding() Set {
	return slices.DeleteFunc(slices.Clone(s), func(m Migration) bool { return m.Contract })
}

// Versions are the set's versions in order.
func (s Set) Versions() []int64 {
	all := make([]int64, len(s))
	for i, m := range s {
		all[i] = int64(m.Version)
	}
	return all
}

func (s Set) has(version int) bool {
	return slices.ContainsFunc(s, func(m Migration) bool { return m.Version == version })
}
