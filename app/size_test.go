package app_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// packageLimit is how many lines a package may have that people wrote: without tests and generated code.
const packageLimit = 2500

// oversize are the packages that were over the limit when the law was made, with their lines rounded up to the next
// hundred. They may not grow. Lower a figure when its package has shrunk; add no package: divide it.
var oversize = map[string]int{}

// No package outgrows what one person can hold in mind.
func TestPackageSize(t *testing.T) {
	lines := map[string]int{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if strings.HasPrefix(name, ".") && name != ".." || name == "node_modules" || name == "testdata" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if generated(content) {
			return nil
		}
		pkg, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			return err
		}
		lines[filepath.ToSlash(pkg)] += bytes.Count(content, []byte("\n"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, n := range lines {
		limit, listed := oversize[pkg]
		switch {
		case listed && n > limit:
			t.Errorf("%s has %d lines and may not grow over %d: divide it, or put what is new into another package", pkg, n, limit)
		case listed && n <= packageLimit:
			t.Errorf("%s has only %d lines: take it off the list of packages that are over the limit", pkg, n)
		case !listed && n > packageLimit:
			t.Errorf("%s has %d lines, more than %d: divide it", pkg, n, packageLimit)
		}
	}
	for pkg := range oversize {
		if lines[pkg] == 0 {
			t.Errorf("%s is on the list of packages that are over the limit, but has no code", pkg)
		}
	}
	if lines["app/dashboard/web"] == 0 || len(lines) < 20 {
		t.Errorf("only %d packages were looked at", len(lines))
	}
}

// generated reports whether the first lines carry the mark of generated code.
func generated(content []byte) bool {
	head, _, _ := bytes.Cut(content, []byte("\npackage "))
	for line := range bytes.Lines(head) {
		if text := strings.TrimSpace(string(line)); strings.HasPrefix(text, "// Code generated ") && strings.HasSuffix(text, "DO NOT EDIT.") {
			return true
		}
	}
	return false
}
