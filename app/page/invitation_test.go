package page_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/invitation"
	"daybook/app/mail"
	"daybook/app/page"

	netmail "net/mail"
)

const vip = salon + "  - {slug: vip, title: After hours, durationMinutes: 60, hidden: true, hosts: [ana@salon.example, ben@salon.example]}\n"

// newInvited is the salon with a hidden service.
func newInvited(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, page.Options{})
	w.Apply(vip)
	return w
}

// invite makes a link as the owner and returns its path.
func (w *world) invite(in invitation.Input) string {
	w.T.Helper()
	l, err := w.Invitation.CreateInvitation(w.T.Context(), w.Owner, in)
	w.Must(err)
	return path(l.URL)
}

// A hidden service has no page without a link, and is named nowhere. By the link it is as any other, without scripts and
// cookies, and the address of its page goes nowhere else.
func TestHiddenServiceHasNoPage(t *testing.T) {
	w := newInvited(t)
	for _, ask := range []string{"", "?date=2026-12-01", "?start=2026-12-01T08:00:00Z", "?embed=inline", "?host=hs_0000000000000", "?lang=fr"} {
		for _, method := range []string{"GET", "POST", "HEAD"} {
			var hidden, unknown answer
			if method == "POST" {
				hidden, unknown = w.send(method, "/salon/vip"+ask, bookingForm("1T09:00", "mia")), w.send(method, "/salon/xip"+ask, bookingForm("1T09:00", "mia"))
			} else {
				hidden, unknown = w.send(method, "/salon/vip"+ask, nil), w.send(method, "/salon/xip"+ask, nil)
			}
			for _, name := range []string{"X-Request-Id"} {
				hidden.Header.Del(name)
				unknown.Header.Del(name)
			}
			if hidden.StatusCode != 404 || hidden.StatusCode != unknown.StatusCode || strings.ReplaceAll(hidden.text, "vip", "xip") != unknown.text {
				t.Errorf("%s %s: %d, of an unknown one %d", method, ask, hidden.StatusCode, unknown.StatusCode)
			}
		}
	}
	for _, list := range []string{"/salon", "/salon?embed=inline"} {
		if a := w.get(list); strings.Contains(a.text, "After hours") || strings.Contains(a.text, "vip") {
			t.Errorf("%s names the hidden service", list)
		}
	}

	at := w.invite(invitation.Input{EventType: "vip", Host: w.hostID("Ben")})
	month := w.get(at + "?date=2026-12-01&timeZone=Europe/Berlin")
	if month.StatusCode != 200 || !strings.Contains(month.text, "After hours") || !strings.Contains(month.text, `data-start="2026-12-01T08:00:00Z"`) {
		t.Fatalf("the link's page: %d %.800s", month.StatusCode, month.text)
	}
	for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Robots-Tag": "noindex", "Set-Cookie": ""} {
		if got := month.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, never := range []string{`rel="canonical"`, "ld+json", "/salon/vip", "With whom?"} {
		if strings.Contains(month.text, never) {
			t.Errorf("the link's page has %s", never)
		}
	}
	form := w.get(at + "?start=2026-12-01T08:00:00Z")
	if action := form.all(`<form[^>]* action="(/_i/[^"?]*)`); len(action) == 0 || action[0] != at {
		t.Fatalf("the form goes to %v, want %s", action, at)
	}
	typed := bookingForm("1T08:00", "mia")
	for name, value := range form.hidden() {
		typed[name] = value
	}
	booked := w.send("POST", at, typed)
	if booked.StatusCode != 303 || strings.Contains(booked.Header.Get("Location"), "_i") {
		t.Fatalf("booked: %d to %s\n%.800s", booked.StatusCode, booked.Header.Get("Location"), booked.text)
	}
	receipt := w.get(booked.Header.Get("Location"))
	if !strings.Contains(receipt.text, "Ben") || strings.Contains(receipt.text, at) {
		t.Error("the booking isn't with the host of the link, or its page shows the link")
	}
	w.play(t, []scenario{
		{name: "used", request: "GET " + at, status: 404, contains: []string{"This link was used already", "Salon Ana"}},
		{name: "used by who had the form open", request: "POST " + at, form: bookingForm("1T10:00", "bo"), status: 404, contains: []string{"used already"}},
		{name: "unknown", request: "GET /_i/nonsense", status: 404, contains: []string{"work any more"}},
		{name: "in French", request: "GET /_i/nonsense?lang=fr", status: 404, contains: []string{"Ce lien ne fonctionne plus"}},
	})
	cancelled := strings.SplitN(booked.Header.Get("Location"), "?", 2)[0]
	if a := w.send("POST", cancelled+"/cancel", map[string][]string{"reason": {""}}); a.StatusCode != 303 {
		t.Fatalf("cancelled: %d", a.StatusCode)
	}
	if a := w.get(cancelled); strings.Contains(a.text, "vip") {
		t.Error("a cancelled booking leads to the hidden service")
	}
	if a := w.get(at); a.StatusCode != 200 {
		t.Errorf("given back, the link's page is %d", a.StatusCode)
	}

	expiring := w.invite(invitation.Input{EventType: "cut", ExpiresAt: w.Clock.Now().Add(time.Hour).Format(time.RFC3339)})
	l, err := w.Invitation.CreateInvitation(t.Context(), w.Owner, invitation.Input{EventType: "cut"})
	w.Must(err)
	w.Must(w.Invitation.RevokeInvitation(t.Context(), w.Owner, l.ID.String()))
	w.Clock.Advance(time.Hour)
	w.play(t, []scenario{
		{name: "expired", request: "GET " + expiring, status: 404, contains: []string{"This link has expired"}},
		{name: "revoked", request: "GET " + path(l.URL), status: 404, contains: []string{"work any more"}},
	})
}

