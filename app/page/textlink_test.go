package page_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/page"
	"daybook/app/serve"
	"daybook/app/subjects"
	"daybook/app/text"
	"daybook/app/text/sms"
	"daybook/app/text/smstest"
	"daybook/app/vault"
	"daybook/app/when"
)

const (
	linkCode   = "0123456789ab"
	linkPath   = "/t/" + linkCode
	herNumber  = "+4915112345678"
	shopNumber = "+49 30 5550 100"
)

// newTexting is a salon that sends its texts by the phone.
func newTexting(t testing.TB) (*world, *smstest.Android) {
	t.Helper()
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	w := &world{Salon: apptest.New(t, apptest.Options{Empty: true, With: func(c *subjects.Config) {
		c.BaseURL.Host, c.Text = "book.example.com", text.Config{Allow: loopback, Version: "test"}
	}})}
	v, err := vault.NewVault(make([]byte, 32))
	w.Must(err)
	*w.Vault() = *v
	w.Apply(strings.Replace(salon, "currency: EUR}", `currency: EUR, phone: "`+shopNumber+`"}`, 1))
	door := page.New(w.Set, page.Options{})
	w.handler, err = serve.Handler(serve.Config{Routes: door.Routes, Pages: door.Pages,
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("127.0.0.0/8")}})
	w.Must(err)
	phone := smstest.NewAndroid()
	w.Must(w.Text.SetSender(t.Context(), w.Owner, &sms.Sender{Preset: sms.Android, URL: smstest.Start(t, phone), User: phone.User,
		Secret: sms.Secret(phone.Password), SigningKey: sms.Secret(phone.Signing)}))
	_, err = w.Upkeep.TakeOver(t.Context())
	w.Must(err)
	return w, phone
}

// hers is a booking with a telephone number.
func (w *world) hers(at string) booking.Booking {
	w.T.Helper()
	in := apptest.Input("cut", at, "mia")
	in.Invitee.TimeZone, in.Invitee.Phone = "Europe/Berlin", herNumber
	b, err := w.Book(w.T.Context(), w.Owner, in)
	w.Must(err)
	return b
}

// texted saves a text of a booking that was sent, and its link.
func (w *world) texted(b *booking.Booking, k catalog.TextKind, f text.Facts) text.Text {
	w.T.Helper()
	now := w.Clock.Now()
	x := text.Text{ID: id.New[text.TextIDKind](now), WorkspaceID: w.Workspace.ID, BookingID: b.ID, Kind: k, To: herNumber, CreatedAt: when.At(now),
		DueAt: when.At(now).Add(1000 * when.Day), Until: when.At(now).Add(1001 * when.Day), Facts: f}
	sum := sha256.Sum256([]byte(linkCode))
	w.Must(w.Store.Write(w.T.Context(), func(tx app.Tx) error {
		if err := tx.(text.Tx).InsertTexts(x); err != nil {
			return err
		}
		return tx.(text.Tx).SaveTextLink(x.WorkspaceID, sum[:], x.ID, when.At(now).Add(90*when.Day))
	}))
	return x
}

var asks = text.Facts{Mail: catalog.MailReminder, Asks: true}

// The link of a text shows what it is about and nobody's details, takes an answer by a button only, and ends with the booking.
func TestTextLink(t *testing.T) {
	w, _ := newTexting(t)
	b := w.hers("1T10:00")
	w.texted(&b, catalog.TextReminder, asks)
	wants := func(text string, status int) {
		t.Helper()
		a := w.get(linkPath)
		if a.StatusCode != status || !strings.Contains(a.text, text) {
			t.Errorf("%d without %q: %.3000s", a.StatusCode, text, a.text)
		}
		for _, no := range []string{"mia", path(b.ManageURL), "mail.example", herNumber, "1512345678", "/pay"} {
			if strings.Contains(a.text, no) {
				t.Errorf("it shows %q", no)
			}
		}
		h := a.Header
		if h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Robots-Tag") != "noindex" ||
			h.Get("X-Frame-Options") != "DENY" {
			t.Errorf("headers %v", h)
		}
	}
	for range 3 {
		wants("Haircut", 200)
		w.send("HEAD", linkPath, nil)
		w.get(linkPath + "?answer=yes")
	}
	wants("Oranienstraße 25, Berlin", 200)
	if got := w.answered(b); got != "" {
		t.Fatalf("a look answered %q", got)
	}
	for _, c := range []struct{ answer, shows string }{{"yes", "You’re coming"}, {"no", "You can’t come"}, {"yes", "You’re coming"}} {
		a := w.send("POST", linkPath, url.Values{"answer": {c.answer}})
		if got := w.answered(b); a.StatusCode != 303 || a.Header.Get("Location") != linkPath || string(got) != c.answer {
			t.Errorf("%d, and said %q", a.StatusCode, got)
		}
		wants(c.shows, 200)
	}
	moved, err := w.Reschedule(t.Context(), w.Owner, b.ID.String(), booking.RescheduleInput{Start: apptest.At("1T14:00")})
	w.Must(err)
	wants(`datetime="`+moved.Start.Time().UTC().Format(time.RFC3339), 200)
	if a := w.get(linkPath, "Accept-Language", "de"); !strings.Contains(a.text, "Kommen Sie?") {
		t.Error("it isn't in German")
	}
	w.Clock.Set(moved.Start.Time())
	wants("expects you", 200)
	w.send("POST", linkPath, url.Values{"answer": {"no"}})
	if got := w.answered(b); got == "no" {
		t.Error("answered after the start")
	}
	w.Clock.Set(moved.End.Time())
	wants(`href="tel:+49305550100"`, 200)
	if a := w.get(linkPath); strings.Contains(a.text, "Haircut") || !strings.Contains(a.text, "This is over") {
		t.Errorf("it isn't over: %.2000s", a.text)
	}
}

