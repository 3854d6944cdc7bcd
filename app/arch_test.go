package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// repositoryMap is map.md: where a package stands, and in which section.
type repositoryMap struct {
	place   map[string]int    // by package, from 1 at the top; "." is the one of main.go
	section map[string]string // by package: the heading above it
}

// The sections that have a law of their own.
const (
	doors   = "Doors"
	storage = "Storage"
	engines = "Engines"
	core    = "Core"
	formats = "Formats and the server"
	pages   = "Pages"
	leaves  = "Leaves"
	tests   = "For tests"
)

func theMap(t *testing.T) repositoryMap {
	t.Helper()
	text, err := os.ReadFile("map.md")
	if err != nil {
		t.Fatal(err)
	}
	return readMap(t, string(text))
}

// readMap reads the headings ("## Doors") and the lines of packages ("- `app/rest/docs`, `app/rest/openapi` what they
// are"); of a line's packages the first stands highest.
func readMap(t *testing.T, text string) repositoryMap {
	t.Helper()
	m := repositoryMap{map[string]int{}, map[string]string{}}
	section, n := "", 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if title, is := strings.CutPrefix(line, "## "); is {
			section = title
		}
		words, is := strings.CutPrefix(line, "- `")
		for is {
			var pkg string
			pkg, words, _ = strings.Cut(words, "`")
			if m.place[pkg] > 0 {
				t.Errorf("map.md:%d: %s stands twice", n, pkg)
			}
			m.place[pkg], m.section[pkg] = len(m.place)+1, section
			if words, is = strings.CutPrefix(words, ", `"); !is && strings.TrimSpace(words) == "" {
				t.Errorf("map.md:%d: what is %s?", n, pkg)
			}
		}
	}
	return m
}

// forbidden says which law of the map forbids the import, or "". Tests may import anything.
func (m repositoryMap) forbidden(pkg, imported string) string {
	own, ours := strings.CutPrefix(imported, "daybook/")
	from, to := m.section[pkg], m.section[own]
	among := func(sections ...string) bool { return slices.Contains(sections, from) }
	if !ours {
		outside := strings.Contains(strings.Split(imported, "/")[0], ".")
		switch {
		case from == leaves && outside && !strings.HasPrefix(imported, "golang.org/x/sys/"):
			return "a leaf imports nothing from outside the standard library"
		case (from == core || within(pkg, "views")) && imported == "net/http":
			return "the core and the views know nothing of HTTP"
		case from == core && (imported == "database/sql" || strings.HasPrefix(imported, "github.com/a-h/templ")):
			return "the core knows nothing of SQL or pages"
		}
		return ""
	}
	switch {
	case from == tests:
		return ""
	case to == tests:
		return "it is for tests"
	case m.place[own] <= m.place[pkg]:
		return "it doesn't stand further down"
	case pkg == "." && own != "app/cli":
		return "main.go has the exit code of the command and nothing else"
	case from == leaves && to != leaves:
		return "a leaf imports leaves only"
	case among(engines, formats, pages) && to != from && to != leaves:
		return "its section imports itself and leaves only"
	case from == core && to != core && to != leaves:
		return "the core imports the core and leaves only"
	case to == storage || to == engines:
		if !within(pkg, "app/cli") && !among(storage, engines) {
			return "only the commands import storage"
		}
	case from == doors && to == doors:
		part := strings.HasPrefix(pkg, "app/dashboard/") && own != "app/dashboard/web" && !within(own, pkg)
		if part || doorOf(pkg) != doorOf(own) {
			return "a door imports no other door"
		}
	}
	return ""
}

// doorOf is the package of the door that a package is part of, such as app/dashboard of app/dashboard/web.
func doorOf(pkg string) string {
	steps := strings.Split(pkg, "/")
	return strings.Join(steps[:min(2, len(steps))], "/")
}

func within(pkg, place string) bool { return pkg == place || strings.HasPrefix(pkg, place+"/") }

// named are the Go files that a comment names.
func named(text string) []string { return goFile.FindAllString(text, -1) }

var goFile = regexp.MustCompile(`[a-z0-9_*/]+\.go\b`)

// exists reports whether there is such a file; a * stands for any part of a name.
func exists(dir, name string) bool {
	found, err := filepath.Glob(filepath.Join(dir, name))
	return err == nil && len(found) > 0
}

