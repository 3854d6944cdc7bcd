package dashboard

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/views/dash"
)

// The kinds of consents lose nothing that was typed: a wording without a name is refused, one kind that is removed moves no
// other's words, and of two managers who save at once the second is told.
func TestKindsOfConsentsByForms(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	version := regexp.MustCompile(`name="version" value="([^"]*)"`)
	at := func(i int, name string) string { return fmt.Sprintf("settings.consents[%d].%s", i, name) }
	send := func(page response, pairs ...string) response {
		v := ""
		if found := version.FindStringSubmatch(page.body); found != nil {
			v = html.UnescapeString(found[1])
		}
		return b.post(dash.ConsentsPath, append([]string{"version", v}, pairs...)...)
	}
	keys := func() (all []string) {
		for _, k := range w.setup().Workspace.Settings.Consents {
			all = append(all, k.Key+"="+k.Wording)
		}
		return all
	}
	wants := func(want ...string) {
		t.Helper()
		if got := keys(); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	first := b.get(dash.ConsentsPath)
	b.wants(send(first, at(0, "name"), "", at(0, "wording"), "Photos may be shown."), 422, "Photos may be shown.", `role="alert"`)
	b.wants(send(first, at(0, "name"), "Überraschung", at(0, "wording"), "One."), 303)
	b.wants(send(b.get(dash.ConsentsPath), at(0, "key"), "ueberraschung", at(0, "name"), "Überraschung", at(0, "wording"), "One.", at(1, "name"), "Two", at(1, "wording"), "Two."), 303)
	wants("ueberraschung=One.", "two=Two.")
	page := b.get(dash.ConsentsPath)
	if n := strings.Count(page.body, "(optional)") + strings.Count(page.body, ">optional<"); n != 5 { // days of all, and what another one needs
		t.Errorf("%d fields are optional", n)
	}
	one := []string{at(0, "key"), "ueberraschung", at(0, "name"), "", at(0, "wording"), ""} // removed
	refused := send(page, append(one, at(1, "key"), "two", at(1, "name"), "Two", at(1, "wording"), "Two.", at(1, "days"), "x")...)
	b.wants(refused, 422, `name="settings.consents[0].key" value="two"`, `name="settings.consents[0].name" value="Two"`, `value="x"`)
	b.wants(send(page, append(one, at(1, "key"), "two", at(1, "name"), "Two", at(1, "wording"), "Second.", at(2, "name"), "Two", at(2, "wording"), "Third.")...), 303)
	wants("two=Second.", "two-2=Third.")
	b.wants(send(page, at(0, "key"), "ueberraschung", at(0, "name"), "Überraschung", at(0, "wording"), "Older."), 412, "Older.", "reload")
	wants("two=Second.", "two-2=Third.")
}