// A workspace had the slug t before there were short links: its pages stay.
func TestTextLinksLeaveTheSlugT(t *testing.T) {
	w, _ := newTexting(t)
	b := w.hers("1T10:00")
	w.texted(&b, catalog.TextReminder, text.Facts{Mail: catalog.MailReminder})
	w.Must(w.SQL(`UPDATE workspaces SET slug = 't', revision = revision + 1`))
	for path, want := range map[string]string{"/t": "Haircut", "/t/cut": "Haircut", "/t/_me": "My bookings", linkPath: "Haircut"} {
		if a := w.get(path); a.StatusCode != 200 || !strings.Contains(a.text, want) {
			t.Errorf("%s: %d %.300s", path, a.StatusCode, a.text)
		}
	}
	if a := w.get("/t/zzzzzzzzzzzz"); a.StatusCode != 404 {
		t.Errorf("a wrong link: %d", a.StatusCode)
	}
}

// A booking that is cancelled is over for the link, which sends no codes any more.
func TestTextLinksEnd(t *testing.T) {
	w, _ := newTexting(t)
	b := w.hers("1T10:00")
	w.texted(&b, catalog.TextConfirmed, text.Facts{Mail: catalog.MailConfirmed})
	if a := w.get(linkPath); a.StatusCode != 200 || !strings.Contains(a.text, "expects you") || strings.Contains(a.text, `name="answer"`) {
		t.Errorf("%d: %.2000s", a.StatusCode, a.text)
	}
	_, err := w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
	w.Must(err)
	for _, a := range []answer{w.get(linkPath), w.send("POST", linkPath, url.Values{"do": {"send"}})} {
		if strings.Contains(a.text, "Haircut") || !strings.Contains(a.text, "This is over") {
			t.Errorf("%d: %.2000s", a.StatusCode, a.text)
		}
	}
	if n := len(w.log()); n != 1 {
		t.Errorf("%d texts", n)
	}
}

// log is what was texted, the latest first.
func (w *world) log() []text.Text {
	w.T.Helper()
	all, err := w.Text.Texts(w.T.Context(), w.Owner, text.ListInput{})
	w.Must(err)
	return all.Data
}

// Whoever guesses links is shown no more after twenty misses in an hour, from a whole /48.
func TestGuessedTextLinks(t *testing.T) {
	w, _ := newTexting(t)
	b := w.hers("1T10:00")
	w.texted(&b, catalog.TextReminder, asks)
	from := func(path, address string) int { return w.get(path, "X-Forwarded-For", address).StatusCode }
	for i := range 20 {
		if got := from(fmt.Sprintf("/t/00000000%04d", i), fmt.Sprintf("2001:db8:1:%x::1", i)); got != 404 {
			t.Fatalf("miss %d: %d", i, got)
		}
	}
	for at, want := range map[string]int{"2001:db8:1:ffff::9": 429, "2001:db8:2::1": 200, "203.0.113.7": 200} {
		if got := from(linkPath, at); got != want {
			t.Errorf("%s gets %d, want %d", at, got, want)
		}
	}
	if a := w.get("/t/none", "X-Forwarded-For", "203.0.113.7"); a.StatusCode != 404 || !strings.Contains(a.text, "latest text") {
		t.Errorf("%d: %.2000s", a.StatusCode, a.text)
	}
	w.Clock.Set(w.Clock.Now().Add(time.Hour))
	if got := from(linkPath, "2001:db8:1:ffff::9"); got != 200 {
		t.Errorf("an hour later %d", got)
	}
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// Moving and cancelling go on with a code that comes to the number.
func TestTextLinkLeadsOnByACode(t *testing.T) {
	w, phone := newTexting(t)
	b := w.hers("1T10:00")
	x := w.texted(&b, catalog.TextReminder, asks)
	stop := w.Run(text.NewLoop(text.LoopConfig{Service: w.Text}))
	defer stop()
	send := func(pairs ...string) answer {
		form := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		return w.send("POST", linkPath, form)
	}
	if a := send("do", "check", "code", "123456"); a.StatusCode != 422 {
		t.Errorf("with no code sent: %d", a.StatusCode)
	}
	if a := send("do", "send"); a.StatusCode != 303 || a.Header.Get("Location") != linkPath+"?code=sent" {
		t.Fatalf("%d to %s: %.2000s", a.StatusCode, a.Header.Get("Location"), a.text)
	}
	apptest.Eventually(t, "the code comes", func() bool { return len(phone.Sent()) == 1 })
	got := phone.Sent()[0]
	code := sixDigits.FindString(got.Text)
	if got.To != herNumber || code == "" || strings.Contains(got.Text, "/t/") {
		t.Fatalf("%+v", got)
	}
	if a := w.get(linkPath + "?code=sent"); !strings.Contains(a.text, `autocomplete="one-time-code"`) || strings.Contains(a.text, code) {
		t.Errorf("%.3000s", a.text)
	}
	wrong := "000000"
	if code == wrong {
		wrong = "000001"
	}
	for range 3 {
		if a := send("do", "check", "code", wrong); a.StatusCode != 422 || strings.Contains(a.text, path(b.ManageURL)) {
			t.Errorf("a wrong code: %d", a.StatusCode)
		}
	}
	if a := send("do", "check", "code", code[:3]+" "+code[3:]); a.StatusCode != 303 || a.Header.Get("Location") != path(b.ManageURL) {
		t.Errorf("the code: %d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	send("do", "check", "code", wrong)
	if a := send("do", "check", "code", code); a.StatusCode != 429 {
		t.Errorf("a sixth try: %d", a.StatusCode)
	}
	for i, want := range []int{303, 303, 429} {
		if a := send("do", "send"); a.StatusCode != want {
			t.Errorf("code %d: %d", i+2, a.StatusCode)
		}
	}
	apptest.Eventually(t, "the others come", func() bool { return len(phone.Sent()) == 3 })
	w.Clock.Set(w.Clock.Now().Add(61 * time.Minute))
	if a := send("do", "send"); a.StatusCode != http.StatusConflict {
		t.Errorf("a fourth in a day: %d", a.StatusCode)
	}
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return w.Text.Stop(tx, x.WorkspaceID, herNumber) }))
	w.Clock.Set(w.Clock.Now().Add(2 * time.Minute))
	if a := send("do", "send"); a.StatusCode != http.StatusConflict {
		t.Errorf("after STOP: %d", a.StatusCode)
	}
}

