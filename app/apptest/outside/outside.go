// package outside is the one way in which tests ask for parts that don't come with Go: a browser, npm packages,
// servers. It imports nothing of Daybook, so that tests of any package can use it. Only tests import it.
package outside

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Needs takes the error of looking for a part, and does nothing if it is nil. Else it skips the test, or fails
// it where DAYBOOK_TEST_REQUIRE lists the part, as .ci/run does; either names the part and the error.
func Needs(t testing.TB, part string, missing error) {
	t.Helper()
	switch {
	case missing == nil:
	case slices.Contains(strings.Split(os.Getenv("DAYBOOK_TEST_REQUIRE"), ","), part):
		t.Fatalf("this test needs: %s: %v", part, missing)
	default:
		t.Skipf("this test needs: %s: %v", part, missing)
	}
}

// Modules returns the folder node_modules in which the npm packages are. `npm install --prefix DIR PACKAGE…` puts them
// there; DIR is what DAYBOOK_ and the part's name in upper case say, or else the part's folder in the temporary
// directory.
func Modules(t testing.TB, part string, packages ...string) string {
	t.Helper()
	variable := "DAYBOOK_" + strings.ToUpper(strings.ReplaceAll(part, "-", ""))
	dir := filepath.Join(cmp.Or(os.Getenv(variable), filepath.Join(os.TempDir(), part)), "node_modules")
	for _, name := range packages {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			Needs(t, part, fmt.Errorf("%s names no folder with the npm package %s: %w", variable, name, err))
		}
	}
	return dir
}

// Run runs a program in the folder, with the commands of that folder's npm packages in its PATH, and answers what it
// prints. The test fails if the program does.
func Run(t testing.TB, dir string, command ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return string(out)
}
