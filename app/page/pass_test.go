package page_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/page"
)

// voucher sells a voucher for cash, and returns its id and its code.
func (w *world) voucher(amount int64) (ref, code string) {
	w.T.Helper()
	sale, err := w.Counter.Sell(w.T.Context(), w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{{Kind: counter.VoucherLine, Amount: &amount}},
		Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: amount}}})
	w.Must(err)
	ref = sale.Lines[0].PassID.String()
	code, _, err = w.Pass.PassCode(w.T.Context(), w.Owner, ref)
	w.Must(err)
	return ref, code
}

func (w *world) wantLeft(ref string, want int64) {
	w.T.Helper()
	if p, err := w.Pass.Pass(w.T.Context(), w.Owner, ref); err != nil || p.Balance != want {
		w.T.Errorf("the voucher has %d left, want %d: %v", p.Balance, want, err)
	}
}

// Where a shop has sold a voucher, its code pays on the booking page: what it can't pay stays due on site. Cancelled in time it
// comes back, later it is used up, and the page says so before.
func TestVoucherPaysOnThePage(t *testing.T) {
	w := newWorld(t, page.Options{})
	const at = "/salon/cut?timeZone=Europe/Berlin&lang=en&start="
	if form := w.get(at + "2026-12-02T09:00:00Z"); strings.Contains(form.text, `name="pass"`) {
		t.Error("a code is asked for where nobody has one")
	}
	ref, code := w.voucher(6000)
	if form := w.get("/salon/course?start=2026-12-01T08:00:00Z"); strings.Contains(form.text, `name="pass"`) {
		t.Error("a code is asked for where nothing is to be paid")
	}
	book := func(start, person, code string) (answer, string) {
		t.Helper()
		action, sent := w.formFor(at+start, person)
		sent.Set("pass", code)
		a := w.send("POST", action, sent)
		return a, a.Header.Get("Location")
	}
	for code, want := range map[string]string{"nothing": "No pass or voucher has this code", "0000-0000-0000-0000": "No pass or voucher has this code",
		strings.Repeat("9", 70): "No pass or voucher has this code"} {
		if a, _ := book("2026-12-02T09:00:00Z", "mia", code); a.StatusCode != 422 || !strings.Contains(a.text, want) || !strings.Contains(a.text, `<details class="repeat" open`) {
			t.Errorf("%s: %d: %s", code, a.StatusCode, a.text)
		}
	}
	a, first := book("2026-12-02T09:00:00Z", "mia", strings.ToLower(strings.ReplaceAll(code, "-", " ")))
	if a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%d: %s", a.StatusCode, a.text)
	}
	w.wantLeft(ref, 1500)
	w.says("paid whole", first, "€45 with a pass or voucher", "paid")
	_, second := book("2026-12-03T09:00:00Z", "leo", code)
	w.wantLeft(ref, 0)
	w.says("paid in part", second, "€15 with a pass or voucher, €30 on site")
	if a, _ := book("2026-12-03T11:00:00Z", "eva", code); a.StatusCode != 422 || !strings.Contains(a.text, "nothing is left on it") {
		t.Errorf("%d: %s", a.StatusCode, a.text)
	}
	w.says("late", cancelOf(second), "What your pass or voucher paid comes back to it")
	w.Clock.Set(time.Date(2026, 12, 2, 8, 0, 0, 0, time.UTC))
	if a := w.send("POST", cancelOf(second), w.get(cancelOf(second)).hidden()); a.StatusCode != http.StatusSeeOther {
		t.Errorf("%d: %s", a.StatusCode, a.text)
	}
	w.wantLeft(ref, 1500)
}

// cancelOf is the page that cancels the booking of that page.
func cancelOf(page string) string {
	at, _, _ := strings.Cut(page, "?")
	return at + "/cancel?lang=en"
}

// Nobody finds a code by trying: an address has twenty tries in an hour, and then not even the right one is heard.
func TestCodesAreNotFoundByTrying(t *testing.T) {
	w := newWorld(t, page.Options{BookingsPerHour: 1000})
	ref, code := w.voucher(6000)
	action, sent := w.formFor("/salon/cut?timeZone=Europe/Berlin&start=2026-12-02T09:00:00Z", "mia")
	for i := range 20 {
		sent.Set("pass", "0000-0000-0000-0000")
		if a := w.send("POST", action, sent, "X-Forwarded-For", "203.0.113.9"); a.StatusCode != 422 {
			t.Fatalf("try %d: %d", i, a.StatusCode)
		}
	}
	sent.Set("pass", code)
	if a := w.send("POST", action, sent, "X-Forwarded-For", "203.0.113.9"); a.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the 21st try: %d", a.StatusCode)
	}
	w.wantLeft(ref, 6000)
	if a := w.send("POST", action, sent, "X-Forwarded-For", "203.0.113.10"); a.StatusCode != http.StatusSeeOther {
		t.Errorf("from elsewhere: %d", a.StatusCode)
	}
	w.wantLeft(ref, 1500)
}

// On a telephone the code is behind one tap, a wrong one is said beside its field, and nothing that was typed is lost.
func TestVoucherOnATelephone(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	ref, code := w.voucher(5000)
	base, axe := w.open(), browser.Axe(t)
	browser.Resize(t, ctx, 390, 844)
	browser.Do(t, ctx, chromedp.Navigate(base+"/salon/cut?lang=de&timeZone=Europe/Berlin&start=2026-12-02T09:00:00Z"))
	fillIn(t, ctx, "Mia")
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`details.repeat:has([name=pass]) summary`)), chromedp.SendKeys(browser.CSS(`[name=pass]`), "AAAA-AAAA-AAAA-AAAA"))
	browser.Follow(t, ctx, `.actions button`)
	if text := browser.Text(ctx); !strings.Contains(text, "gibt es weder Gutschein noch Mehrfachkarte") {
		t.Error(text)
	}
	browser.Accessible(t, ctx, axe)
	browser.Uncovered(t, ctx, "pass")
	browser.Do(t, ctx, chromedp.Clear(browser.CSS(`[name=pass]`)), chromedp.SendKeys(browser.CSS(`[name=pass]`), code))
	browser.Follow(t, ctx, `.actions button`)
	if text := strings.ReplaceAll(browser.Text(ctx), "\u00a0", " "); !strings.Contains(text, "45 € mit Gutschein oder Mehrfachkarte") {
		t.Error(text)
	}
	w.wantLeft(ref, 500)
}
