package browser_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
)

func TestMain(m *testing.M) { browser.Main(m) }

// What a test leaves in its profile the next one doesn't find, on a server of the same port either.
func TestAProfileIsEmptied(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Write([]byte("onfetch = () => {}"))
		default:
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<!doctype html><title>A page</title>"))
		}
	}))
	defer server.Close()
	const left = `(async () => [document.cookie, localStorage.length, sessionStorage.length, (await caches.keys()).length,
		(await navigator.serviceWorker.getRegistrations()).length].join())()`
	const leave = `(async () => {
		document.cookie = "session=1";
		localStorage.kept = sessionStorage.kept = "1";
		await caches.open("kept");
		await navigator.serviceWorker.register("/worker.js");
	})().then(() => ` + left + `)`
	ask := func(t *testing.T, ctx context.Context, js string) string {
		t.Helper()
		browser.Do(t, ctx, chromedp.Navigate(server.URL))
		got, err := chromedp.Run(ctx, chromedp.Evaluate[string](js, chromedp.EvalAwaitPromise))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	t.Run("one", func(t *testing.T) {
		if got := ask(t, browser.Open(t), leave); got != "session=1,1,1,1,1" {
			t.Errorf("it leaves %s", got)
		}
	})
	t.Run("next", func(t *testing.T) {
		if got := ask(t, browser.Open(t), left); got != ",0,0,0,0" {
			t.Errorf("it finds %s", got)
		}
	})
}
