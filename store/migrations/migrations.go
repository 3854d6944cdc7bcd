// Package migrations holds the schema's migrations, one folder per engine, and tells which ones a database still
// needs. The engine applies them.
//
// A migration is one file in each folder, of the same name: the time as YYYYMMDDhhmm and what it does. Its first lines
// say what an older program may still do beside it (see Migration); once released, its text never changes.
package migrations

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed sqlite postgres
var files embed.FS

// SQLite returns the folder of migrations for package sqlite.
func SQLite() fs.FS { return folder("sqlite") }

// Postgres returns the folder of migrations for package postgres. Its first one makes the same schema as the first ten
// of SQLite.
func Postgres() fs.FS { return folder("postgres") }

// more has files besides the embedded ones; nil has none.
var more fs.FS

// Extend adds the files in the folders sqlite and postgres of fsys, such as those of a version to come. A file that is
// embedded stays as it is. Only tests call Extend, before a database is opened.
func Extend(fsys fs.FS) { more = fsys }

func folder(name string) fs.FS {
	dir, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // the folder is embedded above
	}
	if more == nil {
		return dir
	}
	added, err := fs.Sub(more, name)
	if err != nil {
		panic(err) // the names above are valid paths
	}
	return extended{dir, added}
}

// extended has the files of both. Where both have one, it is the first's.
type extended [2]fs.FS

// Open implements fs.FS.
func (e extended) Open(name string) (fs.File, error) {
	file, err := e[0].Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return e[1].Open(name)
	}
	return file, err
}

// ReadDir implements fs.ReadDirFS.
func (e extended) ReadDir(name string) (all []fs.DirEntry, err error) {
	for _, fsys := range e {
		entries, err := fs.ReadDir(fsys, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		all = append(all, entries...)
	}
	slices.SortStableFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return slices.CompactFunc(all, func(a, b fs.DirEntry) bool { return a.Name() == b.Name() }), nil
}

// Migration is one step of the schema. Its text never changes once it is released; Checksum shows whether it did.
//
// We do not use goose: it pulls in another version of modernc.org/libc than modernc.org/sqlite was built with, and
// adds half a megabyte to save a hundred lines. Our runner also applies all pending migrations in one transaction and
// takes the snapshot under the same lock.
type Migration struct {
	Version  int
	Name     string // the file's: 202611211540_refund_amounts.sql
	SQL      string
	Checksum string
	Allows   int  // what its line "-- Allows: 202611211948" says, see Set.Pending; 0 allows no older binary
	Contract bool // it has the line "-- Contract", see Set.Expanding
}

// allows matches the line that names the oldest binaries that still work on the migrated database: those that have the
// migration of that time. "none" allows no older binary. Only PostgreSQL needs it, where servers of several versions
// may share a database.
var allows = regexp.MustCompile(`(?m)^-- Allows: (none|\d{12})$`)

// contract matches the line of a migration that removes what older binaries need. The binary that brings such a
// migration works with it and without it, and so do all migrations written later.
var contract = regexp.MustCompile(`(?m)^-- Contract$`)

func allowed(sql string) int {
	m := allows.FindStringSubmatch(sql)
	if m == nil || m[1] == "none" {
		return 0
	}
	version, err := strconv.Atoi(m[1])
	if err != nil {
		panic(err) // it has 12 digits
	}
	return version
}

// Set is a list of migrations in order.
type Set []Migration

// Load reads the .sql files at the root of fsys. A name begins with the minute in which the file was written,
// YYYYMMDDhhmm, so that the files of two people do not collide. The first five are numbered 0001 to 0005 instead.
func Load(fsys fs.FS) (Set, error) {
	names, err := fs.Glob(fsys, "*.sql") // sorted
	if err != nil {
		return nil, err
	}
	var all Set
	for i, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		version, err := versionOf(name, i+1)
		if err != nil {
			return nil, err
		}
		if i > 0 && all[i-1].Version == version {
			return nil, fmt.Errorf("migrations %s and %s have the same time: give one of them the minute after",
				all[i-1].Name, name)
		}
		sum := sha256.Sum256(text)
		all = append(all, Migration{Version: version, Name: name, SQL: string(text), Checksum: hex.EncodeToString(sum[:]),
			Allows: allowed(string(text)), Contract: contract.Match(text)})
	}
	return all, nil
}

func versionOf(name string, place int) (int, error) {
	number, _, _ := strings.Cut(path.Base(name), "_")
	if _, err := time.Parse("200601021504", number); err == nil {
		return strconv.Atoi(number)
	}
	if v, err := strconv.Atoi(number); err != nil || v != place || len(number) != 4 {
		return 0, fmt.Errorf("migration %s: expected a name such as 202611211540_name.sql", name)
	}
	return place, nil
}
