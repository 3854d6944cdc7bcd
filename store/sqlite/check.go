package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
)

// CheckQuickly implements engine.Engine. It is CheckIntegrity without the comparison of every index with its table,
// which takes most of the time.
func (db *DB) CheckQuickly(ctx context.Context) error {
	var found string
	if err := db.side.GetContext(ctx, &found, "PRAGMA quick_check(1)"); err != nil {
		return explain(db.o.Path, err)
	}
	if found != "ok" {
		return fmt.Errorf("%s is damaged: %s", filepath.Base(db.o.Path), found)
	}
	return checkReferences(ctx, db.side, db.o.Path)
}
