package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/rest/openapi"
	"daybook/app/slot"
)

// Every reason that the program gives is on the list for the documents, and every one of the list is given.
func TestReasonsAreListed(t *testing.T) {
	given := map[string]bool{}
	for _, r := range []slot.Reason{slot.Inactive, slot.InPast, slot.TooSoon, slot.TooFar, slot.OutsideHours, slot.OffGrid, slot.DayFull, slot.HostWeekFull, slot.WeekFull} {
		given[string(r)] = true // of refuse
	}
	eachFile(t, func(path string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if name := nameOf(n.Type); name != "fault.Error" && (name != "Error" || file.Name.Name != "fault") {
					return true
				}
				for _, e := range n.Elts {
					if pair, ok := e.(*ast.KeyValueExpr); ok && nameOf(pair.Key) == "Reason" {
						addLiteral(given, pair.Value)
					}
				}
			case *ast.CallExpr:
				if name := nameOf(n.Fun); len(n.Args) > 2 && (name == "fault.New" || name == "New" && file.Name.Name == "fault") {
					addLiteral(given, n.Args[1])
				}
				if name := nameOf(n.Fun); strings.HasSuffix(name, "Conflictf") && len(n.Args) > 0 && !addLiteral(given, n.Args[0]) {
					t.Errorf("%s: the reason of a conflict must be a literal, for this test", path)
				}
			}
			return true
		})
	})
	delete(given, "") // of errors whose code says everything
	var listed []string
	for _, r := range fault.Reasons {
		listed = append(listed, r.Name)
	}
	same(t, "reasons", listed, given)
}

// What errors carry beside their reason and field is what the API's document says of details.
func TestDetailsAreDescribed(t *testing.T) {
	given := map[string]bool{"reason": true, "field": true, "fields": true} // of Error.DetailsObject
	eachFile(t, func(_ string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "With" && len(n.Args) == 2 && !strings.HasSuffix(nameOf(f.X), "log") {
					addLiteral(given, n.Args[0])
				}
			case *ast.KeyValueExpr:
				if details, ok := n.Value.(*ast.CompositeLit); ok && nameOf(n.Key) == "Details" {
					for _, e := range details.Elts {
						addLiteral(given, e.(*ast.KeyValueExpr).Key)
					}
				}
			}
			return true
		})
	})
	listed := []string{"line", "attemptsLeft"} // of a set-up file and of people's assistants, who don't read the document
	for f := range reflect.TypeFor[openapi.ErrorDetails]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		listed = append(listed, name)
	}
	same(t, "details", listed, given)
}

// Each kind of id is on the list for the documents.
func TestKindsOfIDAreListed(t *testing.T) {
	prefixes := map[string]bool{}
	eachFile(t, func(_ string, file *ast.File) {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Name.Name != "Prefix" || f.Recv == nil || len(f.Body.List) != 1 {
				continue
			}
			if r, ok := f.Body.List[0].(*ast.ReturnStmt); ok && len(r.Results) == 1 {
				addLiteral(prefixes, r.Results[0])
			}
		}
	})
	var listed []string
	for _, k := range id.Kinds {
		listed = append(listed, k.Prefix)
	}
	same(t, "prefixes", listed, prefixes)
}

// same fails the test unless the list has what was found in the program, once each.
func same(t *testing.T, what string, listed []string, found map[string]bool) {
	t.Helper()
	slices.Sort(listed)
	if there := slices.Sorted(maps.Keys(found)); !slices.Equal(listed, there) {
		t.Errorf("%s: the list has %q, the program %q", what, listed, there)
	}
}

// Comments and documents refer to nothing outside the repository.
func TestReferencesStayInside(t *testing.T) {
	outside := regexp.MustCompile(`(spec|contract) §|\b(house|perf|libs|spec)\.md\b|shared/findings`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && (d.Name() == ".git" || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			return err
		}
		switch filepath.Ext(path) {
		case ".go", ".md", ".templ", ".sql", ".js", ".css", ".yaml", ".txtar", ".html":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if found := outside.Find(text); found != nil && filepath.Base(path) != "contract_test.go" {
			t.Errorf("%s refers to %q; say the fact itself, or name a section of app/contract.md", path, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eachFile parses every Go file of the program that is neither a test nor generated.
func eachFile(t *testing.T, look func(path string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "testdata" || d.Name() == ".git" || d.Name() == "node_modules" {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_templ.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err == nil {
			look(path, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// nameOf is an identifier, with its package where it has one.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return nameOf(e.X) + "." + e.Sel.Name
	}
	return ""
}

// addLiteral adds the text of a string literal, and reports whether it is one.
func addLiteral(to map[string]bool, e ast.Expr) bool {
	literal, ok := e.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING {
		return false
	}
	text, err := strconv.Unquote(literal.Value)
	to[text] = true
	return err == nil
}

// Files and folders that the documents name are there, and hold the name that is given for them.
func TestDocumentsNameFiles(t *testing.T) {
	named := regexp.MustCompile("(?:`(\\w+)`\\s+in\\s+)?`?((?:app|store|views|assets)/[\\w/.-]*\\w)")
	linked := regexp.MustCompile(`\]\(([\w./-]+)(?:#[\w-]+)?\)`)
	for _, document := range []string{"../README.md", "contract.md", "map.md", "adding.md"} {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range named.FindAllStringSubmatch(string(text), -1) {
			path := filepath.Join("..", f[2])
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s names %s, which is not there", document, f[2])
			} else if f[1] != "" {
				if file, err := os.ReadFile(path); err != nil || !strings.Contains(string(file), f[1]) {
					t.Errorf("%s names %s in %s, which is not there (%v)", document, f[1], f[2], err)
				}
			}
		}
		for _, l := range linked.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(document), l[1])); err != nil && !strings.Contains(l[1], "://") {
				t.Errorf("%s links to %s, which is not there", document, l[1])
			}
		}
	}
}
