package booking_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What a door says of how long a text may be is the bound that the rules check it by, not a number of its own.
func TestBoundsInOnePlace(t *testing.T) {
	own := regexp.MustCompile(`MaxLength: +\d|\.length\(\d+, \d|maxLength = map\[string\]int\{.*\d|` +
		`const max(Reason|Text|Short) = \d`)
	files := 0
	for _, door := range []string{"rest", "agent", "page", "dashboard"} {
		err := filepath.WalkDir(filepath.Join("..", door), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files++
			text, err := os.ReadFile(path)
			for _, line := range own.FindAllString(string(text), -1) {
				t.Errorf("%s has %q: name the bound that the rules have", path, line)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	if files < 50 {
		t.Errorf("looked at %d files", files)
	}
}
