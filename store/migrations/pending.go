package migrations

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// The errors of Pending and of the engines, for errors.Is. Their messages say what to do.
var (
	ErrOlder   = errors.New("the database needs a migration")
	ErrNewer   = errors.New("the database is of a newer version")
	ErrForeign = errors.New("not a Daybook database")
	ErrChanged = errors.New("a released migration was changed")
	ErrServed  = errors.New("a server runs that the migration does not allow")
)

// Applied is a row of schema_migrations, a table that every engine has.
type Applied struct {
	Version     int    `db:"version"`
	Name        string `db:"name"`
	Checksum    string `db:"checksum"`
	AppliedAtMS int64  `db:"applied_at_ms"`
	Allows      int    `db:"allows"` // Migration.Allows; only PostgreSQL stores it
}

// State is one migration that this binary or the database has, or both.
type State struct {
	Version     int
	Name        string
	AppliedAtMS int64 // 0: pending
	Waiting     bool  // pending, and only Engine.Contract applies it
}

// Status lists every migration in order: those of the set, and those that only the database has.
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

// Check fails unless the database at db, which has that many tables, has the schema of the set, or a newer one that
// allows this binary (see Pending). The error wraps ErrOlder, ErrNewer, ErrForeign or ErrChanged, and says what to do.
// Contract migrations may be pending.
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

// Pending lists the migrations that the database at db does not have, in order. One may be older than some that it
// has, when two people wrote one each at the same time. A migration that this binary does not know is an error, unless
// it allows binaries that have a certain migration and this binary has that one.
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
			return nil, fmt.Errorf("%s was last used by a newer Daybook (it has %s, which this one does not know); install "+
				"that version, or restore a snapshot: %w",
				name, r.Name, ErrNewer)
		}
		if r.Checksum != m.Checksum {
			return nil, fmt.Errorf("%s got %s in another wording than this Daybook's %s; use the Daybook that made it: %w",
				name, r.Name, m.Name, ErrChanged)
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

// Expanding returns the set without contract migrations. A database in use gets those only on request.
func (s Set) Expanding() Set {
	return slices.DeleteFunc(slices.Clone(s), func(m Migration) bool { return m.Contract })
}

// Versions lists the versions of the set in order.
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

// Newest returns the version of the last migration; 0 of an empty set.
func (s Set) Newest() int {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].Version
}
