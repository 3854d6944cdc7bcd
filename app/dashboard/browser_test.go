package dashboard

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"daybook/app/record"
	"daybook/views/dash"
)

// needs skips a test whose outside tool is missing, or fails it where DAYBOOK_TEST_REQUIRE says that it must be there.
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

// tab is a browser with one tab, for as long as the test runs.
type tab struct {
	t   testing.TB
	ctx context.Context
	url string
}

func (w *world) browse() *tab {
	w.t.Helper()
	path, err := exec.LookPath(cmp.Or(os.Getenv("DAYBOOK_CHROMIUM"), "chromium"))
	needs(w.t, "browser", err == nil)
	options := []chromedp.ExecAllocatorOption{chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath(path)}
	for _, flag := range []string{"disable-dev-shm-usage", "disable-background-networking", "disable-component-update", "disable-sync", "no-first-run", "hide-scrollbars"} {
		options = append(options, chromedp.Flag(flag, true))
	}
	options = append(options, chromedp.Flag("accept-lang", "en-GB"), chromedp.Flag("lang", "en-GB"))
	ctx, cancel := chromedp.NewContext(context.Background(), chromedp.WithAllocatorOptions(options...))
	w.t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		w.t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Minute)
	w.t.Cleanup(stop)
	b := &tab{w.t, ctx, w.server.URL}
	b.look("light", 1280, 800)
	if _, err := chromedp.Call(ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Europe/Berlin"}); err != nil {
		w.t.Fatal(err)
	}
	return b
}

func (b *tab) look(theme string, width, height int64) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	}); err != nil {
		b.t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(width, height))
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 15*time.Second)
	defer cancel()
	for i, step := range steps {
		if err := chromedp.Do(ctx, step); err != nil {
			b.t.Fatalf("step %d: %v\n%s", i+1, err, b.text())
		}
	}
}

func (b *tab) text() string {
	text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location.href+'\\n'+document.body.innerText.slice(0,1500)"))
	return text
}

func (b *tab) open(path string) { b.t.Helper(); b.do(chromedp.Navigate(b.url + path)) }

func (b *tab) click(selector string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q)", selector))
	b.do(chromedp.Click(chromedp.CSS(selector)))
}

// fill sets the inputs of these names, as if typed.
func (b *tab) fill(pairs ...string) {
	b.t.Helper()
	for i := 0; i+1 < len(pairs); i += 2 {
		b.until(fmt.Sprintf(`(()=>{const x=document.querySelector('[name="%s"]');if(!x)return false;x.focus();x.value=%q;x.dispatchEvent(new Event("input",{bubbles:true}));x.dispatchEvent(new Event("change",{bubbles:true}));return true})()`, pairs[i], pairs[i+1]))
	}
}

