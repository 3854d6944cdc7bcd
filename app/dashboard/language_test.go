package dashboard

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"daybook/app/record"
	"daybook/views"
	"daybook/views/dash"
)

func (b *visitor) getIn(languages, path string) response {
	b.w.T.Helper()
	r, err := http.NewRequest("GET", b.w.server.URL+path, nil)
	b.w.Must(err)
	r.Header.Set("Accept-Language", languages)
	return b.do(r)
}

// Pages are in the language that the member has chosen, and otherwise in the browser's.
func TestLanguageOfAMember(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.wants(b.getIn("de-AT,de;q=0.9", "/login"), 200, `<html lang="de">`)
	b = w.asOwner()
	b.wants(b.getIn("fr", "/dashboard/account"), 200, `<html lang="fr">`, "Comme ce navigateur")
	b.wants(b.post("/dashboard/account/language", "locale", "no language"), 422)
	b.wants(b.post("/dashboard/account/language", "locale", "de"), 303)
	b.wants(b.getIn("fr", "/dashboard/account"), 200, `<html lang="de">`, `<option value="de" selected>`)
	b.wants(w.staff(w.setup().Hosts[0].ID).getIn("es", "/dashboard/account"), 200, `<html lang="es">`)

	b.wants(b.post("/dashboard/account/language", "locale", ""), 303)
	b.wants(b.getIn("en-GB", "/dashboard/account"), 200, `<html lang="en-GB">`)
	b.wants(b.post("/dashboard/account/language", "locale", "en"), 303)
	b.wants(b.getIn("en-GB", "/dashboard/account"), 200, `<html lang="en-GB">`)
}

// sameInGerman are words of the pages that German has, too, and names.
var sameInGerman = []string{"Name", "Logo", "Auto", "Daybook", "Stripe", "Status", "API", "Webhook", "Webhooks", "Details", "Link",
	"November 2026", "Website", "Port", "Mails", "Claude Code", "Claude Desktop", "Cursor", "VS Code", "Brevo", "Fastmail", "Gmail, Google Workspace",
	"IONOS", "Mailgun", "Microsoft 365", "Postmark", "STARTTLS", "STRATO", "SendGrid", "WEB.DE", "Yahoo", "Zoho Mail", "iCloud Mail"}

// stillEnglish are the pages that are not translated yet.
var stillEnglish = []string{
	"not-found",
	"calendar-booking",
	"booking-new",
	"booking-new-form",
	"booking-pending",
}

var technical = regexp.MustCompile(`\S+@\S+|https?://\S+|[A-Z][a-z]+/[A-Z][A-Za-z_]+|\b[A-Z]{3}\b|\b[a-z]+_[a-z0-9_]+\b|\bGMT\b|\b[a-z]+\.[a-z_.]+\b`)

// shownTexts are the texts of a page's main part, or of the frame around it, and those of its attributes that people
// read or hear.
func shownTexts(t *testing.T, page string, frame bool) map[string]bool {
	t.Helper()
	doc, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for n := range doc.Descendants() {
		inMain := false
		for up := n; up != nil; up = up.Parent {
			inMain = inMain || up.Data == "main"
		}
		if inMain == frame {
			continue
		}
		if n.Type == html.TextNode && !slices.Contains([]string{"pre", "code"}, n.Parent.Data) {
			texts[strings.Join(strings.Fields(n.Data), " ")] = true
		}
		for _, a := range n.Attr {
			if slices.Contains([]string{"aria-label", "placeholder", "title"}, a.Key) {
				texts[a.Val] = true
			}
		}
	}
	return texts
}

// No page of the dashboard has an English text for somebody who reads German.
func TestNothingStaysEnglish(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	data := slices.Clone(sameInGerman)
	setup := w.setup()
	data = append(data, setup.Workspace.Name, setup.Workspace.Slug, setup.Workspace.Settings.Description, setup.Workspace.Settings.Address)
	for _, h := range setup.Hosts {
		data = append(data, h.Name)
		for _, x := range h.TimeOff {
			data = append(data, x.Reason)
		}
	}
	for _, e := range setup.EventTypes {
		data = append(data, e.Title, e.Slug, e.Description, e.Location)
		for _, q := range e.Questions {
			data = append(append(data, q.Label), q.Options...)
		}
	}
	keys, err := w.Account.Keys(t.Context(), w.Owner)
	w.Must(err)
	for i := range keys {
		data = append(data, keys[i].Name)
	}
	for _, l := range views.Locales {
		data = append(data, l.Name, strings.ToUpper(l.Language()))
	}
	n := 100
	people, err := w.People.Contacts(t.Context(), w.Owner, "", &n, "")
	w.Must(err)
	for _, p := range people.Data {
		data = append(data, p.Name, p.Notes)
	}
	all, err := w.Bookings(t.Context(), w.Owner, record.ListBookingsInput{All: true, Limit: &n})
	w.Must(err)
	for i := range all.Data {
		data = append(data, all.Data[i].Notes)
		for _, a := range all.Data[i].Answers {
			if text, ok := a.(string); ok {
				data = append(data, text)
			}
		}
	}
	slices.SortFunc(data, func(a, b string) int { return len(b) - len(a) })
	pages := w.pages()
	pages["frame"] = dash.SettingsPath
	for name, path := range pages {
		english, german := shownTexts(t, b.getIn("en-US", path).body, name == "frame"), shownTexts(t, b.getIn("de", path).body, name == "frame")
		var left []string
		for text := range maps.Keys(german) {
			rest := technical.ReplaceAllString(text, "")
			for _, d := range data {
				if d != "" {
					rest = strings.ReplaceAll(rest, d, "")
				}
			}
			if english[text] && len(rest) > 1 && strings.ContainsFunc(rest, unicode.IsLetter) {
				left = append(left, text)
			}
		}
		slices.Sort(left)
		switch {
		case len(left) > 0 && !slices.Contains(stillEnglish, name):
			t.Errorf("%s (%s) has in English: %q", name, path, left)
		case len(left) == 0 && slices.Contains(stillEnglish, name):
			t.Errorf("%s has nothing English any more: take it off stillEnglish", name)
		}
	}
}
