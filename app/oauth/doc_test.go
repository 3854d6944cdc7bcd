package oauth_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each test that the package's documentation names exists, and each line names one, or says why there is none.
func TestTheNamedTestsExist(t *testing.T) {
	there := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range declared.FindAllStringSubmatch(string(text), -1) {
			there[found[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range strings.Lines(string(doc)) {
		named := regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w+`).FindAllString(line, -1)
		for _, name := range named {
			if !there[name] {
				t.Errorf("%s doesn't exist: %s", name, line)
			}
		}
		item := regexp.MustCompile(`^//\t(§|API|\d)`).MatchString(line)
		if lines += len(named); item && len(named) == 0 && !regexp.MustCompile(`: (no|none), see|"encouraged"`).MatchString(line) {
			t.Errorf("no test is named: %s", line)
		}
	}
	if lines < 80 {
		t.Errorf("only %d names", lines)
	}
}
