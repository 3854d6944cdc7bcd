package assets_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"daybook/assets"
)

func brand(hex string) ([]byte, bool) { return []byte(":root{--brand:#" + hex + "}"), hex == "2f5d50" }

func get(t *testing.T, h http.Handler, method, path string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, res *http.Response) []byte {
	t.Helper()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestHashedNamesAreKeptForEver(t *testing.T) {
	h := assets.Handler(brand)
	for name, contentType := range map[string]string{"page.css": "text/css; charset=utf-8", "page.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"} {
		res := get(t, h, "GET", assets.Path(name))
		if res.StatusCode != 200 || res.Header.Get("Content-Type") != contentType || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") ||
			res.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", name, res.StatusCode, res.Header)
		}
	}
	// A page of another release names another hash: it gets today's content, but not to keep.
	for _, path := range []string{"/assets/page.css", "/assets/page.000000000000.css"} {
		if res := get(t, h, "GET", path); res.StatusCode != 200 || strings.Contains(res.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %s", path, res.StatusCode, res.Header.Get("Cache-Control"))
		}
	}
}

func TestValidation(t *testing.T) {
	h := assets.Handler(nil)
	plain := get(t, h, "GET", assets.Path("page.css"))
	res := get(t, h, "GET", assets.Path("page.css"), "If-None-Match", `"x", W/`+plain.Header.Get("ETag"))
	if res.StatusCode != http.StatusNotModified || len(body(t, res)) != 0 {
		t.Errorf("If-None-Match: %d", res.StatusCode)
	}
	if res := get(t, h, "HEAD", assets.Path("page.css")); res.StatusCode != 200 || len(body(t, res)) != 0 || res.Header.Get("Content-Length") == "" {
		t.Errorf("HEAD: %d %v", res.StatusCode, res.Header)
	}
	if res := get(t, h, "POST", assets.Path("page.css")); res.StatusCode != 405 || res.Header.Get("Allow") == "" {
		t.Errorf("POST: %d", res.StatusCode)
	}
}

func TestUnknownAndUnsafeNames(t *testing.T) {
	h := assets.Handler(brand)
	for _, path := range []string{"/assets/", "/assets/x.css", "/assets/../go.mod", "/assets/static/page.css", "/assets/tokens.css", "/assets/embed.js",
		"/assets/brand-.css", "/assets/brand-ffffff.css", "/assets/brand-2f5d50", "/assets/brand-2f5d50.js", "/assets/brand-2f5d50;}.css", "/assets/page.css/"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.URL.Path = path
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	css, _ := brand("2f5d50")
	res := get(t, h, "GET", assets.BrandPath("2f5d50", css))
	if res.StatusCode != 200 || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") || !bytes.Equal(body(t, res), css) {
		t.Errorf("brand: %d %v", res.StatusCode, res.Header)
	}
}

func TestEmbedScript(t *testing.T) {
	res := get(t, assets.EmbedJS(), "GET", "/embed.js")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(body(t, res))
	z.Close()
	size := packed.Len()
	if res.StatusCode != 200 || size >= 4096 {
		t.Errorf("embed.js: status %d, %d bytes compressed, want under 4096", res.StatusCode, size)
	}
	t.Logf("embed.js: %d bytes compressed", size)
	if c := res.Header.Get("Cache-Control"); strings.Contains(c, "immutable") || !strings.Contains(c, "max-age") || res.Header.Get("ETag") == "" {
		t.Errorf("cache: %q", c)
	}
	script := string(body(t, get(t, assets.EmbedJS(), "GET", "/embed.js")))
	for _, never := range []string{"eval(", "innerHTML", "document.cookie", "localStorage", "setAttribute(\"style\""} {
		if strings.Contains(script, never) {
			t.Errorf("embed.js uses %s", never)
		}
	}
}

// Each place in the calendar that the grid has is a class of the served sheet, since a page may carry no inline style.
func TestGridHasEveryPlace(t *testing.T) {
	css := strings.ReplaceAll(string(body(t, get(t, assets.Handler(nil), "GET", assets.Path("dash.css")))), " {", "{")
	has := func(classes string) {
		t.Helper()
		for _, class := range strings.Fields(classes) {
			if !strings.Contains(css, "."+class+"{") {
				t.Errorf("dash.css has no class %s", class)
			}
		}
	}
	for n := range 24*60 + 1 {
		has(assets.GridTime(n, 1440-n))
	}
	for n := range 25 {
		has(assets.GridHours(n, 24-n))
	}
	for n := range 15 {
		has(assets.GridLane(n, n+1))
	}
}

