package migrations

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// A version to come adds steps, and changes none that is there.
func TestExtendChangesNoStep(t *testing.T) {
	was, err := Load(SQLite())
	if err != nil {
		t.Fatal(err)
	}
	first, last := was[0], was[len(was)-1]
	const added = "299901010000_more.sql"
	defer Extend(more)
	Extend(fstest.MapFS{
		"sqlite/" + added:      {Data: []byte("SELECT 1;")},
		"sqlite/" + first.Name: {Data: []byte("SELECT 2;")},
		"sqlite/" + last.Name:  {Data: []byte("SELECT 3;")},
	})
	is, err := Load(SQLite())
	if err != nil {
		t.Fatal(err)
	}
	if len(is) != len(was)+1 || !slices.Equal(is[:len(was)], was) || is[len(was)].Name != added || is[len(was)].SQL != "SELECT 1;" {
		t.Errorf("%d steps are now %d, the last %s", len(was), len(is), is[len(is)-1].Name)
	}
	if pg, err := Load(Postgres()); err != nil || pg[len(pg)-1].Name == added {
		t.Errorf("the other engine: %v", err)
	}
}

// Only tests extend the migrations: what a program runs is what was built into it.
func TestOnlyTestsExtend(t *testing.T) {
	root, in := filepath.Join("..", ".."), map[bool]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		test := strings.HasSuffix(path, "_test.go")
		if n := strings.Count(string(text), "migrations.Extend("); n > 0 {
			if in[test] += n; !test {
				t.Errorf("%s extends the migrations", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if in[true] == 0 {
		t.Error("no call was found")
	}
}
