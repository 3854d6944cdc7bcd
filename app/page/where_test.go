package page_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/mail/smtp"
	"daybook/app/page"
	"daybook/app/payment"
	"daybook/app/payment/stripe"
	"daybook/app/payment/stripetest"
	"daybook/app/serve"
	"daybook/app/subjects"
)

const onward = `
workspace: {slug: salon, name: Salon Ana, timeZone: Europe/Berlin, redirectHosts: [127.0.0.1, www.salon.example]}
eventTypes:
  - {slug: talk, title: Talk, durationMinutes: 30, hosts: [ana@salon.example], where: {kind: video},
     redirectUrl: "https://www.salon.example/thanks?a=b%20c#top"}
  - {slug: ring, title: Ring, durationMinutes: 30, hosts: [ana@salon.example], where: {kind: invitee_calls, text: "+49 30 901820"}}
`

func (w *world) made(id string) booking.Booking {
	w.T.Helper()
	b, err := w.Booking(w.T.Context(), w.Owner, id)
	w.Must(err)
	return b
}

// What the address says of where the visitor comes from goes through every step into the booking; then the page goes on
// to the business's site with the booking's id, once the invitee is sure to get the link.
func TestThePageGoesOnToTheSite(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Apply(onward)
	long := strings.Repeat("x", 300)
	from := "utm_source=news%00letter&utm_campaign=" + long + "&utm_medium=&other=1"
	list := w.get("/salon?" + from)
	if !strings.Contains(list.text, "utm_source=newsletter") || strings.Contains(list.text, "other=1") || len(list.Cookies()) > 0 {
		t.Error("the list's links don't carry the values")
	}
	form := w.get("/salon/talk?start=2026-12-01T08:00:00Z&" + from)
	if csp := form.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "form-action 'self' https://www.salon.example;") {
		t.Error(csp)
	}
	action := form.all(`<form method="post" action="([^"]*)"`)[0]
	book := func(at, who, more string) (location string) {
		t.Helper()
		a := w.send("POST", strings.ReplaceAll(action, "&amp;", "&")+more, bookingForm(at, who))
		if a.StatusCode != http.StatusSeeOther {
			t.Fatalf("%d %.800s", a.StatusCode, a.text)
		}
		return a.Header.Get("Location")
	}
	at := book("1T08:00", "mia", "")
	if strings.Contains(at, "utm_") {
		t.Error(at)
	}
	here := w.get(at) // without a mail the link must be seen here
	id := here.all(`data-booking-id="([^"]*)"`)[0]
	leads := "https://www.salon.example/thanks?a=b%20c&amp;booking=" + id + "#top"
	if here.StatusCode != 200 || !strings.Contains(here.text, `href="`+leads+`" target="_top"`) {
		t.Errorf("%d, no link to %s", here.StatusCode, leads)
	}
	if m := w.made(id).Metadata; m["utm_source"] != "newsletter" || m["utm_campaign"] != long[:200] || len(m) != 2 {
		t.Errorf("metadata %v", m)
	}
	w.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	at = book("1T09:00", "leo", "")
	gone := w.get(at)
	to, err := url.Parse(gone.Header.Get("Location"))
	w.Must(err)
	token := strings.TrimPrefix(strings.SplitN(at, "?", 2)[0], "/booking/")
	if gone.StatusCode != http.StatusSeeOther || to.Host != "www.salon.example" || !strings.HasPrefix(to.Query().Get("booking"), "bk_") ||
		strings.Contains(to.String(), token) || gone.Header.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("%d to %s", gone.StatusCode, to)
	}
	if a := w.get("/booking/" + token); a.StatusCode != 200 {
		t.Errorf("later the link shows the booking: %d", a.StatusCode)
	}
	if a := w.get(book("1T10:00", "ida", "&embed=inline")); a.StatusCode != 200 || !strings.Contains(a.text, `target="_top"`) {
		t.Errorf("in a frame: %d", a.StatusCode)
	}
	w.Apply("workspace: {slug: salon, redirectHosts: []}")
	if a := w.get(book("1T11:00", "jo", "")); a.StatusCode != 200 || strings.Contains(a.text, "salon.example/thanks") {
		t.Errorf("to a host that is allowed no more: %d", a.StatusCode)
	}
}

// A browser books a video call in two languages and sees its room.
func TestVideoBookingInABrowser(t *testing.T) {
	ctx := browser.Open(t)
	w := newWorld(t, page.Options{})
	w.Apply(onward)
	base := w.open()
	for at, lang := range map[string][3]string{"08:00": {"de", "Videogespräch", "Zum Videogespräch"}, "09:00": {"fr", "Appel vidéo", "Rejoindre l’appel vidéo"}} {
		browser.Do(t, ctx, chromedp.Navigate(base+"/salon/talk?lang="+lang[0]+"&start=2026-12-01T"+at+":00Z&utm_source=paper"))
		if !browser.Eval[bool](t, ctx, `document.body.innerText.includes("`+lang[1]+`")`) {
			t.Errorf("the form doesn't say %q", lang[1])
		}
		fillIn(t, ctx, "Mia"+lang[0])
		browser.Follow(t, ctx, `.actions button`)
		id := browser.Eval[string](t, ctx, bookingID)
		b := w.made(id)
		room := browser.Eval[string](t, ctx, `[...document.querySelectorAll(".facts a")].map(a=>a.innerText+" "+a.href).join()`)
		if room != lang[2]+" "+b.Where.URL || b.Metadata["utm_source"] != "paper" {
			t.Errorf("%q leads to %q, metadata %v", room, b.Where.URL, b.Metadata)
		}
	}
}

