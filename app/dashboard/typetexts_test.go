package dashboard

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"daybook/app/apptest/browser"
	"daybook/app/catalog"
	"daybook/views/dash"
)

// noteIn is what the page says of an own text beside its field: how it reads, and what it comes to.
func noteIn(body, name string) (reads, says string) {
	m := regexp.MustCompile(`(?s)id="f-` + regexp.QuoteMeta(name) + `-note" data-note><p class="text-reads">([^<]*)</p><div role="status">(.*?)</div>`).FindStringSubmatch(body)
	if m == nil {
		return "", ""
	}
	return html.UnescapeString(m[1]), html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[2], " "))
}

// The form of a service has which texts it sends, and texts in the owner's words with what each costs. What is refused is
// said at its row, with all that was typed. A business that sends no texts sees none of it, and its form leaves them.
func TestOwnTextsInTheForm(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	b.wants(b.get(dash.NewTypePath), 200, "!textWords", "!textKinds")
	b.wants(b.postForm(dash.NewTypePath, w.serviceForm()), 303)
	page := dash.TypePath(w.setup().EventType("visit").ID.String())
	w.Alter("visit", func(e *catalog.EventType) { e.TextsOff = []catalog.TextKind{catalog.TextMoved} })
	b.wants(b.postForm(page, w.serviceForm()), 303)
	if e := w.setup().EventType("visit"); len(e.TextsOff) != 1 {
		t.Errorf("a form without texts leaves %v", e.TextsOff)
	}

	w.sendsTexts()
	form := w.serviceForm("textWords[0].kind", "reminder", "textWords[0].locale", "de", "textWords[0].text", "Bis {date}, {name}!",
		"textWords[1].text", "  ", "textWords[3].kind", "cancelled", "textWords[3].text", "„Schade“ ❤️ {service}")
	form["textKinds"] = []string{"reminder"}
	b.wants(b.postForm(page, form), 303)
	e := w.setup().EventType("visit")
	if !slices.Equal(e.TextWords, []catalog.TextWords{{Kind: catalog.TextReminder, Locale: "de", Text: "Bis {date}, {name}!"},
		{Kind: catalog.TextCancelled, Text: "„Schade“ ❤️ {service}"}}) {
		t.Errorf("saved %+v", e.TextWords)
	}
	if off := []catalog.TextKind{catalog.TextConfirmed, catalog.TextMoved, catalog.TextCancelled, catalog.TextOffered, catalog.TextReceipt}; !slices.Equal(e.TextsOff, off) {
		t.Errorf("off are %v", e.TextsOff)
	}
	b.languages = "de"
	again := b.get(page)
	b.wants(again, 200, `name="textKinds" value="reminder" checked`, `name="textKinds" value="moved">`)
	for _, c := range []struct{ name, value, reads, says string }{
		{"textWords[0].text", "Bis {date}, {name}!", "Bis Mo, 23. Nov., Bo Berg!", "höchstens 1 Segment,"},
		{"textWords[1].text", "„Schade“ ❤️ {service}", `"Schade" ❤️ House visit`, "❤️ macht sie teurer: In ein Segment passen 70 Zeichen statt 160"},
		{"textWords[2].text", "", "", ""},
	} {
		value, _ := shownIn(again.body, c.name)
		if reads, says := noteIn(again.body, c.name); value != c.value || reads != c.reads || !strings.Contains(says, c.says) {
			t.Errorf("the form's %s is %q, which reads %q: %q", c.name, value, reads, says)
		}
	}

	dear := strings.Repeat("Wir freuen uns auf Sie. ", 12) + "😀" // 290 characters: two segments without the last
	for _, c := range []struct{ name, value, says, sagt string }{
		{"textWords[3].text", dear, "would have 5 segments", "hätte diese SMS 5 Segmente"},
		{"textWords[3].text", "{nobody}", "“nobody” in braces", "„nobody“ in Klammern"},
		{"textWords[3].text", strings.Repeat("x", 601), "at most 600", "höchstens 600"},
		{"textWords[3].kind", "code", "Please choose one", "Bitte wählen Sie"},
		{"textWords[3].locale", "no language", "Please choose one", "Bitte wählen Sie"},
	} {
		typed := w.serviceForm("textWords[0].kind", "moved", "textWords[0].text", "Neu: {date}", "textWords[3].kind", "reminder", "textWords[3].text", "kept")
		typed.Set(c.name, c.value)
		for lang, want := range map[string]string{"en": c.says, "de": c.sagt} {
			b.languages = lang
			r := b.postForm(page, typed)
			value, wrong := shownIn(r.body, c.name)
			if r.status != 422 || !strings.Contains(wrong, want) || value != c.value && !strings.HasSuffix(c.name, ".kind") {
				t.Errorf("%s %.40q: %d, the form has %.40q, and says %q; want %q", c.name, c.value, r.status, value, wrong, want)
			}
			for _, name := range []string{"textWords[0].kind", "textWords[0].text", "textWords[3].text"} {
				if value, _ := shownIn(r.body, name); value != typed.Get(name) {
					t.Errorf("after %s: %s has become %.40q", c.name, name, value)
				}
			}
			// What can be counted without saving is what is refused, whatever else is wrong with the form.
			typed.Set("durationMinutes", "x")
			seen := b.postForm(page+"/texts", typed)
			b.wants(seen, 200)
			if _, says := noteIn(seen.body, "textWords[3].text"); strings.HasSuffix(c.name, "text") && !strings.Contains(says, want) {
				t.Errorf("before saving %.40q says %q, want %q", c.value, says, want)
			}
			typed.Set("durationMinutes", "60")
		}
	}
	b.languages = ""
	twice := w.serviceForm("textWords[0].text", "", "textWords[2].kind", "moved", "textWords[2].text", "one", "textWords[5].kind", "moved", "textWords[5].text", "two")
	r := b.postForm(page, twice)
	if value, wrong := shownIn(r.body, "textWords[5].text"); r.status != 422 || value != "two" || !strings.Contains(wrong, "already") {
		t.Errorf("%d %q %q", r.status, value, wrong)
	}
	if now := w.setup().EventType("visit"); !slices.Equal(now.TextWords, e.TextWords) {
		t.Errorf("what was refused or looked at was saved: %+v", now.TextWords)
	}
	b.wants(b.postForm(dash.NewTypePath+"/texts", w.serviceForm("textWords[0].text", "{service}")), 200, `<p class="text-reads">House visit</p>`)
	staff := w.staff(w.setup().Hosts[0].ID)
	staff.wants(staff.postForm(page+"/texts", twice), 403)

	// Where the business's own name is dear, each text with it is.
	w.Must(w.SQL(`UPDATE workspaces SET name = 'Łódka', revision = revision + 1`))
	w.ForgetSetup(w.Owner.Workspace)
	b.wants(b.postForm(page+"/texts", w.serviceForm("textWords[0].kind", "moved", "textWords[0].text", strings.Repeat("x", 140)+"{shop}")), 200, "Costs 3 segments at most", "Łó makes it dearer")
}

