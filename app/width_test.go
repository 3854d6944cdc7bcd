package app_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// widthLimit is how many columns a line of code may have; a tab counts as one.
const widthLimit = 120

// wide are the files that may have longer lines: texts that must not be broken, such as instructions for agents,
// commands to copy, style sheets in a mail and tables of words.
var wide = map[string]bool{
	"app/agent/tools.go": true, "app/agentsetup/agentsetup.go": true, "app/cli/connections/payments.go": true,
	"app/cli/server/demo.go": true, "app/dashboard/door.go": true,
	"app/demo/people.go": true, "app/rest/docs/docs.css": true,
	"views/mail.go": true, "app/cli/doc.go": true,
}

// Lines that people wrote fit side by side in a review: in Go, scripts and style sheets none outside of tests is longer
// than 120 columns.
func TestLineWidth(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if strings.HasPrefix(name, ".") && name != ".." && name != ".bench" || name == "node_modules" ||
				name == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		switch filepath.Ext(file) {
		case ".go":
			if strings.HasSuffix(file, "_test.go") {
				return nil
			}
		case ".js", ".css":
		default:
			return nil
		}
		rel, err := filepath.Rel("..", file)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		content, err := os.ReadFile(file)
		if err != nil || wide[rel] || generated(content) {
			return err
		}
		files++
		n := 0
		for line := range bytes.Lines(content) {
			n++
			if width := utf8.RuneCount(bytes.TrimRight(line, "\n")); width > widthLimit {
				t.Errorf("%s:%d has %d columns, more than %d: break the line", rel, n, width, widthLimit)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 200 {
		t.Errorf("only %d files were looked at", files)
	}
}
