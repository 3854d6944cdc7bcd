package page_test

import (
	"cmp"
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

type css = chromedp.CSS

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

// open serves the world's door on a port of its own, for browsers.
func (w *world) open() string {
	w.t.Helper()
	server := httptest.NewServer(w.handler)
	w.t.Cleanup(server.Close)
	return server.URL
}

func noScript(t testing.TB, ctx context.Context) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
}

// tab is another tab of the same browser.
func tab(t testing.TB, ctx context.Context) context.Context {
	t.Helper()
	other, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(other); err != nil {
		t.Fatal(err)
	}
	return other
}

func fillIn(t testing.TB, ctx context.Context, person string) {
	t.Helper()
	do(t, ctx,
		chromedp.SendKeys(css(`[name=name]`), person),
		chromedp.SendKeys(css(`[name=email]`), strings.ToLower(person)+"@mail.example"),
		chromedp.SendKeys(css(`[name=notes]`), "Just the tips"))
}

const (
	bookingID = `document.querySelector("[data-booking-id]")?.dataset.bookingId||""`
	focused   = `(document.activeElement.id||document.activeElement.dataset.day||document.activeElement.dataset.start||document.activeElement.name)`
)
