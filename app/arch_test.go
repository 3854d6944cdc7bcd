package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The places of the house, see doc.go.
var (
	// leaves import nothing of Daybook and nothing from outside the standard library, whose system calls of Windows are in
	// golang.org/x/sys.
	leaves = []string{"app/id", "app/when", "app/money", "app/fault", "app/field", "app/disk", "app/slot", "app/address", "app/vault", "app/agentsetup", "app/share", "app/phone", "app/sandbox"}
	// parts are what the core is made of besides itself. Each may import the leaves and the parts before it.
	parts = []string{"app/holiday", "app/cost", "app/notice", "app/catalog", "app/record", "app/right", "app/availability"}
	// rooms stand beside the core, each with its rules, its loop and its storage interface.
	roomDirs = []string{"app/account", "app/webhook", "app/mail", "app/payment", "app/setup", "app/report", "app/feed",
		"app/contact", "app/shop", "app/picture", "app/bulk", "app/upkeep", "app/form", "app/invitation", "app/privacy",
		"app/calsync", "app/oauth", "app/guest", "app/factor"}
	// engineDirs know no noun: they run SQL and keep it, whatever it is about.
	engineDirs = []string{"store/engine", "store/sqlite", "store/postgres", "store/migrations"}
	// Packages that the pages stand on.
	underViews = []string{"views/brand"}
	// doors are the packages through which the world comes in.
	doors = []string{"app/rest", "app/agent", "app/page", "app/dashboard", "app/decide", "app/assistant"}
	// testDirs are for tests: nothing that the program is made of imports them.
	testDirs = []string{"app/apptest", "app/contracttest", "app/payment/stripetest", "app/calsync/oauthtest",
		"app/calsync/googletest", "app/calsync/graphtest", "store/enginetest", "store/pgtest", "store/storetest"}
)

// forbidden says what a package must not import. Tests may import anything.
func forbidden(pkg, imported string) bool {
	ours, own := strings.CutPrefix(imported, "daybook/")
	in := func(places []string) bool {
		return slices.ContainsFunc(places, func(place string) bool { return ours == place || strings.HasPrefix(ours, place+"/") })
	}
	within := func(places []string) string {
		for _, place := range places {
			if pkg == place || strings.HasPrefix(pkg, place+"/") {
				return place
			}
		}
		return ""
	}
	switch {
	case within(testDirs) != "":
		return false
	case own && in(testDirs):
		return true
	case in([]string{"app/cli"}) && pkg != "." && within([]string{"app/cli"}) == "": // only main knows the commands
		return own
	case pkg == "app/cli/console":
		return in([]string{"store"})
	case slices.Contains(leaves, pkg):
		return own || strings.Contains(strings.Split(imported, "/")[0], ".") && !strings.HasPrefix(imported, "golang.org/x/sys/")
	case slices.Contains(parts, pkg):
		return own && !in(leaves) && !slices.Contains(parts[:slices.Index(parts, pkg)], ours) || outside(imported)
	case pkg == "app":
		return own && !in(leaves) && !slices.Contains(parts, ours) || outside(imported)
	case pkg == "app/follow" || pkg == "app/audit": // between the core and its rooms
		return own && !in(leaves) && !slices.Contains(parts, ours) && ours != "app" || outside(imported)
	case within(roomDirs) != "":
		room := within(roomDirs)
		return own && (in([]string{"store"}) || in(doors) || in(roomDirs) && ours != room && !strings.HasPrefix(ours, room+"/"))
	case strings.HasPrefix(pkg, "app/dashboard/"): // a part of the dashboard knows what all share, and no other part
		return own && (in([]string{"store"}) || in(doors) && ours != "app/dashboard/web" && !strings.HasPrefix(ours, pkg+"/"))
	case within(doors) != "":
		door := within(doors)
		return own && (in([]string{"store"}) || in(doors) && ours != door && !strings.HasPrefix(ours, door+"/"))
	case slices.Contains(engineDirs, pkg):
		return own && !in(leaves) && !in(engineDirs)
	case pkg == "store" || strings.HasPrefix(pkg, "store/"):
		return own && (in(doors) || strings.HasPrefix(ours, "views") || ours == "app/serve")
	case pkg == "app/serve":
		return own && !in(leaves)
	case pkg == "views":
		return own && !in(leaves) && ours != "assets" && !in(underViews) || imported == "net/http"
	case slices.Contains(underViews, pkg):
		return own && !in(leaves) && ours != "assets" || imported == "net/http"
	case strings.HasPrefix(pkg, "views/"):
		return own && !in(leaves) && ours != "assets" && ours != "views" && !in(underViews) || imported == "net/http"
	case pkg == ".":
		return own && ours != "app/cli"
	case strings.HasPrefix(pkg, "app/") && within([]string{"app/cli"}) == "":
		return in([]string{"store"}) // only cli wires things together
	}
	return false
}

// outside reports whether the package is one for a door or for storage, which no rule needs.
func outside(imported string) bool {
	return imported == "net/http" || imported == "database/sql" || strings.HasPrefix(imported, "github.com/a-h/templ")
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
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		pkg, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			return err
		}
		documented[pkg] = documented[pkg] || file.Doc != nil
		// What the program is made of stands in lists that can be read: app/cli/wire.go, app/dashboard/routes.go.
		if hasInit(file) {
			t.Errorf("%s: package %s registers something in an init function; write it into a list instead", path, pkg)
		}
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
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no comment that says what it owns", pkg)
		}
		// The dashboard's own parts are named in the line of the dashboard.
		if part := filepath.Base(pkg); pkg != "." && !strings.Contains(string(doc), "\t"+pkg+"/ ") &&
			!(filepath.Dir(pkg) == "app/dashboard" && strings.Contains(string(doc), part)) {
			t.Errorf("package %s is missing from the map in doc.go", pkg)
		}
	}
	if len(documented) < 5 {
		t.Errorf("only %d packages were looked at", len(documented))
	}
}

func hasInit(file *ast.File) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Recv == nil && f.Name.Name == "init"
	})
}
