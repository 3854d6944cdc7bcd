package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/contracttest"
	"daybook/app/mail"
	"daybook/app/slot"
)

// Every reason that the program gives is in the contract, and every one of the contract is given.
func TestContractReasons(t *testing.T) {
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
				if name := nameOf(n.Fun); strings.HasSuffix(name, "Conflictf") && len(n.Args) > 0 && !addLiteral(given, n.Args[0]) {
					t.Errorf("%s: the reason of a conflict must be a literal, for this test", path)
				}
			}
			return true
		})
	})
	listed := contracttest.Map(t, "Reasons", 1)
	contracttest.Same(t, "reasons", slices.Collect(maps.Keys(listed)), slices.Collect(maps.Keys(given)))
}

// What errors carry beside their reason and field is what the contract, and so the API's document, says of details.
func TestContractDetails(t *testing.T) {
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
	var listed []string
	for _, field := range contracttest.Map(t, "Fields", 1)["ErrorDetails"] {
		listed = append(listed, strings.TrimSuffix(field, "?"))
	}
	listed = append(listed, "line")                               // of a set-up file, which the API doesn't take
	listed = append(listed, "url", "key", "bits", "attemptsLeft") // of people's assistants, who have no key
	contracttest.Same(t, "details", listed, slices.Collect(maps.Keys(given)))
}

// Each kind of id has its prefix in the contract.
func TestContractIDs(t *testing.T) {
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
	contracttest.Same(t, "prefixes", slices.Collect(maps.Keys(contracttest.Map(t, "Kinds of id", 1))), slices.Collect(maps.Keys(prefixes)))
}

// The values that no schema of the API has; those it has are tested there.
func TestContractValues(t *testing.T) {
	values := contracttest.Map(t, "Values", 1)
	contracttest.Same(t, "scopes", values["key scope"], words(account.FullScope, account.ReadOnlyScope))
	contracttest.Same(t, "roles", values["role"], words(app.Roles...))
	contracttest.Same(t, "mail states", values["mail state"], words(mail.States...))
}

// Comments and documents refer to nothing outside the repository.
func TestReferencesStayInside(t *testing.T) {
	outside := regexp.MustCompile(`(spec|contract) §|\b(house|perf|libs|spec)\.md\b|shared/findings`)
	err := filepath.WalkDir(contracttest.Root(t), func(path string, d fs.DirEntry, err error) error {
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

func words[T ~string](all ...T) (texts []string) {
	for _, one := range all {
		texts = append(texts, string(one))
	}
	return texts
}

// eachFile parses every Go file of the program that is neither a test nor generated.
func eachFile(t *testing.T, look func(path string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(contracttest.Root(t), func(path string, d fs.DirEntry, err error) error {
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

// Files that the contract names exist, and hold the name that it gives for them.
func TestContractNamesFiles(t *testing.T) {
	text, err := os.ReadFile("contract.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?:`(\\w+)`\\s+in\\s+)?`?(app/[\\w/]+\\.go)").FindAllStringSubmatch(string(text), -1)
	if len(found) == 0 {
		t.Fatal("the contract names no file")
	}
	for _, f := range found {
		file, err := os.ReadFile(filepath.Join("..", f[2]))
		if err != nil || !strings.Contains(string(file), f[1]) {
			t.Errorf("the contract names %s in %s, which is not there (%v)", f[1], f[2], err)
		}
	}
}