// Sheets are read by people: no line is longer than a screen, hardly a rule beats all others, and a colour has its
// light and its dark form in one place.
func TestSheetsAreReadable(t *testing.T) {
	for _, sheet := range sheets(t) {
		content, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(content), "\n"); lines > 600 {
			t.Errorf("%s has %d lines: divide it, see the bundles in assets.go", sheet, lines)
		}
		important := 0
		for i, line := range strings.Split(string(content), "\n") {
			if len(line) > 128 {
				t.Errorf("%s:%d has %d bytes", sheet, i+1, len(line))
			}
			important += strings.Count(line, "!important")
		}
		if important > 4 {
			t.Errorf("%s has %d rules with !important", sheet, important)
		}
		if strings.Contains(string(content), "prefers-color-scheme") {
			t.Errorf("%s asks for the colour scheme; use light-dark()", sheet)
		}
	}
}

// The dashboard's script asks the server in one place, which has one way to say that no answer came.
func TestDashboardAsksInOnePlace(t *testing.T) {
	script, err := os.ReadFile("static/dash.js")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(script), "fetch("); n != 1 {
		t.Errorf("dash.js asks in %d places", n)
	}
}

// sheets are the paths of all style sheets.
func sheets(t *testing.T) (all []string) {
	t.Helper()
	for _, pattern := range []string{"static/*.css", "static/dash/*.css"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) < 3 {
			t.Fatalf("%s: %d sheets, %v", pattern, len(found), err)
		}
		all = append(all, found...)
	}
	return all
}

// Every sheet is sent, and every class that a sheet selects is one that pages have: a word in a string of a template, of
// a script, or of the Go code that puts a class together ("badge-" + tone, with "good" in a string of its own).
func TestSheetsSelectWhatPagesHave(t *testing.T) {
	served := string(body(t, get(t, assets.Handler(nil), "GET", assets.Path("dash.css")))) +
		string(body(t, get(t, assets.Handler(nil), "GET", assets.Path("page.css")))) +
		string(body(t, get(t, assets.Handler(nil), "GET", assets.Path("docs.css"))))
	words := map[string]bool{}
	word := regexp.MustCompile(`[A-Za-z0-9_]+(-+[A-Za-z0-9_]+)*-?`)
	quoted := regexp.MustCompile("\"[^\"\\n]*\"|`[^`]*`")
	for _, dir := range []string{"../views", "../views/dash", "../views/docs", "../app/rest", "../app/rest/docs", "../app/page", "../app/dashboard", "static",
		"../app/dashboard/calendar", "../app/booking",
		"../app/dashboard/integrations", "../app/dashboard/settings", "../app/dashboard/shop", "../app/dashboard/web"} {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			ext := filepath.Ext(f.Name())
			if ext != ".templ" && ext != ".go" && ext != ".js" || strings.HasSuffix(f.Name(), "_test.go") ||
				strings.HasSuffix(f.Name(), "_templ.go") {
				continue
			}
			content, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range quoted.FindAllString(string(content), -1) {
				for _, w := range word.FindAllString(text, -1) {
					words[w] = true
				}
			}
		}
	}
	used := func(class string) bool {
		if words[class] {
			return true
		}
		for i, c := range class {
			if c == '-' && words[class[:i+1]] && words[class[i+1:]] {
				return true
			}
		}
		return false
	}
	comment := regexp.MustCompile(`(?s)/\*.*?\*/`)
	selected := regexp.MustCompile(`\.([A-Za-z_][A-Za-z0-9_-]*)`)
	n := 0
	for _, sheet := range sheets(t) {
		content, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(served, string(content)) {
			t.Errorf("%s is part of no bundle", sheet)
		}
		for line := range strings.Lines(comment.ReplaceAllString(string(content), "")) {
			line, block, opens := strings.Cut(line, "{")
			if !opens && !strings.HasSuffix(strings.TrimSpace(line), ",") || strings.Contains(block, "data:") {
				continue // a declaration
			}
			for _, m := range selected.FindAllStringSubmatch(line, -1) {
				n++
				if !used(m[1]) {
					t.Errorf("%s: no page has the class %s", sheet, m[1])
				}
			}
		}
	}
	if n < 300 {
		t.Errorf("only %d selectors were looked at", n)
	}
}

// The dashboard's text has few sizes: those of tokens.css, and on paper millimetres.
func TestSizesOfTextAreSteps(t *testing.T) {
	files, err := filepath.Glob("static/dash/*.css")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	size := regexp.MustCompile(`font(?:-size)?:\s*([^;}]*)`)
	step := regexp.MustCompile(`^(var\(--(tiny|xxs|xs|sm|md|lg|xl|xxl|lead|button-main-text)\).*|inherit|[\d.]+mm)$`)
	for _, name := range files {
		css, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range size.FindAllStringSubmatch(string(css), -1) {
			if !step.MatchString(found[1]) {
				t.Errorf("%s: a size of its own: %s", name, found[1])
			}
		}
	}
}
