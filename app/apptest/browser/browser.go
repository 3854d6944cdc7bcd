// Package browser gives a package's tests one Chromium, and each test a tab in a profile of its own. Only tests import
// it. A package that uses it has
//
//	func TestMain(m *testing.M) { browser.Main(m) }
//
// The browser is chromium-headless-shell where it is installed: Chromium's engine without a browser's windows, menus and
// services, which a profile of the whole browser starts each time, and which take more than half of its processor time.
// What only the whole browser has, such as notifications, is tried in OpenWhole.
package browser

import (
	"context"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"daybook/app/apptest/outside"
)

// CSS is a selector.
type CSS = chromedp.CSS

var (
	engine = sync.OnceValues(func() (context.Context, error) { return start("chromium-headless-shell", "chromium") })
	whole  = sync.OnceValues(func() (context.Context, error) { return start("chromium") })
	quit   []func() // nil without Main
)

// Main runs the tests of a package, ends the browsers that they have used, and exits.
func Main(m *testing.M) {
	quit = []func(){}
	code := m.Run()
	for _, end := range quit {
		end()
	}
	os.Exit(code)
}

// start starts the first of these programs that there is, or what DAYBOOK_CHROMIUM names.
func start(programs ...string) (context.Context, error) {
	if other := os.Getenv("DAYBOOK_CHROMIUM"); other != "" {
		programs = []string{other}
	}
	var path string
	var err error
	for _, program := range programs {
		if path, err = exec.LookPath(program); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	options := []chromedp.ExecAllocatorOption{chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath(path)}
	for _, flag := range []string{"disable-dev-shm-usage", "disable-background-networking", "disable-component-update",
		"disable-sync", "no-first-run", "hide-scrollbars",
		"site-per-process"} { // a frame of another site in a process of its own, as people's browsers have it
		options = append(options, chromedp.Flag(flag, true))
	}
	// A language like the pages', whatever the machine's is.
	options = append(options, chromedp.Flag("accept-lang", "en-US"), chromedp.Flag("lang", "en-US"))
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(options...))
	quit = append(quit, cancel)
	return ctx, chromedp.Do(ctx)
}

// Open opens a tab in a profile without cookies, until the test ends: 1280 by 800, light, without motion. With
// DAYBOOK_TEST_BROWSER=no it skips the test.
func Open(t testing.TB) context.Context {
	t.Helper()
	all := started(t, engine)
	mu.Lock()
	var profile context.Context
	if n := len(free); n > 0 {
		profile, free = free[n-1], free[:n-1]
	}
	mu.Unlock()
	if profile == nil {
		profile, _ = chromedp.NewContext(all, chromedp.WithNewBrowserContext()) // ends with the browser
		must(t, chromedp.Do(profile))
	}
	t.Cleanup(func() {
		if emptied(profile) == nil {
			mu.Lock()
			free = append(free, profile)
			mu.Unlock()
		}
	})
	return tab(t, profile)
}

// free are the profiles that no test uses. A new one costs 0.4 s of processor time, most of it for the process of its
// first page.
var (
	mu   sync.Mutex
	free []context.Context
)

// emptied removes what a profile remembers: cookies, which all ports of this machine share, and what pages have stored,
// which the server of a later test would find if it got the same port.
func emptied(profile context.Context) error {
	ctx, cancel := context.WithTimeout(profile, 10*time.Second)
	defer cancel()
	_, err := chromedp.Call(ctx, network.ClearBrowserCookies, cdp.Empty{})
	if err != nil {
		return err
	}
	_, err = chromedp.Call(ctx, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: "*", StorageTypes: "all"})
	return err
}

// OpenWhole is like Open, with the whole browser, of which a package's tests start one as well, and in a new profile.
func OpenWhole(t testing.TB) context.Context {
	t.Helper()
	return tab(t, started(t, whole), chromedp.WithNewBrowserContext())
}

// started returns a browser, which it starts if need be.
func started(t testing.TB, start func() (context.Context, error)) context.Context {
	t.Helper()
	if quit == nil {
		t.Fatal("give this package a TestMain that calls browser.Main, which ends the browser")
	}
	if os.Getenv("DAYBOOK_TEST_BROWSER") == "no" {
		t.Skip("DAYBOOK_TEST_BROWSER=no: pages are looked at on another engine")
	}
	all, err := start()
	if all == nil {
		outside.Needs(t, "browser", err)
	}
	must(t, err)
	return all
}

// tab opens a tab beside that of the context.
func tab(t testing.TB, beside context.Context, options ...chromedp.ContextOption) context.Context {
	t.Helper()
	ctx, cancel := chromedp.NewContext(beside, options...)
	t.Cleanup(cancel)
	must(t, chromedp.Do(ctx))
	ctx, stop := context.WithTimeout(ctx, limit(t))
	t.Cleanup(stop)
	Media(t, ctx, "light")
	Do(t, ctx, chromedp.EmulateViewport(1280, 800))
	return ctx
}

// limit returns how long a tab may be used: until shortly before the tests of the package are out of time, so that a
// browser that hangs fails its test and not all of them. A test of many pages takes minutes on a busy machine.
func limit(t testing.TB) time.Duration {
	if timed, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if end, ok := timed.Deadline(); ok {
			return time.Until(end) - 20*time.Second
		}
	}
	return 10 * time.Minute
}

// Tab opens another tab with the same cookies.
func Tab(t testing.TB, ctx context.Context) context.Context {
	t.Helper()
	other, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	must(t, chromedp.Do(other))
	return other
}

