package views_test

import (
	"cmp"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeSource is axe-core, which `npm i axe-core` puts into a directory that
// DAYBOOK_AXE names, or into the temporary directory's axe.
func axeSource(t *testing.T) string {
	t.Helper()
	dir := cmp.Or(os.Getenv("DAYBOOK_AXE"), filepath.Join(os.TempDir(), "axe"))
	source, err := os.ReadFile(filepath.Join(dir, "node_modules/axe-core/axe.min.js"))
	needs(t, "axe", err == nil)
	return string(source)
}

const runAxe = `axe.run(document,{runOnly:["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"],resultTypes:["violations"]}).then(r=>
	r.violations.map(v=>v.id+": "+v.help+"\n"+v.nodes.slice(0,3).map(n=>"    "+n.html.slice(0,160)+"\n      "+n.failureSummary.replace(/\s+/g," ")).join("\n")).join("\n"))`

// No page, on a phone or a desktop, in the light or the dark, in any brand colour of
// these, breaks a rule of WCAG 2.2 AA that a machine can check.
func TestNoAccessibilityViolations(t *testing.T) {
	ctx := browse(t)
	axe := axeSource(t)
	server := httptest.NewServer(fixtureDoor())
	defer server.Close()
	defer func(c string) { salonColor = c }(salonColor)
	check := func(state, query, theme string, s screen) {
		t.Run(fmt.Sprintf("%s %s %s %s", state, theme, s.name, salonColor), func(t *testing.T) {
			show(t, ctx, server.URL+"/_state/"+state+"?timeZone=Europe/Berlin"+query, theme, s)
			eval[chromedp.Void](t, ctx, axe)
			found, err := chromedp.Run(ctx, chromedp.Evaluate[string](runAxe, chromedp.EvalAwaitPromise))
			if err != nil {
				t.Fatal(err)
			}
			if found = strings.TrimSpace(found); found != "" {
				t.Error(found)
			}
		})
	}
	for _, state := range stateNames() {
		for _, theme := range []string{"light", "dark"} {
			for _, s := range screens {
				check(state, "", theme, s)
			}
		}
	}
	for _, color := range []string{"#ffe600", "#000000", "#ffffff", "#ff5a5f"} {
		salonColor = color
		for _, theme := range []string{"light", "dark"} {
			for _, state := range []string{"event", "details", "booked", "index"} {
				check(state, "&lang=fr", theme, screens[0])
			}
		}
	}
}
