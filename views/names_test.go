package views_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Two names of a package that differ only in case are told apart by nobody who hears or searches them.
func TestNamesDifferByMoreThanCase(t *testing.T) {
	for _, pkg := range []string{".", "dash"} {
		files, err := filepath.Glob(filepath.Join(pkg, "*.go"))
		if err != nil || len(files) < 10 {
			t.Fatalf("%s: %d files, %v", pkg, len(files), err)
		}
		seen := map[string]string{}
		note := func(name string) {
			folded := strings.ToLower(name)
			if other, ok := seen[folded]; ok && other != name {
				t.Errorf("%s has both %s and %s", pkg, other, name)
			}
			seen[folded] = name
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, decl := range file.Decls {
				switch d := decl.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil {
						note(d.Name.Name)
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if s, ok := spec.(*ast.TypeSpec); ok {
							note(s.Name.Name)
						}
					}
				}
			}
		}
	}
}