// Do runs the steps, within 30 seconds in all.
func Do(t testing.TB, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	short, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for i, step := range steps {
		if err := chromedp.Do(short, step); err != nil {
			t.Fatalf("step %d: %v\n%s", i+1, err, Text(ctx))
		}
	}
}

// Follow clicks on a link or button that leads to another page, and waits for that page.
func Follow(t testing.TB, ctx context.Context, selector string) {
	t.Helper()
	short, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if _, err := chromedp.RunResponse(short, chromedp.Click(CSS(selector))); err != nil {
		t.Fatalf("%s: %v\n%s", selector, err, Text(ctx))
	}
}

// Eval returns the value of an expression.
func Eval[T any](t testing.TB, ctx context.Context, js string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js))
	if err != nil {
		t.Fatalf("%.500s: %v", js, err)
	}
	return v
}

// Until waits up to a minute for an expression to become true, and says what there was when it never does.
func Until(t testing.TB, ctx context.Context, js string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		v, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+js+")"))
		if err == nil && v {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("never true: %s (%v)\n%s", js, err, Text(ctx))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Text returns the address and the beginning of the page's text.
func Text(ctx context.Context) string {
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("location.href+'\\n'+document.body.innerText.slice(0,1500)"))
	if err != nil {
		return err.Error()
	}
	return text
}

// Zone sets the visitor's time zone.
func Zone(t testing.TB, ctx context.Context, zone string) {
	t.Helper()
	_, err := chromedp.Call(ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: zone})
	must(t, err)
}

// Language sets the language that the visitor's browser asks for.
func Language(t testing.TB, ctx context.Context, language string) {
	t.Helper()
	_, err := chromedp.Call(ctx, network.SetExtraHTTPHeaders,
		network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": language}})
	must(t, err)
}

// Media sets the visitor's system: its colours, and no motion, so that nothing moves away from a click.
func Media(t testing.TB, ctx context.Context, theme string) {
	t.Helper()
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme},
			{Name: "prefers-reduced-motion", Value: "reduce"}},
	})
	must(t, err)
}

// Resize gives the window another size, and waits until the page has been drawn in it.
func Resize(t testing.TB, ctx context.Context, width, height int64) {
	t.Helper()
	Do(t, ctx, chromedp.EmulateViewport(width, height))
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](
		"new Promise(drawn=>requestAnimationFrame(()=>requestAnimationFrame(()=>drawn(true))))", chromedp.EvalAwaitPromise))
	must(t, err)
}

// NoScript turns off the scripts of pages.
func NoScript(t testing.TB, ctx context.Context) {
	t.Helper()
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
}

// Shot writes a picture of the whole page into dir.
func Shot(t testing.TB, ctx context.Context, dir, name string) {
	t.Helper()
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
}

// Axe returns the script of axe-core, the part "axe" of package outside.
func Axe(t testing.TB) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(outside.Modules(t, "axe", "axe-core"), "axe-core/axe.min.js"))
	must(t, err)
	return string(source)
}

// Scanned returns what a camera would read of the code of a picture, in PNG, by jsQR, the part "jsqr" of package outside.
// It leaves the page.
func Scanned(t testing.TB, ctx context.Context, png []byte) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(outside.Modules(t, "jsqr", "jsqr"), "jsqr/dist/jsQR.js"))
	must(t, err)
	_, err = chromedp.Run(ctx, chromedp.Navigate("about:blank"))
	must(t, err)
	Eval[chromedp.Void](t, ctx, string(source))
	read, err := chromedp.Run(ctx, chromedp.Evaluate[string](fmt.Sprintf(`(async () => {
		const bytes = Uint8Array.from(atob(%q), (c) => c.charCodeAt(0));
		const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
		const canvas = new OffscreenCanvas(picture.width, picture.height), at = canvas.getContext("2d");
		at.drawImage(picture, 0, 0);
		const all = at.getImageData(0, 0, picture.width, picture.height);
		return jsQR(all.data, all.width, all.height)?.data ?? "";
	})()`, base64.StdEncoding.EncodeToString(png)), chromedp.EvalAwaitPromise))
	must(t, err)
	return read
}

const runAxe = `axe.run(document,{runOnly:%s,
	resultTypes:["violations"]}).then(r=>
	r.violations.map(v=>v.id+": "+v.help+"\n"+v.nodes.slice(0,3).map(n=>"    "+n.html.slice(0,160)+
	"\n      "+n.failureSummary.replace(/\s+/g," ")).join("\n")).join("\n"))`

// Accessible fails the test if the page breaks a rule of WCAG 2.2 AA that axe can check: all of them in the light, and
// those of colours in the dark. It leaves the page in the light. To load a page and axe takes as long as to check it, so
// a page is checked in a window of another size after Resize, without loading it again.
func Accessible(t testing.TB, ctx context.Context, axe string) {
	t.Helper()
	if !Eval[bool](t, ctx, `"axe" in window`) {
		Eval[chromedp.Void](t, ctx, axe)
	}
	for _, look := range []struct{ theme, rules string }{
		{"dark", `["color-contrast","link-in-text-block"]`},
		{"light", `["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"]`},
	} {
		Media(t, ctx, look.theme)
		found, err := chromedp.Run(ctx,
			chromedp.Evaluate[string](fmt.Sprintf(runAxe, look.rules), chromedp.EvalAwaitPromise))
		must(t, err)
		if found = strings.TrimSpace(found); found != "" {
			t.Errorf("%s: %s", look.theme, found)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
