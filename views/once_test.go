package views

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Each component says that it isn't to be copied into its callers, see the package's comment.
func TestComponentsAreCompiledOnce(t *testing.T) {
	files, err := filepath.Glob("*.templ")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("*/*.templ")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 || len(below) == 0 {
		t.Fatalf("found %d and %d files of components", len(files), len(below))
	}
	component := regexp.MustCompile(`(?m)^(.*)\ntempl (.+)\(.*$`)
	for _, name := range append(files, below...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range component.FindAllSubmatch(text, -1) {
			if string(m[1]) != "//go:noinline" {
				t.Errorf("%s: write //go:noinline above %s", name, m[2])
			}
		}
	}
}
