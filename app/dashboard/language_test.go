package dashboard

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/html"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/mail/discover"
	"daybook/app/phone"
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
var sameInGerman = []string{"DATEV", "Filter", "optional", "Name", "Team", "Logo", "Auto", "Daybook", "Stripe", "Status", "API", "Webhook", "Webhooks", "Details", "Link",
	"November 2026", "Website", "Port", "Mails", "Claude Code", "Claude Desktop", "Cursor", "VS Code", "Claude, ChatGPT, VS Code, Cursor", "Brevo", "Fastmail", "Gmail, Google Workspace",
	"IONOS", "Mailgun", "Microsoft 365", "Postmark", "STARTTLS", "STRATO", "SendGrid", "WEB.DE", "Yahoo", "Zoho Mail", "iCloud Mail",
	"iCloud", "Google", "Google Calendar", "Outlook", "Nextcloud", "CalDAV", "Cal.com", "Calendly", "Easy!Appointments"}

// stillEnglish are the pages that are not translated yet.
var stillEnglish = []string{}

var technical = regexp.MustCompile(`\S+@\S+|https?://\S+|[A-Z][a-z]+/[A-Z][A-Za-z_]+|\b[A-Z]{3}\b|\b[a-z]+_[a-z0-9_]+\b|\bGMT\b|\b[a-z]+\.[a-z_.]+\b`)

