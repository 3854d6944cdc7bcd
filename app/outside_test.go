package app_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every test asks for what it needs from outside in one way, so that .ci/run knows that none of them was skipped.
func TestOutsidePartsAreAskedForInOnePlace(t *testing.T) {
	asking, read := "DAYBOOK_TEST_"+"REQUIRE", 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		read++
		if strings.Contains(string(text), asking) && !strings.Contains(filepath.ToSlash(path), "app/apptest/outside/") {
			t.Errorf("%s reads %s: call outside.Needs of app/apptest/outside", path, asking)
		}
		return err
	})
	if err != nil || read < 100 {
		t.Fatalf("%d files read, %v", read, err)
	}
}