// What a link's address chooses counts as on any other page: add-ons, seats, the shop's clock, and the site that the
// form leads to.
func TestLinkWithAChoice(t *testing.T) {
	w := newWorld(t, page.Options{})
	w.Apply(chosen)
	w.Apply(`{workspace: {slug: salon, redirectHosts: [www.salon.example]}, eventTypes: [{slug: trim, location: Lindenstr. 1, redirectUrl: "https://www.salon.example/thanks"}]}`)
	at := w.invite(invitation.Input{EventType: "trim"})
	w.play(t, []scenario{
		{name: "one of a group, on the shop's clock", request: "GET " + at + "?date=2026-12-01&timeZone=America/New_York&clock=24", status: 200,
			contains: []string{`value="short" checked`, ">09:00"}},
		{name: "seats", request: "GET " + w.invite(invitation.Input{EventType: "yoga"}) + "?seats=3&start=2026-12-01T08:00:00Z", status: 200,
			contains: []string{`name="seats" value="3"`, "€30"}},
	})
	form := w.get(at + "?addOns=beard,long&start=2026-12-01T08:00:00Z")
	if csp := form.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "https://www.salon.example;") || !strings.Contains(form.text, "€68") {
		t.Errorf("%s\n%.2000s", csp, form.text)
	}
	typed := bookingForm("1T08:00", "mia")
	for name, value := range form.hidden() {
		typed[name] = value
	}
	a := w.send("POST", at, typed)
	if a.StatusCode != 303 {
		t.Fatalf("%d %.800s", a.StatusCode, a.text)
	}
	b := w.made(w.get(a.Header.Get("Location")).all(`data-booking-id="([^"]*)"`)[0])
	if len(b.AddOns) != 2 || b.Price.Amount != 6800 {
		t.Errorf("booked %+v for %+v", b.AddOns, b.Price)
	}
}

var inMail = regexp.MustCompile(`https?://\S+/_i/\S+`)

// One who is invited opens the link in the mail, in German and in Spanish, and books with the address that it was sent
// to; the log of mails doesn't have the link.
func TestInvitationFromTheMail(t *testing.T) {
	ctx := browser.Open(t)
	w := newInvited(t)
	base := w.open()
	for lang, says := range map[string]struct{ subject, fixed string }{
		"de": {"Ihre Einladung: After hours", "Ihre Einladung ging an diese Adresse."},
		"es": {"Su invitación: After hours", "Su invitación se envió a esta dirección."},
	} {
		_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.Settings.Locale = lang })
		w.Must(err)
		l, err := w.Invitation.CreateInvitation(t.Context(), w.Owner, invitation.Input{EventType: "vip", Email: lang + "@mail.example"})
		w.Must(err)
		queued, err := w.Mail.Mails(t.Context(), w.Owner, mail.ListInput{})
		w.Must(err)
		m := queued.Data[0]
		logged, err := mail.Compose(t.Context(), w.Mail, &m, netmail.Address{})
		w.Must(err)
		about, err := w.Mail.MailSubject(t.Context(), &m)
		w.Must(err)
		about.Sends = true
		sent, err := mail.ComposeAbout(t.Context(), w.Mail, &m, &about, netmail.Address{})
		w.Must(err)
		if l.URL != "" || inMail.MatchString(logged.Text+logged.HTML) || m.Kind != catalog.MailInvitation || m.To != lang+"@mail.example" {
			t.Errorf("shown to others: %q; the log has %s", l.URL, logged.Text)
		}
		if !strings.Contains(sent.Subject, says.subject) || !inMail.MatchString(sent.Text) {
			t.Fatalf("the mail %q says %s", sent.Subject, sent.Text)
		}
		at := path(inMail.FindString(sent.Text))
		browser.Do(t, ctx, chromedp.Navigate(base+at+"?lang="+lang+"&timeZone=Europe/Berlin&date=2026-12-02"))
		browser.Until(t, ctx, `document.querySelector("[data-start]")`)
		browser.Do(t, ctx, chromedp.Click(browser.CSS(`[data-start]`)))
		browser.Until(t, ctx, `document.querySelector("[name=email]")`)
		if got := browser.Eval[string](t, ctx, `(e=>[e.value,e.readOnly,document.querySelector("#f-email-hint").textContent].join())(document.querySelector("[name=email]"))`); got != lang+"@mail.example,true,"+says.fixed {
			t.Errorf("the form has %s", got)
		}
		browser.Do(t, ctx, chromedp.SendKeys(browser.CSS(`[name=name]`), "Mia"))
		browser.Follow(t, ctx, `.actions button`)
		browser.Until(t, ctx, bookingID)
		b, err := w.Booking(t.Context(), w.Owner, browser.Eval[string](t, ctx, bookingID))
		w.Must(err)
		if b.Invitee.Email != lang+"@mail.example" || b.EventType != "vip" || b.Status != booking.Confirmed {
			t.Errorf("booked %+v", b)
		}
		_, err = w.Cancel(t.Context(), w.Owner, b.ID.String(), app.CancelInput{})
		w.Must(err)
		w.Must(w.Invitation.RevokeInvitation(t.Context(), w.Owner, l.ID.String()))
		if about, err = w.Mail.MailSubject(t.Context(), &m); err != nil || about.Dropped == "" {
			t.Errorf("the mail of a revoked link goes out: %q, %v", about.Dropped, err)
		}
	}
}