// until waits for an expression to become true, and says what there was when it never does.
func (b *tab) until(js string) {
	b.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		v, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!!("+js+")"))
		if err == nil && v {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("never true: %s (%v)\n%s", js, err, b.text())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (b *tab) sees(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.body.innerText.includes(%q)", text))
}

func (b *tab) signIn(w *world) {
	b.t.Helper()
	b.open("/login")
	b.fill("email", w.salon.Email, "password", w.salon.Password)
	b.click("button[type=submit]")
	b.until("location.pathname=='/dashboard'")
}

// pages are what is looked at, by the name of its picture.
func (w *world) pages() map[string]string {
	w.t.Helper()
	setup, err := w.Setup(w.owner.Workspace)
	w.must(err)
	waiting, err := w.Bookings(w.t.Context(), w.owner, record.ListBookingsInput{Status: "pending"})
	w.must(err)
	past, err := w.Bookings(w.t.Context(), w.owner, record.ListBookingsInput{Scope: "past"})
	w.must(err)
	people, err := w.Contacts(w.t.Context(), w.owner, "", nil, "")
	w.must(err)
	host, kind := "/dashboard/hosts/"+setup.Hosts[0].ID.String(), "/dashboard/types/"+setup.EventTypes[0].ID.String()
	return map[string]string{
		"today": "/dashboard", "integrations": dash.IntegrationsPath, "account": "/dashboard/account",
		"bookings": "/dashboard/bookings", "bookings-none": "/dashboard/bookings?q=zzz", "calendar": "/dashboard/bookings/calendar", "calendar-day": "/dashboard/bookings/calendar?span=day",
		"booking-new": "/dashboard/bookings/new", "booking-new-form": "/dashboard/bookings/new?start=2026-11-24T08:00:00Z",
		"booking-pending": "/dashboard/bookings/" + waiting.Data[0].ID.String(), "booking-past": "/dashboard/bookings/" + past.Data[0].ID.String(), "booking-move": "/dashboard/bookings/" + waiting.Data[0].ID.String() + "/move",
		"types": "/dashboard/types", "type": kind, "type-new": "/dashboard/types/new",
		"hosts": "/dashboard/hosts", "host": host, "host-dates": host + "/dates?date=2026-11-24", "host-away": host + "/away", "host-why": host + "/why?date=2026-11-24",
		"contacts": "/dashboard/contacts", "contact": "/dashboard/contacts/" + people.Data[0].ID.String(), "contact-edit": "/dashboard/contacts/" + people.Data[0].ID.String() + "/edit", "import": "/dashboard/contacts/import",
		"analytics": "/dashboard/analytics", "keys": "/dashboard/developers", "key-new": "/dashboard/developers/keys/new", "webhooks": "/dashboard/developers/webhooks", "webhook-new": "/dashboard/developers/webhooks/new",
		"agents": "/dashboard/developers/agents", "embed": "/dashboard/developers/embed",
		"settings": "/dashboard/settings", "brand": "/dashboard/settings/brand", "mail": "/dashboard/settings/mail", "members": "/dashboard/settings/members", "feeds": "/dashboard/settings/feeds", "payments": "/dashboard/settings/payments", "data": "/dashboard/settings/data",
		"not-found": "/dashboard/bookings/bk_0",
	}
}

// DAYBOOK_SHOTS=dir go test ./app/dashboard -run Screenshots writes a picture of every page.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("DAYBOOK_SHOTS")
	if dir == "" {
		t.Skip("DAYBOOK_SHOTS names no directory")
	}
	w := newWorld(t)
	b := w.browse()
	shoot := func(name, path string) {
		if only := os.Getenv("DAYBOOK_SHOTS_ONLY"); only != "" && !slices.Contains(strings.Split(only, ","), name) {
			return
		}
		for _, v := range []struct {
			theme         string
			screen        string
			width, height int64
		}{{"light", "desktop", 1440, 900}, {"dark", "desktop", 1440, 900}, {"light", "phone", 390, 844}, {"dark", "phone", 390, 844}} {
			if want := os.Getenv("DAYBOOK_SHOTS_THEME"); want != "" && want != v.theme {
				continue
			}
			b.look(v.theme, v.width, v.height)
			b.open(path)
			png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
			w.must(err)
			w.must(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%s-%s.png", name, v.screen, v.theme)), png, 0o644))
		}
	}
	shoot("login", "/login")
	b.look("light", 1280, 800)
	b.signIn(w)
	for name, path := range w.pages() {
		shoot(name, path)
	}
}

const runAxe = `axe.run(document,{runOnly:["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"],resultTypes:["violations"]}).then(r=>
	r.violations.map(v=>v.id+": "+v.help+"\n"+v.nodes.slice(0,3).map(n=>"    "+n.html.slice(0,160)+"\n      "+n.failureSummary.replace(/\s+/g," ")).join("\n")).join("\n"))`

// No page, on a phone or a desktop, light or dark, breaks a rule of WCAG 2.2 AA that a machine can check; none scrolls sideways.
func TestNoAccessibilityViolations(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	source, err := os.ReadFile(filepath.Join(cmp.Or(os.Getenv("DAYBOOK_AXE"), filepath.Join(os.TempDir(), "axe")), "node_modules/axe-core/axe.min.js"))
	needs(t, "axe", err == nil)
	check := func(name, path string) {
		if only := os.Getenv("DAYBOOK_SHOTS_ONLY"); only != "" && !slices.Contains(strings.Split(only, ","), name) {
			return
		}
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{390, 1280} {
				t.Run(fmt.Sprintf("%s %s %d", name, theme, width), func(t *testing.T) {
					b := &tab{t, b.ctx, b.url}
					b.look(theme, width, 844)
					b.open(path)
					if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[chromedp.Void](string(source))); err != nil {
						t.Fatal(err)
					}
					found, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](runAxe, chromedp.EvalAwaitPromise))
					if err != nil {
						t.Fatal(err)
					}
					if found = strings.TrimSpace(found); found != "" {
						t.Error(found)
					}
					wide, err := chromedp.Run(b.ctx, chromedp.Evaluate[int]("document.documentElement.scrollWidth-innerWidth"))
					if err != nil || wide > 0 {
						t.Errorf("scrolls sideways by %d (%v)", wide, err)
					}
				})
			}
		}
	}
	check("login", "/login")
	b.look("light", 1280, 800)
	b.signIn(w)
	for _, name := range slices.Sorted(mapKeys(w.pages())) {
		check(name, w.pages()[name])
	}
}

func mapKeys(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func TestSetUpInABrowser(t *testing.T) {
	w, _ := newEmptyWorld(t)
	b := w.browse()
	link, err := w.Account.NewSetupLink(t.Context())
	w.must(err)
	b.open(strings.TrimPrefix(link, w.server.URL))
	b.until(`document.querySelector("[name=timeZone]").value=="Europe/Berlin"`)
	b.fill("email", "ana@salon.example", "password", "correct horse battery", "name", "Salon Äna & Söhne")
	b.until(`document.querySelector("[name=slug]").value=="salon-aena-soehne"`)
	shot(b, "setup-1")
	b.click("button[type=submit]")
	b.sees("When can people book you?")
	b.click(`[data-hours=mon] [data-hours-add]`)
	b.until(`document.querySelectorAll("[data-hours=mon] .hours-span").length==2`)
	b.click(`[data-hours=mon] .hours-span:last-of-type [data-hours-drop]`)
	shot(b, "setup-2")
	b.click("button[type=submit]")
	b.sees("What can people book?")
	b.fill("title", "First consultation", "price", "45.5")
	shot(b, "setup-3")
	b.click("button[type=submit]")
	b.sees("Your booking page is live")
	shot(b, "setup-4")
	b.click(`a[href="/dashboard"]`)
	b.sees("Nothing is booked yet")
	shot(b, "setup-5")
}

func shot(b *tab, name string) {
	if dir := os.Getenv("DAYBOOK_SHOTS"); dir != "" {
		if png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100)); err == nil {
			os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
		}
	}
}
