// package contracttest reads the tables of app/contract.md, so that the tests of each package can hold the contract
// against what the package does. It imports nothing of Daybook.
package contracttest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Row is a line of a table.
type Row []string

// Words are what stands in backticks in a cell.
func (r Row) Words(cell int) (words []string) {
	for _, found := range inBackticks.FindAllStringSubmatch(r[cell], -1) {
		words = append(words, found[1])
	}
	return words
}

// Word is the first of Words.
func (r Row) Word(cell int) string {
	if words := r.Words(cell); len(words) > 0 {
		return words[0]
	}
	return r[cell]
}

var inBackticks = regexp.MustCompile("`([^`]+)`")

// Table is the table in the section with that title, without its head. A section without one fails the test.
func Table(t testing.TB, title string) (rows []Row) {
	t.Helper()
	_, section, found := strings.Cut(text(t), "# "+title+"\n")
	if !found {
		t.Fatalf("contract.md has no section %q", title)
	}
	if next := strings.Index(section, "\n#"); next >= 0 {
		section = section[:next]
	}
	for line := range strings.Lines(section) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "|") {
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
	}
	if len(rows) < 3 {
		t.Fatalf("section %q of contract.md has no table", title)
	}
	return rows[2:]
}

// Map is the table as a map from the first cell's word to the words of another cell.
func Map(t testing.TB, title string, cell int) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, row := range Table(t, title) {
		if _, twice := all[row.Word(0)]; twice {
			t.Errorf("%q stands twice in the section %q of contract.md", row.Word(0), title)
		}
		all[row.Word(0)] = row.Words(cell)
	}
	return all
}

// Same fails the test unless the contract and the program name the same things, in whatever order.
func Same(t testing.TB, what string, contract, program []string) {
	t.Helper()
	for _, one := range contract {
		if !slices.Contains(program, one) {
			t.Errorf("%s: contract.md has %q, the program has not", what, one)
		}
	}
	for _, one := range program {
		if !slices.Contains(contract, one) {
			t.Errorf("%s: the program has %q, contract.md has not", what, one)
		}
	}
}

// Root is the directory of the repository.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod above the package")
		}
		dir = filepath.Dir(dir)
	}
}

func text(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(Root(t), "app", "contract.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
