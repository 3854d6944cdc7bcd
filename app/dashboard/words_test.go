package dashboard

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"daybook/app/apptest/browser"
	"daybook/app/catalog"
	"daybook/views"
)

// serviceForm is a whole form of an event type, for changes.
func (w *world) serviceForm(more ...string) url.Values {
	form := url.Values{}
	for i, all := 0, append([]string{"title", "House visit", "slug", "visit", "durationMinutes", "60", "slotStepMinutes", "60", "bufferBeforeMinutes", "0",
		"bufferAfterMinutes", "0", "minimumNoticeMinutes", "60", "bookingWindowDays", "60", "cancellationNoticeMinutes", "1440", "seats", "1",
		"price", "100", "payment", "on_site", "refundOnCancel", "within_notice", "hosts", w.setup().Hosts[0].ID.String()}, more...); i < len(all); i += 2 {
		form.Set(all[i], all[i+1])
	}
	return form
}

func (b *visitor) postForm(path string, form url.Values) response {
	b.w.T.Helper()
	var all []string
	for name, values := range form {
		all = append(all, name, values[0])
	}
	return b.post(path, all...)
}

// shownIn is the value of a field of the page, and what it says is wrong with it.
func shownIn(body, name string) (value, wrong string) {
	at := regexp.QuoteMeta(html.EscapeString(name))
	for _, form := range []string{`<textarea[^>]* name="` + at + `"[^>]*>([^<]*)<`, `<input type="(?:text|url|number)"[^>]* name="` + at + `" value="([^"]*)"`,
		`(?s)<select[^>]* name="` + at + `"[^>]*>(?:(?:[^<]|<option[^>]*"\s*>|</option>)*)<option value="([^"]*)" selected`} {
		if m := regexp.MustCompile(form).FindStringSubmatch(body); m != nil {
			value = html.UnescapeString(m[1])
		}
	}
	if strings.Contains(body, `name="`+html.EscapeString(name)+`" value="on" checked`) {
		value = "on"
	}
	if m := regexp.MustCompile(`(?s)id="f-` + at + `-error">.*?<span>([^<]*)</span>`).FindStringSubmatch(body); m != nil {
		wrong = html.UnescapeString(m[1])
	}
	return value, wrong
}