// A customer gets the reminder on their phone, opens the link in it and answers; nothing needs a script.
func TestAnswerByTextLinkOnAPhone(t *testing.T) {
	ctx, axe := browser.Open(t), browser.Axe(t)
	w, _ := newTexting(t)
	b := w.hers("1T10:00")
	w.texted(&b, catalog.TextReminder, asks)
	base := w.open()
	browser.Do(t, ctx, chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch))
	browser.Language(t, ctx, "de-DE")
	browser.Do(t, ctx, chromedp.Navigate(base+linkPath))
	fits := func(what string) {
		t.Helper()
		browser.Accessible(t, ctx, axe)
		if wide := browser.Eval[int](t, ctx, `document.documentElement.scrollWidth`); wide > 390 {
			t.Errorf("%s is %d px wide", what, wide)
		}
		if small := browser.Eval[int](t, ctx, `[...document.querySelectorAll(".coming button")].filter(x => x.getBoundingClientRect().height < 44).length`); small > 0 {
			t.Errorf("%s: %d buttons are too small for a thumb", what, small)
		}
	}
	fits("the question")
	browser.Do(t, ctx, chromedp.Click(browser.CSS(`.coming button[value=yes]`)))
	browser.Until(t, ctx, `document.querySelector("[data-answer=yes]")`)
	fits("the answer")
	if got := w.answered(b); got != booking.ComingYes {
		t.Errorf("said %q", got)
	}
	browser.Do(t, ctx, chromedp.Navigate(base+linkPath+"?code=sent"))
	fits("asking for the code")
}

// The link of a text with a receipt shows it as it is now, without a name, for 30 days.
func TestTextLinkOfAReceipt(t *testing.T) {
	w, _ := newTexting(t)
	b := w.hers("1T09:00")
	paid, err := w.Counter.Record(t.Context(), w.Owner, b.ID.String(), counter.Input{Amount: 4500, Method: booking.ByCash})
	w.Must(err)
	r, err := w.Counter.Receipt(t.Context(), w.Owner, paid.Payments[0].Receipt.String())
	w.Must(err)
	x := w.texted(&b, catalog.TextReceipt, text.Facts{Mail: catalog.MailReceipt, Told: mail.Facts{Receipt: &r}})
	link := text.LinkPath + linkCode
	if a := w.get(link); a.StatusCode != http.StatusOK || !strings.Contains(a.text, r.Number) || !strings.Contains(a.text, "Haircut") || strings.Contains(a.text, "mia") {
		t.Errorf("%d: %s", a.StatusCode, a.text)
	}
	_, err = w.Counter.GiveBack(t.Context(), w.Owner, paid.Payments[0].ID.String(), nil)
	w.Must(err)
	if a := w.get(link); !strings.Contains(a.text, "taken back by reversal") {
		t.Error("it doesn't say that it was taken back")
	}
	w.Clock.Set(x.ID.MadeAt().Add(30*24*time.Hour + time.Minute))
	if a := w.get(link); strings.Contains(a.text, r.Number) || !strings.Contains(a.text, shopNumber) {
		t.Errorf("after 30 days: %s", a.text)
	}
}
