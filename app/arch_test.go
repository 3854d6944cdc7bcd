package app_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// doors are the packages through which the world comes in. They know app, and neither the store nor each other.
var doors = []string{"app/rest", "app/agent", "app/page", "app/dashboard", "app/feed", "app/decide"}

// forbidden says what a package (or the tree below it) must not import. Tests may import anything.
func forbidden(pkg, imported string) bool {
	switch {
	case slices.Contains(doors, pkg):
		return imported == "daybook/store" || imported != "daybook/"+pkg && slices.Contains(doors, strings.TrimPrefix(imported, "daybook/"))
	case pkg == "app/slot", pkg == "app/money", pkg == "app/address":
		return strings.Contains(strings.Split(imported, "/")[0], ".") || strings.HasPrefix(imported, "daybook/")
	case pkg == "app":
		return strings.HasPrefix(imported, "daybook/") && imported != "daybook/app/slot" && imported != "daybook/app/money" && imported != "daybook/app/address" ||
			imported == "net/http" || imported == "database/sql" || strings.HasPrefix(imported, "github.com/a-h/templ")
	case pkg == "store":
		return strings.HasPrefix(imported, "daybook/") && imported != "daybook/app" && imported != "daybook/app/slot"
	case pkg == "app/serve":
		return strings.HasPrefix(imported, "daybook/")
	case pkg == "views":
		return strings.HasPrefix(imported, "daybook/") && imported != "daybook/app/money" && imported != "daybook/assets" || imported == "net/http"
	case pkg == ".":
		return strings.HasPrefix(imported, "daybook/") && imported != "daybook/app/cli"
	case strings.HasPrefix(pkg, "app/") && pkg != "app/cli":
		return imported == "daybook/store" // only cli wires things together
	}
	return false
}

// The import law of doc.go, and: every package says what it is for.
func TestArchitecture(t *testing.T) {
	documented := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".." || d.Name() == "node_modules" || d.Name() == "testdata") {
				return fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		pkg, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			return err
		}
		documented[pkg] = documented[pkg] || file.Doc != nil
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if forbidden(pkg, imported) {
				t.Errorf("%s: package %s must not import %s (see the import law in app/doc.go)", path, pkg, imported)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no comment that says what it owns", pkg)
		}
	}
	if len(documented) < 5 {
		t.Errorf("only %d packages were looked at", len(documented))
	}
}
