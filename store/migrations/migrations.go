// package migrations holds the steps of the schema, a folder for each engine, and tells which of them a database still
// needs. The engine applies them.
package migrations

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

//go:embed sqlite postgres
var files embed.FS

// SQLite are the steps for package sqlite.
func SQLite() fs.FS { return folder("sqlite") }

// Postgres are the steps for package postgres. The first makes what SQLite's first ten come to.
func Postgres() fs.FS { return folder("postgres") }

func folder(name string) fs.FS {
	dir, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return dir
}

// Migration is one step of the schema. Its text never changes once released: Checksum notices when it did.
//
// The runner is our own because goose drifts modernc.org/libc from the version that modernc.org/sqlite was made with
// and adds half a megabyte, for what is a hundred lines here; and because all that is pending can then be one
// transaction, with the snapshot taken under the same lock.
type Migration struct {
	Version  int
	Name     string // the file's: 202611211540_refund_amounts.sql
	SQL      string
	Checksum string
	Allows   int  // what its line "-- Allows: 202611211948" says, see Set.Pending; 0 is nothing
	Contract bool // it has the line "-- Contract", see Set.Expanding
}

// On PostgreSQL, servers of two versions may share a database. allows is the line by which a step says which older
// binaries go on working on what it makes: those that have the step of that time. "none" stops them all.
var allows = regexp.MustCompile(`(?m)^-- Allows: (none|\d{12})$`)

// contract is the line of a step that removes what an older binary needs. The binary that brings such a step works
// with it and without it, and so do the steps that are written after it.
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

// Set is migrations in their order.
type Set []Migration

// Load reads the .sql files at the root of fsys. Their names begin with the minute they were written at, YYYYMMDDhhmm,
// so that two people who write one each do not collide; the first five are numbered 0001 to 0005.
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
			return nil, fmt.Errorf("migrations %s and %s have the same time: give one of them the minute after", all[i-1].Name, name)
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
