package store_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// ofSQLite are words that only SQLite understands. MAX and MIN of several values are no functions elsewhere.
	ofSQLite = regexp.MustCompile(`(?i)\b(PRAGMA|sqlite_\w+|INSERT OR \w+|REPLACE INTO|rowid|INDEXED BY|COLLATE NOCASE|GLOB|IFNULL|WITHOUT)\b` +
		`|\b(json_\w+|instr|strftime|julianday)\(|\b(?-i:MAX|MIN)\([^()]*,|modernc\.org|sqlite3`)
	comment   = regexp.MustCompile(`(?m)//.*$`)
	inSQL     = regexp.MustCompile(`/\*.*?\*/`)
	claimMark = regexp.MustCompile("^/\\* claim ([a-z_]+|`\\+q\\.table\\+`) \\*/$")
	apartMark = regexp.MustCompile(`^/\* apart ((AND )?[a-z.]*workspace_id = [a-z]\.workspace_id|[a-z.]*workspace_id,|, workspace_id|, \$\d+) \*/$`)
	apartTerm = regexp.MustCompile(`/\* apart [a-z.]*workspace_id = \*/ \? > 0`)
)

// The nouns' SQL is one text for every engine: nothing in it is SQLite's own, and what stands in a comment for words
// that engines differ in is one that engines know (see engine.Dialect).
func TestSQLIsPortable(t *testing.T) {
	looked, claims := 0, 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path == "sqlite" || path == "postgres" || path == "migrations" || strings.HasSuffix(path, "test") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		looked++
		for i, line := range strings.Split(comment.ReplaceAllString(string(text), ""), "\n") {
			if found := ofSQLite.FindString(line); found != "" {
				t.Errorf("%s:%d: %s is SQLite's own; put it into the engine, or say it in Go", path, i+1, found)
			}
			for _, mark := range inSQL.FindAllString(apartTerm.ReplaceAllString(line, ""), -1) {
				claims++
				if !claimMark.MatchString(mark) && !apartMark.MatchString(mark) {
					t.Errorf("%s:%d: no engine knows %s", path, i+1, mark)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if looked < 20 || claims < 2 {
		t.Errorf("only %d files were looked at, with %d claims", looked, claims)
	}
}
