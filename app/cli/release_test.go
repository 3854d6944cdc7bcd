package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"daybook/app/rest/openapi"
)

// parsed reads a file of the repository's top as YAML.
func parsed(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("../../" + name)
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// The program, the changelog and the API's document have one version, and a release of another is refused before
// anything is built.
func TestVersionsAgree(t *testing.T) {
	t.Parallel()
	info := openapi.Describe(openapi.API{Version: Version}).Info
	if info.Program != Version {
		t.Errorf("the document is of %s, the program is %s", info.Program, Version)
	}
	const file = "../../app/rest/docs/guides/changelog.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	heads := regexp.MustCompile(`(?m)^## (\S+?)(,.*)?$`).FindAllStringSubmatch(string(text), -1)
	if len(heads) == 0 || heads[0][1] != info.Version {
		t.Fatalf("the document has version %s, the changelog %q", info.Version, heads)
	}
	for i := range len(heads) - 1 {
		if newer, comparable := later(heads[i+1][1], heads[i][1]); !newer || !comparable {
			t.Errorf("%s stands before %s", heads[i][1], heads[i+1][1])
		}
	}
	if isVersion(Version) && Version != info.Version {
		t.Errorf("a release of %s has the document of %s", Version, info.Version)
	}

	notes := func(changelog, version string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "../../.ci/package", "notes", version)
		cmd.Env = append(os.Environ(), "CHANGELOG="+changelog)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	full, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := filepath.Glob("../../app/rest/docs/guides/changes/*.md")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := notes(full, info.Version); len(changes) > 0 && (err == nil || !strings.Contains(out, "is Next")) {
		t.Errorf("changes without a version are released: %v %s", err, out)
	}
	for _, name := range changes {
		change, err := os.ReadFile(name)
		if err != nil || strings.Contains(strings.TrimSpace(string(change)), "\n") || !regexp.MustCompile(`^\d{4}-\d\d-\d\d-[a-z0-9-]+\.md$`).MatchString(filepath.Base(name)) {
			t.Errorf("%s: name it by its day, such as 2026-12-02-series.md, and write it in one line: %v", name, err)
		}
	}
	released := filepath.Join(t.TempDir(), "changelog.md")
	_, rest, _ := strings.Cut(string(text), "\n## "+info.Version)
	if err := os.WriteFile(released, []byte("# Changelog\n\n## "+info.Version+rest), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := notes(released, info.Version)
	if err != nil || !strings.HasPrefix(strings.TrimSpace(out), "- ") || strings.Contains(out, "## ") {
		t.Errorf("the text of the release: %v\n%s", err, out)
	}
	// Cut, what has changed stands under its version, the newest first, and is released.
	cut := filepath.Join(t.TempDir(), "changelog.md")
	if err := os.MkdirAll(filepath.Join(filepath.Dir(cut), "changes"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"changelog.md": string(text), "changes/2026-12-01-one.md": "One.\n", "changes/2026-12-02-two.md": "Two.\n"} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(cut), name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "../../.ci/package", "cut", info.Version, "2 December 2026")
	cmd.Env = append(os.Environ(), "CHANGELOG="+cut)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	whole, err := os.ReadFile(cut)
	if want := "{changes}\n\n## " + info.Version + ", 2 December 2026\n\n- Two.\n- One.\n\n## "; err != nil || !strings.Contains(string(whole), want) {
		t.Errorf("no %q in %s (%v)", want, whole, err)
	}
	if out, err := notes(cut, info.Version); err != nil || !strings.HasPrefix(strings.TrimSpace(out), "- Two.") {
		t.Errorf("the text of the release: %v\n%s", err, out)
	}
	if out, err := notes(released, "99.0.0"); err == nil {
		t.Errorf("a tag of another version is released:\n%s", out)
	}
}

// A release is made for six systems and two kinds of packages, whose scripts leave it to "daybook install" what is made,
// and delete nothing. A tag is checked by .ci/run before, by the Go that all builds have.
func TestReleaseFiles(t *testing.T) {
	t.Parallel()
	var release struct {
		Builds []struct{ Goos, Goarch, Env, Flags, Ldflags []string }
		Nfpms  []struct {
			Formats []string
			Scripts map[string]string
		}
	}
	parsed(t, ".goreleaser.yaml", &release)
	if b := release.Builds; len(b) != 1 || !slices.Equal(b[0].Goos, []string{"linux", "darwin", "windows"}) ||
		!slices.Equal(b[0].Goarch, []string{"amd64", "arm64"}) || !slices.Contains(b[0].Env, "CGO_ENABLED=0") ||
		!strings.Contains(b[0].Ldflags[0], "daybook/app/cli.Version=") || !slices.Contains(b[0].Flags, "-trimpath") {
		t.Errorf("it builds %+v", b)
	}
	if n := release.Nfpms; len(n) != 1 || !slices.Equal(n[0].Formats, []string{"deb", "rpm"}) || len(n[0].Scripts) != 3 {
		t.Fatalf("it packs %+v", n)
	}
	for when, name := range release.Nfpms[0].Scripts {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if call := map[string]string{"postinstall": "/usr/bin/daybook install --yes", "preremove": "/usr/bin/daybook uninstall --yes"}[when]; !strings.Contains(string(text), call) {
			t.Errorf("%s doesn't call %s", name, call)
		}
		if regexp.MustCompile(`(?m)^[^#]*\b(rm|rmdir|userdel|deluser|shred|unlink|truncate|mv|cp)\b|>[^&]*/`).Match(text) {
			t.Errorf("%s deletes or writes something:\n%s", name, text)
		}
		if out, err := exec.Command("sh", "-n", "../../"+name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}

	type job struct {
		Needs, Uses, Container string
		Steps                  []struct{ Run string }
	}
	flows := map[string]map[string]job{}
	for _, name := range []string{"ci", "long", "release"} {
		var flow struct{ Jobs map[string]job }
		parsed(t, ".github/workflows/"+name+".yml", &flow)
		flows[name] = flow.Jobs
	}
	runs := func(flow, name, command string) bool {
		return slices.ContainsFunc(flows[flow][name].Steps, func(s struct{ Run string }) bool { return strings.HasPrefix(s.Run+" ", command+" ") })
	}
	if !runs("ci", "run", ".ci/run") || !runs("long", "run", ".ci/run long") || flows["release"]["check"].Uses != "./.github/workflows/ci.yml" ||
		flows["release"]["release"].Needs != "check" || flows["release"]["image"].Needs != "release" ||
		!runs("release", "release", ".ci/run tools") || !runs("release", "release", ".ci/package notes") {
		t.Errorf("a tag is not checked first: %+v", flows)
	}
	dockerfile, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	builder := regexp.MustCompile(`golang:[\w.-]+`).FindString(string(dockerfile))
	for _, c := range []string{flows["ci"]["run"].Container, flows["long"]["run"].Container, flows["release"]["release"].Container} {
		if c != builder {
			t.Errorf("%s is not the Dockerfile's %s", c, builder)
		}
	}
	for _, name := range []string{"fault", "idea"} {
		var form struct {
			Name, Description string
			Body              []struct{ Type, ID string }
		}
		parsed(t, ".github/ISSUE_TEMPLATE/"+name+".yml", &form)
		if form.Name == "" || form.Description == "" || len(form.Body) < 3 {
			t.Errorf("%s.yml: %+v", name, form)
		}
	}
	for _, name := range []string{".github/CONTRIBUTING.md", ".github/SECURITY.md", "README.md"} {
		text, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range regexp.MustCompile(`\]\(([^):#]+)\)`).FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join("../..", filepath.Dir(name), link[1])); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
