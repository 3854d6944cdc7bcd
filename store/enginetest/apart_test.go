package enginetest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"daybook/store/enginetest"
)

// What may touch many workspaces is named by texts that the sources have, and each has its reason.
func TestCrossingsAreStatementsOfTheSources(t *testing.T) {
	var sources strings.Builder
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.Contains(path, "test") {
			return err
		}
		text, err := os.ReadFile(path)
		sources.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if sources.Len() < 100_000 {
		t.Fatalf("only %d bytes of sources were read", sources.Len())
	}
	for _, c := range enginetest.Crossings {
		if !strings.Contains(sources.String(), c.Part) || c.Why == "" {
			t.Errorf("%q is in no statement, or has no reason", c.Part)
		}
	}
}
