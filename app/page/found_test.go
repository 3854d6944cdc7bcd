package page_test

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"image"
	"net/url"
	"slices"
	"strings"
	"testing"

	"daybook/app/catalog"
	"daybook/app/trade"
)

// A search engine finds the pages of a business in each language, under a title and a description in that language, and
// hears which address is whose translation. What says nothing of itself is described by what it costs.
func TestFoundInTheVisitorsLanguage(t *testing.T) {
	w := newBarbers(t)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(of *catalog.Workspace) { of.Settings.Description = "" })
	w.Must(err)
	ana := w.hostID("Ana Keller")
	for _, c := range []struct{ path, accept, title, description, locale, own string }{
		{"/barbers", "de", "Online buchen · Barbers", "Online buchen bei Barbers: Haircut", "de", "/barbers"},
		{"/barbers", "fr-CA", "Réserver en ligne · Barbers", "Réservez en ligne chez Barbers\u00a0: Haircut", "fr", "/barbers"},
		{"/barbers?lang=es", "de", "Reserva en línea · Barbers", "Reserva en línea en Barbers: Haircut", "es", "/barbers?lang=es"},
		{"/barbers/cut?lang=en", "de", "Haircut · Barbers", "Haircut at Barbers, 30\u00a0min, €45", "en", "/barbers/cut?lang=en"},
		{"/barbers?host=" + ana + "&lang=de", "en", "Ana Keller · Barbers", "", "de", "/barbers?host=" + ana + "&lang=de"},
	} {
		text := html.UnescapeString(w.get(c.path, "Accept-Language", c.accept).text)
		for _, want := range []string{"<title>" + c.title + "</title>", `property="og:title" content="` + c.title + `"`,
			`name="description" content="` + c.description, `property="og:locale" content="` + c.locale,
			`rel="canonical" href="https://book.example.com` + c.own + `"`} {
			if !strings.Contains(text, want) {
				t.Errorf("%s, %s: no %s in %.2500s", c.path, c.accept, want, text)
			}
		}
		_, plain, _ := strings.Cut(text, `hreflang="x-default" href="https://book.example.com`)
		plain, _, _ = strings.Cut(plain, `"`)
		for _, lang := range []string{"en", "de", "fr", "es"} {
			address := plain + map[bool]string{true: "&", false: "?"}[strings.Contains(plain, "?")] + "lang=" + lang
			if !strings.Contains(text, `hreflang="`+lang+`" href="https://book.example.com`+address+`"`) {
				t.Errorf("%s has no translation at %s", c.path, address)
			}
			if a := w.get(address); a.StatusCode != 200 || !strings.Contains(a.text, `<html lang="`+lang) {
				t.Errorf("%s is not in %s: %d", address, lang, a.StatusCode)
			}
		}
	}
	private := path(w.book("cut", "1T11:00", "leo").ManageURL)
	if text := w.get(private).text; strings.Contains(text, `hreflang="x-default"`) || !strings.Contains(text, "noindex") {
		t.Errorf("%s is to be found", private)
	}
}

// The sitemap of a business has what its own page leads to, and nothing else; each address answers, and is the one that
// the page calls its own.
func TestSitemapOfABusiness(t *testing.T) {
	w := newBarbers(t)
	a := w.get("/barbers/sitemap.xml")
	var map_ struct {
		URLs []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	w.Must(xml.Unmarshal([]byte(a.text), &map_))
	if a.StatusCode != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), "application/xml") || len(map_.URLs) < 6 {
		t.Fatalf("%d %v %s", a.StatusCode, a.Header, a.text)
	}
	var all []string
	for _, u := range map_.URLs {
		at, err := url.Parse(u.Loc)
		w.Must(err)
		all = append(all, at.RequestURI())
		page := w.get(at.RequestURI())
		if page.StatusCode != 200 || !strings.Contains(html.UnescapeString(page.text), `rel="canonical" href="`+u.Loc+`"`) {
			t.Errorf("%s: %d", u.Loc, page.StatusCode)
		}
	}
	for _, want := range []string{"/barbers", "/barbers/cut", "/barbers?host=" + w.hostID("Ana Keller")} {
		if !slices.Contains(all, want) {
			t.Errorf("%s is not among %q", want, all)
		}
	}
	if strings.Contains(a.text, "secret") || strings.Contains(a.text, w.hostID("Carl Away")) {
		t.Errorf("what is hidden is listed: %q", all)
	}
	if a := w.get("/nobody/sitemap.xml"); a.StatusCode != 404 {
		t.Errorf("of nobody: %d", a.StatusCode)
	}
}

// schema.org hears what kind of business it is, who works there, what it costs and where it is rated.
func TestShopDataOfPeople(t *testing.T) {
	w := newBarbers(t)
	w.showPhotos(1) // and where it is rated
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(of *catalog.Workspace) { of.Settings.Trade = trade.Barber })
	w.Must(err)
	text := w.get("/barbers").text
	found := w.get("/barbers").all(`(?s)<script[^>]*application/ld\+json[^>]*>(.*?)</script>`)
	var d struct {
		Type       string `json:"@type"`
		PriceRange string
		SameAs     string
		Image      string
		Employee   []struct {
			Type      string `json:"@type"`
			Name, URL string
		}
	}
	w.Must(json.Unmarshal([]byte(found[0]), &d))
	if d.Type != "HairSalon" || d.SameAs != "https://reviews.example/barbers" || d.PriceRange != "30.00–60.00 EUR" {
		t.Errorf("%+v", d)
	}
	ana := "https://book.example.com/barbers?host=" + w.hostID("Ana Keller")
	names := map[string]string{}
	for _, e := range d.Employee {
		names[e.Name] = e.URL
		if e.Type != "Person" {
			t.Errorf("%+v", e)
		}
	}
	if names["Ana Keller"] != ana || names["Carl Away"] != "" {
		t.Errorf("the people are %v", names)
	}
	preview := strings.TrimSuffix(d.Image, "jpg") + "preview.jpg"
	if d.Image == "" || !strings.Contains(text, `property="og:image" content="`+preview+`"`) || !strings.Contains(text, `content="summary_large_image"`) {
		t.Errorf("a preview has not the photo %s", d.Image)
	}
	got := w.get(strings.TrimPrefix(preview, "https://book.example.com"))
	shown, format, err := image.DecodeConfig(strings.NewReader(got.text))
	if err != nil || format != "jpeg" || shown.Width != 1200 || shown.Height != 630 || got.Header.Get("Content-Type") != "image/jpeg" ||
		!strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("the preview is %d, %v %+v %s: %v", got.StatusCode, got.Header, shown, format, err)
	}
	for _, no := range []string{"/1601.preview.jpg", "/320.preview.png", "/preview.jpg", "/1600.jpg.preview.jpg"} {
		if got := w.get(preview[len("https://book.example.com"):strings.LastIndex(preview, "/")] + no); got.StatusCode != 404 {
			t.Errorf("%s is %d", no, got.StatusCode)
		}
	}
}
