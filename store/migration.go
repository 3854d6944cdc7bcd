package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// migration is one step of the schema. Its text never changes once released: checksum notices when it did.
//
// The runner is our own because goose drifts modernc.org/libc from the version that modernc.org/sqlite was made with
// and adds half a megabyte, for what is a hundred lines here; and because all that is pending can then be one
// transaction, with the snapshot taken under the same lock.
type migration struct {
	version  int
	name     string // the file's: 0001_start.sql
	sql      string
	checksum string
}

// loadMigrations reads the .sql files at the root of fsys, which must be numbered 0001, 0002, … without a gap.
func loadMigrations(fsys fs.FS) ([]migration, error) {
	if fsys == nil {
		return nil, nil
	}
	names, err := fs.Glob(fsys, "*.sql") // sorted
	if err != nil {
		return nil, err
	}
	var all []migration
	for i, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		number, _, _ := strings.Cut(path.Base(name), "_")
		if v, err := strconv.Atoi(number); err != nil || v != i+1 || len(number) != 4 {
			return nil, fmt.Errorf("migration %s: expected %04d_name.sql", name, i+1)
		}
		sum := sha256.Sum256(text)
		all = append(all, migration{version: i + 1, name: name, sql: string(text), checksum: hex.EncodeToString(sum[:])})
	}
	return all, nil
}
