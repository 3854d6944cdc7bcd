package cli

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

var wanted = regexp.MustCompile(`give (--[a-z-]+)`)

// tryFlag runs a command with these flags, and with as many arguments and required flags as it asks for.
func tryFlag(t *testing.T, command string, flags ...string) string {
	t.Helper()
	args := append(strings.Fields(command), flags...)
	var errs bytes.Buffer
	for range 12 {
		errs.Reset()
		ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
		run(ctx, args, strings.NewReader("a long enough password\n"), &errs, &errs)
		stop()
		text := errs.String()
		if missing := wanted.FindStringSubmatch(text); missing != nil && !strings.Contains(strings.Join(args, " "), missing[1]) {
			args = append(args, missing[1], "x@y.example")
			continue
		}
		if strings.Contains(text, ": name the ") {
			args = append(args, "x")
			continue
		}
		return text
	}
	return errs.String()
}

// needs are what commands want to have before they look at the database, in a directory of the test.
var needs = map[string]string{
	"install":         "--tls-domain book.example.com --dry-run --root DIR",
	"keys-sheet":      "--secret-key-file DIR/key",
	"migrate copy":    "--from postgres://u@127.0.0.1:1/y --to DIR/to.db",
	"replicas forget": "file:///mnt/copies",
	"restore":         "DIR/key",
	"workspace apply": "DIR/setup.yaml",
	"calendar":        "--base-url https://book.example.com",
}

// No flag of any command is accepted and ignored. The flags that name a database, which all commands have, are used or
// refused.
func TestNoFlagIsIgnored(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte(strings.Repeat("0a", 32)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "setup.yaml"), []byte("hosts: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "nowhere", "x.db")
	walked := 0
	eachLeaf(newRoot(), func(cmd *cobra.Command) {
		name := strings.TrimPrefix(cmd.CommandPath(), "daybook ")
		if cmd.DisableFlagParsing { // it is no more
			return
		}
		walked++
		for _, c := range []struct {
			flags []string
			used  string
		}{
			{[]string{"--db", missing}, "nowhere"},
			{[]string{"--db", "postgres://u@127.0.0.1:1/x", "--db-password-file", missing}, "nowhere"},
			{[]string{"--db", missing, "--db-password-file", missing}, "PostgreSQL"},
			{[]string{"--db", missing, "--db-insecure"}, "PostgreSQL"},
		} {
			text := tryFlag(t, name+" "+strings.ReplaceAll(needs[name], "DIR", dir), c.flags...)
			if !strings.Contains(text, c.used) && !strings.Contains(text, "uses no database of yours: leave --db") &&
				!strings.Contains(text, "PostgreSQL has its own tools") && !strings.Contains(text, "for SQLite") &&
				!strings.Contains(text, "the service has its database at") {
				t.Errorf("daybook %s %s: %s", name, strings.Join(c.flags, " "), text)
			}
		}
	})
	if walked < 40 {
		t.Errorf("only %d commands", walked)
	}
}

// What the environment says stands for many commands: flags beside it are judged by it, and what changes an installed
// service must be given.
func TestFlagsBesideTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "nowhere")
	t.Setenv("DAYBOOK_DB", "postgres://u@127.0.0.1:1/x")
	if text := tryFlag(t, "workspace list", "--db-password-file", missing); !strings.Contains(text, "nowhere") {
		t.Errorf("the password of the database in the environment: %s", text)
	}
	t.Setenv("DAYBOOK_BASE_URL", "https://elsewhere.example")
	t.Setenv("DAYBOOK_ADDR", "127.0.0.1:9999")
	text := tryFlag(t, "install --tls-domain book.example.com --dry-run --root "+dir)
	if !strings.Contains(text, "--tls-domain book.example.com") || strings.Contains(text, "elsewhere") || strings.Contains(text, "postgres") || strings.Contains(text, "9999") {
		t.Errorf("install takes from the environment what changes a service: %s", text)
	}
}

// Variables of the guides and those that Kubernetes sets are no mistakes; one that nothing reads is.
func TestUnknownVariables(t *testing.T) {
	for _, line := range os.Environ() { // whatever the tests themselves are told
		if name, _, _ := strings.Cut(line, "="); strings.HasPrefix(name, "DAYBOOK_") {
			t.Setenv(name, "")
		}
	}
	for _, name := range []string{"DAYBOOK_KEY", "DAYBOOK_SERVICE_HOST", "DAYBOOK_SERVICE_PORT", "DAYBOOK_PORT_8080_TCP_ADDR", "DAYBOOK_TEST_DB",
		"DAYBOOK_ADDR"} {
		t.Setenv(name, "10.0.0.1")
	}
	t.Setenv("DAYBOOK_PORT", "tcp://10.0.0.1:8080")
	before := unknownVariables(newRoot())
	if len(before) != 0 {
		t.Errorf("%+v", before)
	}
	t.Setenv("DAYBOOK_PORT", "8080")
	if all := unknownVariables(newRoot()); len(all) != 1 || !strings.Contains(all[0].Message, "DAYBOOK_PORT ") {
		t.Errorf("%+v", all)
	}
}

func eachLeaf(cmd *cobra.Command, visit func(*cobra.Command)) {
	if !cmd.HasSubCommands() {
		visit(cmd)
	}
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" {
			eachLeaf(sub, visit)
		}
	}
}

// The variable of each flag is read: it occurs besides where the flag is added.
func TestFlagsAreRead(t *testing.T) {
	registered, uses, fields := map[string]string{}, map[string]int{}, map[string]bool{}
	files := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				uses[n.Sel.Name]++
			case *ast.StructType:
				for _, f := range n.Fields.List {
					for _, name := range f.Names {
						fields[name.Name] = true
					}
				}
			case *ast.CallExpr:
				fun, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || !strings.HasSuffix(fun.Sel.Name, "Var") || len(n.Args) < 2 {
					return true
				}
				of, ok1 := n.Args[0].(*ast.UnaryExpr)
				flag, ok2 := n.Args[1].(*ast.BasicLit)
				if !ok1 || !ok2 {
					return true
				}
				if field, ok := of.X.(*ast.SelectorExpr); ok {
					registered[flag.Value] = field.Sel.Name
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	added := 0
	for flag, name := range registered {
		if !fields[name] { // a subject's, which gets the whole
			continue
		}
		added++
		if uses[name] < 2 { // one is where the flag is added
			t.Errorf("the variable %s of %s is read nowhere", name, flag)
		}
	}
	if added < 20 {
		t.Errorf("only %d flags were found", added)
	}
}
