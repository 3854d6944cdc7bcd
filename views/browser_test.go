package views_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// needs skips a test whose outside tool is missing, or fails it where
// DAYBOOK_TEST_REQUIRE says that the tool must be there.
func needs(t testing.TB, tool string, there bool) {
	t.Helper()
	switch {
	case there:
	case slices.Contains(strings.Split(os.Getenv("DAYBOOK_TEST_REQUIRE"), ","), tool):
		t.Fatalf("this test needs: %s", tool)
	default:
		t.Skipf("this test needs: %s", tool)
	}
}

// browse starts a browser with one tab, for as long as the test runs.
func browse(t testing.TB) context.Context {
	t.Helper()
	path, err := exec.LookPath(cmp.Or(os.Getenv("DAYBOOK_CHROMIUM"), "chromium"))
	needs(t, "browser", err == nil)
	options := []chromedp.ExecAllocatorOption{chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath(path)}
	for _, flag := range []string{"disable-dev-shm-usage", "disable-background-networking", "disable-component-update", "disable-sync", "no-first-run", "hide-scrollbars"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	// A language like the pages', whatever the machine's is.
	options = append(options, chromedp.Flag("accept-lang", "en-US"), chromedp.Flag("lang", "en-US"))
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(options...))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	media(t, ctx, "light")
	do(t, ctx, chromedp.EmulateViewport(1280, 800))
	return ctx
}

func do(t testing.TB, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	for i, step := range steps {
		if err := chromedp.Do(ctx, step); err != nil {
			t.Fatalf("step %d: %v", i+1, err)
		}
	}
}

// follow clicks on what leads to another page, and waits for that.
func follow(t testing.TB, ctx context.Context, selector string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	if _, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector))); err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
}

func eval[T any](t testing.TB, ctx context.Context, js string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatalf("%s: %v", js, err)
	}
	return v
}

// until waits for an expression to become true, and says what it was when it never does.
func until(t testing.TB, ctx context.Context, js string) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		v, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+js+")"))
		if err == nil && v {
			return
		}
		if time.Now().After(deadline) {
			text, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body.innerText.slice(0,600)"))
			t.Fatalf("never true: %s (%v)\n%s", js, err, text)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func zoneOverride(t testing.TB, ctx context.Context, zone string) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: zone}); err != nil {
		t.Fatal(err)
	}
}

// media sets the visitor's system: its colours, and no motion, so that nothing moves away from a click.
func media(t testing.TB, ctx context.Context, theme string) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	}); err != nil {
		t.Fatal(err)
	}
}

type screen struct {
	name          string
	width, height int64
}

var screens = []screen{{"phone", 390, 844}, {"desktop", 1280, 800}}

func show(t testing.TB, ctx context.Context, url, theme string, s screen) {
	t.Helper()
	media(t, ctx, theme)
	do(t, ctx, chromedp.EmulateViewport(s.width, s.height), chromedp.Navigate(url))
}

func stateNames() []string { return slices.Sorted(maps.Keys(states)) }

func shot(t testing.TB, ctx context.Context, dir, name string, picture chromedp.Action[[]byte]) {
	t.Helper()
	png, err := chromedp.Run(ctx, picture)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}

// DAYBOOK_SHOTS=dir go test ./views -run Screenshots writes a picture of every state.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("DAYBOOK_SHOTS")
	if dir == "" {
		t.Skip("DAYBOOK_SHOTS names no directory")
	}
	ctx := browse(t)
	server := httptest.NewServer(fixtureDoor())
	defer server.Close()
	zoneOverride(t, ctx, "Europe/Berlin")
	for _, name := range stateNames() {
		if only := os.Getenv("DAYBOOK_SHOTS_ONLY"); only != "" && !strings.Contains(","+only+",", ","+name+",") {
			continue
		}
		for _, theme := range []string{"light", "dark"} {
			for _, s := range screens {
				show(t, ctx, server.URL+"/_state/"+name+"?timeZone=Europe/Berlin"+os.Getenv("DAYBOOK_SHOTS_QUERY"), theme, s)
				shot(t, ctx, dir, fmt.Sprintf("%s-%s-%s", name, s.name, theme), chromedp.FullScreenshot(100))
			}
		}
	}
}

// And of the page inside another site, in place and as a popup.
func TestEmbedScreenshots(t *testing.T) {
	dir := os.Getenv("DAYBOOK_SHOTS")
	if dir == "" {
		t.Skip("DAYBOOK_SHOTS names no directory")
	}
	ctx := browse(t)
	book := across(t)
	page := host(t, book, `<button id="p" data-service-popup="BOOK/salon/cut?timeZone=Europe/Berlin">Book now</button>
		<div id="a" data-service-url="BOOK/salon/cut?timeZone=Europe/Berlin"></div>`)
	for _, s := range screens {
		show(t, ctx, page, "light", s)
		happened(t, ctx, "resize", "a")
		shot(t, ctx, dir, "embed-inline-"+s.name, chromedp.CaptureScreenshot())
		do(t, ctx, chromedp.Click(css("#p")))
		happened(t, ctx, "resize", "p")
		shot(t, ctx, dir, "embed-popup-"+s.name, chromedp.CaptureScreenshot())
	}
}