// With scripts and without, the form of a booking leads to the site, and so does coming back from the payment page: the
// site is told the booking's id, and the booking keeps where the visitor came from. A host that was taken off the list
// meanwhile is led to no more.
func TestTheSiteAfterBookingAndPaying(t *testing.T) {
	w := newWorld(t, page.Options{})
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	base, err := url.Parse(server.URL)
	w.Must(err)
	set := w.Subjects(func(c *subjects.Config) { c.BaseURL = base })
	set.Mail.ShareMailServer(&smtp.Server{Host: "mail.example", Port: 587})
	cards := stripetest.New(t)
	cards.Now = w.Clock.Now
	set.Payment.SetProvider(stripe.New(cards.URL))
	door := page.New(set, page.Options{TakesCards: func(catalog.WorkspaceID) bool { return true }})
	mux.Handle("/booking/{token}/pay", payment.Pay(set.Payment, set.Log(), nil))
	mux.Handle("/booking/{token}/paid", payment.Done(set.Payment, set.Log(), nil))
	pages, err := serve.Handler(serve.Config{Routes: door.Routes, Pages: door.Pages})
	w.Must(err)
	mux.Handle("/", pages)
	site := httptest.NewTLSServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		out.Header().Set("Content-Type", "text/html")
		_, _ = out.Write([]byte(`<main id="thanks">` + r.URL.Query().Get("booking") + r.Referer() + `</main>`))
	}))
	defer site.Close()
	w.Apply(onward)
	w.Apply(`{workspace: {slug: salon}, eventTypes: [{slug: talk, redirectUrl: "` + site.URL + `/thanks"},
		{slug: cut, payment: online, redirectUrl: "` + site.URL + `/thanks"}]}`)
	_, err = set.Payment.ConnectPayments(t.Context(), app.Operator(w.Workspace.ID), payment.Keys{SecretKey: stripetest.Key,
		SigningSecret: stripetest.SigningSecret})
	w.Must(err)
	open := browser.Open(t)
	for day, scripts := range map[string]bool{"2026-12-01": true, "2026-12-02": false} {
		ctx := browser.Tab(t, open)
		_, err := chromedp.Call(ctx, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true})
		w.Must(err)
		if !scripts {
			browser.NoScript(t, ctx)
		}
		start := func(slug, hour string) {
			t.Helper()
			browser.Do(t, ctx, chromedp.Navigate(server.URL+"/salon/"+slug+"?start="+day+"T"+hour+":00:00Z&utm_source=paper&utm_campaign=spring"))
			fillIn(t, ctx, "Leo"+hour)
			browser.Do(t, ctx, chromedp.Click(browser.CSS(`.actions button`)))
		}
		arrives := func(paid bool) {
			t.Helper()
			browser.Until(t, ctx, `document.querySelector("#thanks")`)
			b := w.made(browser.Eval[string](t, ctx, `document.querySelector("#thanks").innerText`)) // and no referrer
			if m := b.Metadata; b.Status != booking.Confirmed || m["utm_source"] != "paper" || m["utm_campaign"] != "spring" || (b.Payment != nil) != paid {
				t.Errorf("%s: %s, metadata %v, payment %+v", b.EventType, b.Status, m, b.Payment)
			}
		}
		pay := func() (back string) {
			t.Helper()
			browser.Until(t, ctx, bookingID)
			link := browser.Eval[string](t, ctx, `document.querySelector("a[href$='/pay'],form[action$='/pay']")?.outerHTML.match(/[^"]*\/pay/)[0]||""`)
			client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			a, err := client.Get(server.URL + link)
			w.Must(err)
			w.Must(a.Body.Close())
			session := cards.Session(t, -1)
			if !strings.HasSuffix(a.Header.Get("Location"), session) {
				t.Fatalf("%q leads to %q", link, a.Header.Get("Location"))
			}
			cards.Pay(t, session, stripetest.Good)
			return cards.Field(session, "success_url").(string)
		}
		start("talk", "08")
		arrives(false)
		start("cut", "09")
		browser.Do(t, ctx, chromedp.Navigate(pay()))
		arrives(true)
		start("cut", "11")
		back := pay()
		w.Apply("workspace: {slug: salon, redirectHosts: []}")
		browser.Do(t, ctx, chromedp.Navigate(back))
		browser.Until(t, ctx, bookingID)
		b := w.made(browser.Eval[string](t, ctx, bookingID))
		if b.Status != booking.Confirmed || browser.Eval[bool](t, ctx, `document.body.innerHTML.includes("/thanks")`) {
			t.Errorf("%s; the page leads on to a host that is allowed no more:\n%s", b.Status, browser.Text(ctx))
		}
		w.Apply("workspace: {slug: salon, redirectHosts: [127.0.0.1, www.salon.example]}")
	}
}