// The form of a service has its category, place, words, redirect, limits and deposit: each is saved and stands in the
// form again. What is refused keeps all that was typed, and says why beside the field, in the reader's language.
func TestWordsWhereAndLimitsInTheForm(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	w.Apply(`workspace: {slug: ` + w.Workspace.Slug + `, redirectHosts: [www.salon.example]}`)
	typed := []string{"category", "At home", "hidden", "on", "where.kind", "in_person", "where.text", "Park Lane 2", "where.travelMinutes", "45",
		"words[0].kind", "", "words[0].locale", "de", "words[0].text", "Bitte <klingeln>.", "words[1].text", "  ",
		"words[3].kind", "reminder", "words[3].locale", "", "words[3].text", "See https://www.salon.example/way",
		"redirectUrl", "https://www.salon.example/thanks?a=b", "limits.personUpcoming", "2", "limits.personPerDay", "1", "limits.personPerWeek", "3",
		"limits.hostPerWeek", "10", "limits.perWeek", "20", "deposit", "20", "depositUnit", "percent", "lateCancellationFee", "15"}
	b.wants(b.postForm("/dashboard/types/new", w.serviceForm(typed...)), 303)
	e := *w.setup().EventType("visit")
	if e.Category != "At home" || !e.Hidden || *e.Where != (catalog.Where{Kind: catalog.InPerson, Text: "Park Lane 2", TravelMinutes: 45}) ||
		e.RedirectURL != "https://www.salon.example/thanks?a=b" || e.Limits != (catalog.Limits{PersonUpcoming: 2, PersonPerDay: 1, PersonPerWeek: 3, HostPerWeek: 10, PerWeek: 20}) ||
		e.Deposit == nil || e.Deposit.Percent != 20 || e.LateCancellationFee.Amount != 1500 {
		t.Errorf("saved %+v", e)
	}
	if len(e.Words) != 2 || e.Words[0] != (catalog.MailWords{Locale: "de", Text: "Bitte <klingeln>."}) || e.Words[1].Kind != catalog.MailReminder {
		t.Errorf("saved %+v", e.Words)
	}
	page := "/dashboard/types/" + e.ID.String()
	again := b.get(page)
	b.wants(again, 200, `<option value="At home"></option>`)
	reread := w.serviceForm(typed...)
	for i := 0; i < len(typed); i += 2 {
		name, want := typed[i], typed[i+1]
		if strings.HasPrefix(name, "words[1]") {
			continue
		}
		name = strings.Replace(name, "words[3]", "words[1]", 1) // without the empty rows
		value, _ := shownIn(again.body, name)
		if value != want {
			t.Errorf("the form's %s is %q, want %q", name, value, want)
		}
		reread.Set(name, value)
	}
	reread.Del("words[3].text")
	b.wants(b.postForm(page, reread), 303) // as it was read
	if now := *w.setup().EventType("visit"); now.Category != e.Category || *now.Where != *e.Where || now.Limits != e.Limits || len(now.Words) != 2 ||
		now.Words[1] != e.Words[1] || now.RedirectURL != e.RedirectURL || now.Deposit.Percent != 20 || !now.Hidden {
		t.Errorf("saved again %+v", now)
	}
	b.wants(b.postForm(page, w.serviceForm("where.kind", "", "words[0].text", "", "redirectUrl", "", "category", "")), 303)
	if now := *w.setup().EventType("visit"); now.Where != nil || len(now.Words) > 0 || now.RedirectURL != "" || now.Category != "" || now.Hidden || now.Deposit != nil {
		t.Errorf("emptied %+v", now)
	}

	long := strings.Repeat("x", 2001)
	for _, c := range []struct{ name, value, says, sagt string }{
		{"where.kind", "moon", "Please choose one", "Bitte wählen Sie"},
		{"where.text", long[:501], "at most 500", "höchstens 500"},
		{"where.travelMinutes", "soon", "whole number", "ganze Zahl"},
		{"where.travelMinutes", "1441", "1440", "1440"},
		{"words[2].text", long, "at most 2000", "höchstens 2000"},
		{"words[3].locale", "no language", "Please choose one", "Bitte wählen Sie"},
		{"words[3].kind", "team_new", "Please choose one", "Bitte wählen Sie"},
		{"redirectUrl", "http://www.salon.example/", "https://", "https://"},
		{"redirectUrl", "https://evil.example/", "is not on the list in the settings", "steht nicht in der Liste"},
		{"limits.personPerDay", "-1", "from 0 to 100", "0 bis 100"},
		{"limits.perWeek", "many", "whole number", "ganze Zahl"},
		{"category", long[:61], "at most 60", "höchstens 60"},
		{"deposit", "101", "from 1 to 100", "1 bis 100"},
	} {
		form := w.serviceForm(append([]string{"words[3].text", "kept"}, typed...)...)
		form.Set(c.name, c.value)
		for lang, want := range map[string]string{"en": c.says, "de": c.sagt} {
			b.languages = lang
			r := b.postForm(page, form)
			if value, wrong := shownIn(r.body, c.name); r.status != 422 || !strings.Contains(wrong, want) || value != c.value && c.name != "where.kind" &&
				!strings.HasSuffix(c.name, ".kind") {
				t.Errorf("%s %.40q: %d, the form has %.40q, and says %q; want %q", c.name, c.value, r.status, value, wrong, want)
			}
			for _, name := range []string{"words[0].text", "words[3].text", "where.text", "redirectUrl", "category", "limits.hostPerWeek", "deposit"} {
				if value, _ := shownIn(r.body, name); value != form.Get(name) {
					t.Errorf("after %s: %s has become %.40q", c.name, name, value)
				}
			}
		}
		b.languages = ""
	}
	// Two paragraphs for the same mails: said at the second one, whichever rows they stand in.
	form := w.serviceForm("words[0].text", "", "words[2].text", "one", "words[5].text", "two")
	r := b.postForm(page, form)
	if value, wrong := shownIn(r.body, "words[5].text"); r.status != 422 || value != "two" || !strings.Contains(wrong, "already") {
		t.Errorf("%d %q %q", r.status, value, wrong)
	}
	b.wants(b.postForm(page, w.serviceForm("where.kind", "invitee_calls")), 422, "number that customers call")
	b.wants(b.postForm(page, w.serviceForm("where.kind", "text")), 422, `id="f-where.text-error"`)
	b.wants(b.postForm(page, w.serviceForm("where.kind", "video", "where.text", "left", "where.travelMinutes", "9")), 303)
	if now := w.setup().EventType("visit"); *now.Where != (catalog.Where{Kind: catalog.Video}) {
		t.Errorf("%+v", now.Where)
	}
}

