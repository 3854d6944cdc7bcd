package page_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"daybook/app/apptest/browser"

	"github.com/chromedp/chromedp"
)

func TestMain(m *testing.M) { browser.Main(m) }

// open serves the world's door on a port of its own, for browsers.
func (w *world) open() string {
	w.T.Helper()
	server := httptest.NewServer(w.handler)
	w.T.Cleanup(server.Close)
	return server.URL
}

func fillIn(t testing.TB, ctx context.Context, person string) {
	t.Helper()
	browser.Do(t, ctx,
		chromedp.SendKeys(browser.CSS(`[name=name]`), person),
		chromedp.SendKeys(browser.CSS(`[name=email]`), strings.ToLower(person)+"@mail.example"),
		chromedp.SendKeys(browser.CSS(`[name=notes]`), "Just the tips"))
}

const (
	bookingID = `document.querySelector("[data-booking-id]")?.dataset.bookingId||""`
	focused   = `(document.activeElement.id||document.activeElement.dataset.day||document.activeElement.dataset.start||document.activeElement.name)`
)
