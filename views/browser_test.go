package views_test

import (
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"daybook/app/apptest/browser"

	"github.com/chromedp/chromedp"
)

func TestMain(m *testing.M) { browser.Main(m) }

type screen struct {
	name          string
	width, height int64
}

var screens = []screen{{"phone", 390, 844}, {"desktop", 1280, 800}}

func show(t testing.TB, ctx context.Context, url, theme string, s screen) {
	t.Helper()
	browser.Media(t, ctx, theme)
	browser.Do(t, ctx, chromedp.EmulateViewport(s.width, s.height), chromedp.Navigate(url))
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
	ctx := browser.Open(t)
	server := httptest.NewServer(fixtureDoor())
	defer server.Close()
	browser.Zone(t, ctx, "Europe/Berlin")
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
	ctx := browser.Open(t)
	book := across(t)
	page := host(t, book, `<button id="p" data-service-popup="BOOK/salon/cut?timeZone=Europe/Berlin">Book now</button>
		<div id="a" data-service-url="BOOK/salon/cut?timeZone=Europe/Berlin"></div>`)
	for _, s := range screens {
		show(t, ctx, page, "light", s)
		happened(t, ctx, "resize", "a")
		shot(t, ctx, dir, "embed-inline-"+s.name, chromedp.CaptureScreenshot())
		browser.Do(t, ctx, chromedp.Click(browser.CSS("#p")))
		happened(t, ctx, "resize", "p")
		shot(t, ctx, dir, "embed-popup-"+s.name, chromedp.CaptureScreenshot())
	}
}