// The preview of a mail is the HTML that the reader gets, in the language that is chosen, with the words that are typed
// and not saved; nothing of it is HTML of the owner's.
func TestPreviewOfAMail(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	e := w.setup().EventTypes[0]
	path := "/dashboard/types/" + e.ID.String() + "/mail"
	form := w.serviceForm("title", "", "words[0].text", "Bring <b>towels</b>, see https://www.salon.example/way", "words[1].locale", "de",
		"words[1].text", "Bitte klingeln", "words[2].kind", "cancelled", "words[2].text", "What a pity", "where.kind", "video")
	shown := func(kind catalog.MailKind, locale string) string {
		t.Helper()
		form.Set("mail.kind", string(kind))
		form.Set("mail.locale", locale)
		r := b.postForm(path, form)
		policy := r.header.Get("Content-Security-Policy")
		if r.status != 200 || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors 'self'") || strings.Contains(policy, "script-src") {
			t.Fatalf("%s %s: %d %s", kind, locale, r.status, policy)
		}
		m := regexp.MustCompile(`<iframe srcdoc="([^"]*)" sandbox=""`).FindStringSubmatch(r.body)
		if m == nil {
			t.Fatalf("%s %s shows no mail: %s", kind, locale, r.body)
		}
		return html.UnescapeString(m[1])
	}
	for _, l := range views.Locales {
		for _, kind := range catalog.InviteeMails {
			mail := shown(kind, l.Tag)
			words := map[bool]string{true: "What a pity", false: "Bring &lt;b&gt;towels&lt;/b&gt;, see <a "}[kind == catalog.MailCancelled]
			if l.Tag == "de" && kind != catalog.MailCancelled {
				words = "Bitte klingeln"
			}
			if !strings.Contains(mail, words) || !strings.Contains(mail, `<html lang="`+l.Tag+`"`) || strings.Contains(mail, "<script") || strings.Contains(mail, "<b>towels") {
				t.Errorf("%s in %s lacks %q: %s", kind, l.Tag, words, mail)
			}
		}
	}
	if len(w.setup().EventTypes[0].Words) > 0 {
		t.Error("a preview was saved")
	}
	b.wants(b.postForm("/dashboard/types/new/mail", form), 200, "srcdoc")
	form.Set("durationMinutes", "x")
	if r := b.postForm(path, form); r.status != 422 || !strings.Contains(r.header.Get("Content-Security-Policy"), "frame-ancestors 'self'") {
		t.Errorf("%d: the frame can't show what is wrong", r.status)
	}
	staff := w.staff(w.setup().Hosts[0].ID)
	staff.wants(staff.postForm(path, w.serviceForm()), 403)

	seen := w.browse()
	seen.signIn(w)
	seen.open("/dashboard/types/" + e.ID.String())
	seen.click("#tab-mails")
	seen.fill("words[0].text", "Bring <b>towels</b>")
	seen.click(".mail-preview summary")
	seen.do(chromedp.Click(browser.CSS(".mail-preview button")))
	seen.until(`document.querySelector("iframe[name=mail]").contentDocument.querySelector("iframe")?.srcdoc.includes("Bring &lt;b&gt;towels")`)
	if len(w.setup().EventTypes[0].Words) > 0 {
		t.Error("a preview was saved")
	}
}