// Every package stands on the map, says what it is for, and imports what the map allows; and what stands on the map is
// there.
func TestArchitecture(t *testing.T) {
	m, documented := theMap(t), map[string]bool{}
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
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		pkg, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			return err
		}
		documented[pkg] = documented[pkg] || file.Doc != nil
		if file.Doc != nil {
			for _, name := range named(file.Doc.Text()) {
				if !exists(filepath.Dir(path), name) && !exists("..", name) && !exists(".", name) {
					t.Errorf("%s: the comment of the package names %s, which is neither beside it nor below the repository or app", path, name)
				}
			}
		}
		// What the program is made of stands in lists that can be read: app/cli/wire.go, app/dashboard/routes.go.
		if hasInit(file) {
			t.Errorf("%s: package %s registers something in an init function; write it into a list instead", path, pkg)
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if why := m.forbidden(pkg, imported); why != "" {
				t.Errorf("%s: package %s must not import %s: %s (see app/map.md)", path, pkg, imported, why)
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
		if m.place[pkg] == 0 {
			t.Errorf("package %s is not on app/map.md", pkg)
		}
	}
	for pkg := range m.place {
		if _, there := documented[pkg]; !there {
			t.Errorf("map.md: there is no package %s", pkg)
		}
	}
	if len(documented) < 5 {
		t.Errorf("only %d packages were looked at", len(documented))
	}
}

// The laws themselves, on a small map.
func TestMapForbids(t *testing.T) {
	m := readMap(t, strings.ReplaceAll(`
## Program
- '.' main
- 'app/cli' commands
## Doors
- 'app/rest' a door
- 'app/rest/docs' a part of it
- 'app/page' a door
- 'app/dashboard' a door
- 'app/dashboard/shop' a part
- 'app/dashboard/settings' a part
- 'app/dashboard/web' shared
## Storage
- 'store' the SQL
## Engines
- 'store/sqlite' an engine
## Subjects
- 'app/mail' a subject
- 'app/text/sms', 'app/text' its wire, and a subject
- 'app/account' a subject
## Core
- 'app' the core
- 'app/catalog' a part of it
## Pages
- 'views' pages
## Leaves
- 'app/id' a leaf
- 'app/when' a leaf
## For tests
- 'app/apptest' a salon
`, "'", "`"))
	for _, test := range []struct {
		pkg, imported string
		may           bool
	}{
		{".", "daybook/app/cli", true},
		{".", "daybook/app", false},
		{"app/cli", "daybook/store", true},
		{"app/cli", "daybook/app/apptest", false},
		{"app/rest", "daybook/app/mail", true},
		{"app/rest", "daybook/app/rest/docs", true},
		{"app/rest", "daybook/app/page", false},
		{"app/rest", "daybook/store", false},
		{"app/rest", "daybook/store/sqlite", false},
		{"app/dashboard", "daybook/app/dashboard/shop", true},
		{"app/dashboard/shop", "daybook/app/dashboard/web", true},
		{"app/dashboard/shop", "daybook/app/dashboard/settings", false},
		{"store", "daybook/app/mail", true},
		{"store", "daybook/store/sqlite", true},
		{"store", "daybook/app/rest", false},
		{"store/sqlite", "daybook/app/id", true},
		{"store/sqlite", "daybook/app/account", false},
		{"app/mail", "daybook/app/account", true},
		{"app/mail", "net/http", true},
		{"app/mail", "daybook/store", false},
		{"app/account", "daybook/app/mail", false},
		{"app/text/sms", "daybook/app/text", true},
		{"app/text", "daybook/app/text/sms", false},
		{"app/text", "daybook/app/account", true},
		{"app/account", "daybook/app/nowhere", false},
		{"app", "daybook/app/catalog", true},
		{"app", "daybook/app/account", false},
		{"app", "daybook/views", false},
		{"app", "net/http", false},
		{"app/catalog", "database/sql", false},
		{"views", "daybook/app/id", true},
		{"views", "net/http", false},
		{"app/id", "daybook/app/when", true},
		{"app/id", "daybook/app/catalog", false},
		{"app/id", "golang.org/x/sys/windows", true},
		{"app/id", "golang.org/x/text/language", false},
		{"app/apptest", "daybook/store", true},
	} {
		if why := m.forbidden(test.pkg, test.imported); (why == "") != test.may {
			t.Errorf("%s imports %s: %q", test.pkg, test.imported, why)
		}
	}
}

func hasInit(file *ast.File) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Recv == nil && f.Name.Name == "init"
	})
}
