// Package outside is the one way in which tests ask for parts that don't come with Go: a browser, npm packages,
// servers. It imports nothing of Daybook, so that tests of any package can use it. Only tests import it.
package outside

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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

// Install installs the npm packages that a package.json asks for, and returns a folder of this test in which they are
// node_modules. They are kept in the user's cache, so that each version of the file is installed once.
func Install(t testing.TB, part, manifest string) string {
	t.Helper()
	installed, err := install(part, manifest)
	Needs(t, part, err)
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(installed, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// installing has one test at a time install packages; other processes may do so as well.
var installing sync.Mutex

func install(part, manifest string) (string, error) {
	installing.Lock()
	defer installing.Unlock()
	text, err := os.ReadFile(manifest)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "daybook-test", fmt.Sprintf("%s-%x", part, sha256.Sum256(text))[:len(part)+17])
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "installing-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	if err := os.WriteFile(filepath.Join(fresh, "package.json"), text, 0o644); err != nil {
		return "", err
	}
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error")
	npm.Dir = fresh
	if out, err := npm.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install: %w\n%s", err, out)
	}
	if err := os.Rename(fresh, dir); err != nil {
		if _, other := os.Stat(dir); other != nil { // no other process has installed them meanwhile
			return "", err
		}
	}
	return dir, nil
}

// Run runs a program in the folder, with the commands of that folder's npm packages first in its PATH, and returns its
// output. The test fails if the program does.
func Run(t testing.TB, dir string, command ...string) string {
	t.Helper()
	commands := filepath.Join(dir, "node_modules", ".bin")
	if own := filepath.Join(commands, command[0]); !filepath.IsAbs(command[0]) {
		if _, err := os.Stat(own); err == nil {
			command[0] = own
		}
	}
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+commands+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return string(out)
}
