package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The nouns' SQL is one text for every engine: nothing in it is SQLite's own.
func TestSQLIsPortable(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	own := regexp.MustCompile(`(?i)\b(PRAGMA|sqlite_\w+|json_\w+\(|instr\(|strftime\(|julianday\(|INSERT OR \w+|REPLACE INTO|rowid|INDEXED BY|COLLATE NOCASE|GLOB|IFNULL|WITHOUT)\b|modernc\.org|sqlite3`)
	comment := regexp.MustCompile(`(?m)//.*$`)
	looked := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		looked++
		for i, line := range strings.Split(comment.ReplaceAllString(string(text), ""), "\n") {
			if found := own.FindString(line); found != "" {
				t.Errorf("%s:%d: %s is SQLite's own; put it into the engine, or say it in Go", name, i+1, found)
			}
		}
	}
	if looked < 20 {
		t.Errorf("only %d files were looked at", looked)
	}
}
