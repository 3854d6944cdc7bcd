package dashboard

import (
	"html"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/apptest/outside"
)

var (
	keyShown = regexp.MustCompile(`export DAYBOOK_KEY=(dbk_[\w-]{43})\n`)
	commands = regexp.MustCompile(`(?s)<code class="language-sh">(.*?)</code>`)
)

// The first page of the API's documentation makes a key for an hour for who is signed in and may make keys, and shows
// it in its commands, once. It reads only, unless more was asked for, and stands in the list of keys.
func TestKeyOfTheDocumentation(t *testing.T) {
	w := newWorld(t).named()
	const button, page, action = "Make a key for an hour", "/api/docs", "/dashboard/developers/keys/docs"
	b := w.asOwner()
	b.wants(w.browser().get(page), 200, "!"+button)
	b.wants(w.member(app.StaffRole, w.setup().Hosts[2].ID).get(page), 200, "!"+button)
	b.wants(b.get(page), 200, button, `value="read-only" checked`, "An owner makes a key", "$DAYBOOK_KEY")
	b.wants(b.get(page+"/errors"), 200, "!"+button)
	if got := b.get(action); got.location != page {
		t.Errorf("again: %d %s", got.status, got.location)
	}
	made := b.post(action)
	b.wants(made, 200, "10:12 UTC", "It can only read", "!"+button, "!$DAYBOOK_KEY", "!paste-it-here")
	if got := made.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control: %q", got)
	}
	key := keyShown.FindStringSubmatch(made.body)[1]
	if n := strings.Count(made.body, key); n < 6 {
		t.Errorf("the key stands in %d places", n)
	}
	b.wants(b.get(page), 200, button, "!"+key)
	b.wants(b.get("/dashboard/developers"), 200, "docs", key[len(key)-4:], "!"+key)
	with := func(path string) int {
		out, err := exec.Command("curl", "-s", "-o", os.DevNull, "-w", "%{http_code}", "--noproxy", "*", "-H",
			"Authorization: Bearer "+key, w.server.URL+path).Output()
		w.Must(err)
		return int(out[0]-'0')*100 + int(out[1]-'0')*10 + int(out[2]-'0')
	}
	_, missing := exec.LookPath("curl")
	outside.Needs(t, "curl", missing)
	if got := with("/api/v1/event-types"); got != 200 {
		t.Errorf("it reads: %d", got)
	}
	run := func(body string) string {
		script := "set -eu\n"
		for _, m := range commands.FindAllStringSubmatch(body, -1) {
			script += html.UnescapeString(m[1]) + "\n"
		}
		command := exec.Command("bash", "-c", script)
		command.Env = append(os.Environ(), "NO_PROXY=*")
		out, _ := command.CombinedOutput()
		return string(out)
	}
	if out := run(made.body); !strings.Contains(out, "read-only") || strings.Contains(out, `"id":"bk_`) {
		t.Errorf("the commands of a key that reads:\n%s", out)
	}
	full := b.post(action, "scope", "full")
	b.wants(full, 200, "It can read, book and change")
	if out := run(full.body); !strings.Contains(out, `"id":"bk_`) || !strings.Contains(out, `"status":"cancelled"`) {
		t.Errorf("the commands of a key that may book:\n%s", out)
	}
	w.Clock.Advance(61 * time.Minute)
	if got := with("/api/v1/event-types"); got != 401 {
		t.Errorf("after an hour: %d", got)
	}
}

func TestKeyOfTheDocumentationInABrowser(t *testing.T) {
	w := newWorld(t).named()
	b, axe := w.browse(), browser.Axe(t)
	b.signIn(w)
	look := func(name string) {
		t.Helper()
		for _, width := range []int64{390, 1440} {
			b.look("light", width, 900)
			shot(b, name+map[int64]string{390: "-390", 1440: "-1440"}[width])
			if wide := browser.Eval[int64](t, b.ctx, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("%s is %d px wide on a screen of %d", name, wide, width)
			}
			browser.Accessible(t, b.ctx, axe)
		}
		b.look("dark", 1440, 900)
		shot(b, name+"-dark")
	}
	b.open("/api/docs")
	look("docs-offer")
	b.do(chromedp.Click(browser.CSS("input[value=full]")))
	browser.Follow(t, b.ctx, ".new-key button")
	b.sees("It can read, book and change")
	look("docs-key")
	b.open("/dashboard/developers")
	b.click("a[href='/dashboard/developers']")
	b.sees("docs")
	shot(b, "docs-listed")
}