// An own text says what it costs while it is typed: an emoji makes three segments of one, and nothing is saved.
func TestOwnTextIsCountedWhileTyped(t *testing.T) {
	w := newWorld(t)
	w.sendsTexts()
	axe := browser.Axe(t)
	e := w.setup().EventTypes[0]
	b := w.browse()
	b.signIn(w)
	for _, width := range widths {
		h := b.hand(width)
		h.open(dash.TypePath(e.ID.String()))
		h.until(`document.querySelector("[role=tab]")?.checkVisibility()`)
		h.tap("#tab-texts")
		const note = `document.getElementById("f-textWords[0].text-note")`
		h.until(`!` + note + `.checkVisibility() && !document.querySelector("[data-notes]").checkVisibility()`)
		h.types("textWords[0].text", strings.Repeat("See you! ", 17))
		h.until(note + `.innerText.includes("Costs 1 segment at most")`)
		h.looksRight("service-texts", axe)
		h.types("textWords[0].text", strings.Repeat("See you! ", 17)+"😀")
		h.until(note + `.innerText.includes("Costs 3 segments at most") && ` + note + `.innerText.includes("😀 makes it dearer: a segment holds 67 characters, in place of 153")`)
		h.types("textWords[0].text", strings.Repeat("See you! ", 40)+"😀")
		h.until(note + `.innerText.includes("would have 6 segments") && document.getElementById("f-textWords[0].text").ariaInvalid === "true"`)
		h.types("textWords[0].text", "Bye, {name}")
		h.until(note + `.innerText.startsWith("Bye, Bo Berg") && !document.getElementById("f-textWords[0].text").hasAttribute("aria-invalid")`)
		if len(w.setup().EventTypes[0].TextWords) > 0 {
			t.Fatal("what was typed was saved")
		}
		h.until(`(delete document.querySelector("#editor").dataset.typed, true)`) // so that nobody is asked before leaving
	}
}