// shownTexts are the texts of a page's main part, or of the frame around it, and those of its attributes that people
// read or hear.
func shownTexts(t testing.TB, page string, frame bool) map[string]bool {
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

// english are the texts that stay the same in German and are neither data, names nor technical.
func english(a, b map[string]bool, data []string) (left []string) {
	for text := range b {
		rest := technical.ReplaceAllString(text, "")
		for _, d := range data {
			if d != "" {
				rest = strings.ReplaceAll(rest, d, "")
			}
		}
		if a[text] && len(rest) > 1 && strings.ContainsFunc(rest, unicode.IsLetter) {
			left = append(left, text)
		}
	}
	slices.Sort(left)
	return left
}

// dataOf are the words that the workspace itself has given, the longest first.
func (w *world) dataOf() []string {
	w.T.Helper()
	ctx, data, setup := w.T.Context(), slices.Clone(sameInGerman), w.setup()
	en, de := views.MatchLocale("en", ""), views.MatchLocale("de", "")
	for _, code := range phone.Countries() {
		if name := en.Country(code); name == de.Country(code) {
			data = append(data, name)
		}
	}
	for m := time.January; m <= time.December; m++ {
		if day := time.Date(2026, m, 1, 0, 0, 0, 0, time.UTC); en.MonthName(day) == de.MonthName(day) {
			data = append(data, de.MonthName(day))
		}
	}
	for _, p := range discover.Providers {
		data = append(data, p.Name)
	}
	data = append(data, setup.Workspace.Name, setup.Workspace.Slug, setup.Workspace.Settings.Description, setup.Workspace.Settings.Address,
		"Gemeinsamer Raumkalender des Hauses") // of a room
	if of := setup.Workspace.Holidays; of != nil { // what only the country has keeps its name
		for _, d := range of.Between(w.Clock.Now(), w.Clock.Now().AddDate(1, 0, 0)) {
			data = append(data, d.Name)
		}
	}
	for _, h := range setup.Hosts {
		data = append(data, h.Name, h.About, strings.Fields(h.Name)[0], views.Monogram(h.Name))
		for _, x := range h.TimeOff {
			data = append(data, x.Reason)
		}
	}
	for _, r := range setup.Resources {
		data = append(data, r.Name)
	}
	settings := setup.Workspace.Settings
	data = append(data, strings.Join(strings.Fields(settings.About), " "), settings.Description, settings.Address)
	for _, e := range setup.EventTypes {
		data = append(data, e.Title, e.Slug, e.Description, e.Location, e.Category)
		for _, a := range e.AddOns {
			data = append(data, a.Title)
		}
		for _, q := range e.Questions {
			data = append(append(data, q.Label), q.Options...)
		}
	}
	most := 100
	products, err := w.Shop.Products(ctx, w.Owner, catalog.ProductFilter{}, &most, "")
	w.Must(err)
	for _, p := range products.Data {
		data = append(data, p.Name)
	}
	keys, err := w.Account.Keys(ctx, w.Owner)
	w.Must(err)
	for i := range keys {
		data = append(data, keys[i].Name)
	}
	for _, l := range views.Locales {
		data = append(data, l.Name, strings.ToUpper(l.Language()))
	}
	n := 100
	people, err := w.People.Contacts(ctx, w.Owner, contact.Filter{}, &n, "")
	w.Must(err)
	for _, p := range people.Data {
		data = append(append(data, p.Name, p.Notes, views.Monogram(p.Name)), p.Tags...)
	}
	all, err := w.Bookings(ctx, w.Owner, booking.ListBookingsInput{Limit: &n})
	w.Must(err)
	waiting, err := w.Bookings(ctx, w.Owner, booking.ListBookingsInput{Status: "pending"})
	w.Must(err)
	all.Data = append(all.Data, waiting.Data...)
	for i := range all.Data {
		data = append(data, all.Data[i].Notes)
		for _, a := range all.Data[i].Answers {
			if text, ok := a.(string); ok {
				data = append(data, text)
			}
		}
	}
	slices.SortFunc(data, func(a, b string) int { return len(b) - len(a) })
	return data
}

// No page of the dashboard has an English text for somebody who reads German, nor has a form that was refused.
func TestNothingStaysEnglish(t *testing.T) {
	w := newWorld(t)
	b, pages := w.asOwner(), w.pages()
	data := w.dataOf()
	pages["frame"] = dash.SettingsPath
	for name, path := range pages {
		frame := name == "frame"
		left := english(shownTexts(t, b.getIn("en-US", path).body, frame), shownTexts(t, b.getIn("de", path).body, frame), data)
		switch {
		case len(left) > 0 && !slices.Contains(stillEnglish, name):
			t.Errorf("%s (%s) has in English: %q", name, path, left)
		case len(left) == 0 && slices.Contains(stillEnglish, name):
			t.Errorf("%s has nothing English any more: take it off stillEnglish", name)
		}
	}
	setup := w.setup()
	host, kind := "/dashboard/hosts/"+setup.Hosts[0].ID.String(), "/dashboard/types/"+setup.EventTypes[0].ID.String()
	for _, f := range []struct {
		path   string
		status int
		form   []string
	}{
		{"/dashboard/settings", 422, []string{"name", "", "slug", "Not a slug", "timeZone", "Mars", "currency", "x", "phone", "x"}},
		{"/dashboard/settings/brand", 422, []string{"color", "red", "logoUrl", "x"}},
		{"/dashboard/settings/members", 422, []string{"email", "", "role", "x", "host", ""}},
		{"/dashboard/settings/members", 422, []string{"email", "ana", "role", "staff", "host", "x"}},
		{"/dashboard/settings/mail", 422, []string{"host", "smtp.example.com", "port", "0", "from", ""}},
		{"/dashboard/settings/payments", 409, []string{"secretKey", "", "signingSecret", "x"}},
		{"/dashboard/integrations/calendars/new?place=icloud", 422, []string{"host", setup.Hosts[0].ID.String(), "address", "x", "user", "", "password", ""}},
		{"/dashboard/integrations/calendars/new?place=caldav", 422, []string{"host", setup.Hosts[0].ID.String(), "address", "https://8.8.8.8/", "user", "", "password", ""}},
		{"/dashboard/settings/delete", 422, []string{"confirm", "x"}},
		{"/dashboard/developers/keys/new", 422, []string{"name", "", "scope", "x", "rateLimit", "0"}},
		{"/dashboard/developers/webhooks/new", 422, []string{"url", "x"}},
		{"/dashboard/types/new", 422, nil},
		{kind, 422, []string{"title", strings.Repeat("x", 300), "slug", "", "durationMinutes", "x", "price", "x", "hosts", "x"}},
		{"/dashboard/hosts/new", 422, []string{"name", "", "email", "x", "timeZone", ""}},
		{host, 422, []string{"name", "", "email", "x", "about", ""}},
		{host + "/sign-in", 422, []string{"email", "x", "role", "x"}},
		{host + "/services", 422, []string{"listed", setup.EventType("beard-trim").ID.String(), "services[" + setup.EventType("beard-trim").ID.String() + "]", "on", "eventTypes[beard-trim].price", "x"}},
		{host + "/hours", 422, []string{"timeZone", "Europe/Berlin", "mon.from", "09:00", "mon.to", "", "tue.from", "09:00", "tue.to", "08:00"}},
		{host + "/dates", 422, []string{"date", "2026-11-24", "mode", "hours"}},
		{host + "/away", 422, []string{"start", "", "end", "x"}},
		{"/dashboard/contacts/new", 422, []string{"name", "", "email", "x", "phone", "x", "timeZone", "x"}},
		{"/dashboard/contacts/import", 422, nil},
		{"/dashboard/account/password", 422, []string{"old", "x", "new", "x"}},
		{"/dashboard/bookings/new", 422, []string{"start", "2026-11-24T08:00:00Z", "eventType", setup.EventTypes[0].Slug}},
	} {
		b.wantsTranslated(f.path, f.status, data, f.form...)
	}
}

// wantsTranslated sends a form that is refused, in English and in German, and finds no English text in the German answer.
func (b *visitor) wantsTranslated(path string, status int, data []string, form ...string) {
	b.w.T.Helper()
	data = slices.Clone(data)
	for i := 1; i < len(form); i += 2 {
		data = append(data, form[i])
	}
	in := map[string]map[string]bool{}
	for _, lang := range []string{"en-US", "de"} {
		b.languages = lang
		r := b.post(path, form...)
		b.wants(r, status)
		in[lang] = shownTexts(b.w.T, r.body, false)
	}
	b.languages = ""
	if left := english(in["en-US"], in["de"], data); len(left) > 0 {
		b.w.T.Errorf("%s %q has in English: %q", path, form, left)
	}
}

// Set-up, sign-in and an invitation have no English text for somebody who reads German.
func TestNothingStaysEnglishBeforeSignIn(t *testing.T) {
	w := newEmptyWorld(t)
	link, err := w.Account.NewSetupLink(t.Context())
	w.Must(err)
	setup, b := strings.TrimPrefix(link, w.server.URL), w.browser()
	data := append(slices.Clone(sameInGerman), "Salon Linden", "salon-linden", "/salon/", "Europe/Berlin", "Fitness", "Massage",
		"Balayage", "Oranienstraße 25, 10999 Berlin", strings.TrimPrefix(w.server.URL, "http://")+"/salon")
	for _, l := range views.Locales {
		data = append(data, l.Name)
	}
	look := func(path string) {
		t.Helper()
		for _, frame := range []bool{true, false} {
			if left := english(shownTexts(t, b.getIn("en-US", path).body, frame), shownTexts(t, b.getIn("de", path).body, frame), data); len(left) > 0 {
				t.Errorf("%s has in English: %q", path, left)
			}
		}
	}
	look(setup)
	look("/setup/gone")
	b.wantsTranslated(setup, 422, data, "email", "", "password", "x", "name", "", "slug", "", "timeZone", "", "currency", "")
	b.wants(b.post(setup, "email", "ana@salon.example", "password", "correct horse battery", "name", "Salon Linden", "slug", "salon", "timeZone", "Europe/Berlin", "currency", "EUR"), 303)
	data = append(data, "Ana", "ana@salon.example")
	look("/dashboard/start/hours")
	b.wantsTranslated("/dashboard/start/hours", 422, data, "name", "", "mon.from", "09:00", "mon.to", "17:00", "mon.from", "16:00", "mon.to", "18:00")
	b.wants(b.post("/dashboard/start/hours", "name", "Ana", "mon.from", "09:00", "mon.to", "17:00"), 303)
	look("/dashboard/start/trade")
	look("/dashboard/start/services?trade=hair")
	b.wantsTranslated("/dashboard/start/services", 422, data, "trade", "hair")
	b.wantsTranslated("/dashboard/start/services", 422, data, "trade", "hair", "on.0", "on", "title.0", "Bob", "minutes.0", "x", "price.0", "")
	look("/dashboard/start/service")
	b.wantsTranslated("/dashboard/start/service", 422, data, "title", "", "slug", "", "durationMinutes", "x", "price", "x")
	b.wants(b.post("/dashboard/start/service", "title", "Cut", "slug", "cut", "durationMinutes", "45"), 303)
	look("/dashboard/start/shop")
	b.wantsTranslated("/dashboard/start/shop", 422, data, "colleague.1", "", "email.1", "x")
	look("/dashboard/start/done")
	look("/dashboard/poster")
	look("/dashboard/poster?kind=cards")
	invitation := b.invites("/dashboard/settings/members", "email", "ben@salon.example", "role", "manager", "host", "")
	b = w.browser()
	look("/login")
	b.wantsTranslated("/login", 401, data, "email", "ana@salon.example", "password", "x")
	look("/invite/gone")
	look(invitation)
	b.wantsTranslated(invitation, 422, data, "password", "x")
}
