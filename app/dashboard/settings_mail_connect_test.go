package dashboard

import (
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/apptest/browser"
	"daybook/app/mail/discovertest"
	"daybook/app/subjects"
)

// mailWorld is a salon in the internet of mailInternet.
func mailWorld(t testing.TB) (*world, *discovertest.SMTP) {
	in, k := mailInternet(t)
	return newWorld(t, in), k
}

// mailInternet is one where smtp.salon.example is the mail server of a salon, which the file of salon.example names;
// records.example names mx.hoster.example by DNS, the same server.
func mailInternet(t testing.TB) (func(*subjects.Config), *discovertest.SMTP) {
	ca := discovertest.NewCA(t)
	k := discovertest.NewSMTP(t, ca.Server("smtp.salon.example", "mx.hoster.example"), "info@salon.example", "s3cret")
	port := uint16(k.Port)
	return func(c *subjects.Config) {
		c.Mail.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		c.Mail.Ports = []uint16{port, 1, 465, 587}
		c.Mail.Trust = ca.Trust()
		c.Mail.Web = ca.Web(func(w http.ResponseWriter, r *http.Request) {
			if r.Host != "autoconfig.salon.example" {
				w.WriteHeader(404)
				return
			}
			fmt.Fprint(w, discovertest.File("smtp.salon.example 1 SSL %EMAILADDRESS% password-cleartext", fmt.Sprintf("smtp.salon.example %d SSL %%EMAILADDRESS%% password-cleartext", port)))
		}, "autoconfig.salon.example", "salon.example")
		c.Mail.DNS = discovertest.DNS(t, discovertest.Zone{
			"smtp.salon.example.": {discovertest.Loopback()}, "mx.hoster.example.": {discovertest.Loopback()},
			"_submissions._tcp.records.example.": {discovertest.SRV(port, "mx.hoster.example.")},
			"m365.example.":                      {discovertest.MX("m365-example.mail.protection.outlook.com.")},
		}, "silent.example.")
	}, k
}

// From the address to the digits: the owner types no port, a server that does not answer is followed by the next only
// after a click, Today says what is left, and no page has the password.
func TestMailByAddress(t *testing.T) {
	w, k := mailWorld(t)
	b := w.asOwner()
	b.wants(b.get("/dashboard/settings/mail"), 200, "Send mail from your own address", "For technicians", "!Does the test mail arrive")
	b.wants(b.post("/dashboard/settings/mail/find", "address", "nonsense"), 422, "e-mail address")
	b.wants(b.post("/dashboard/settings/mail/find", "address", "a@nowhere.example"), 422, "No server was found for a@nowhere.example", `id="technicians" open`)
	b.wants(b.post("/dashboard/settings/mail/find", "address", "a@silent.example"), 422, "looked up at the moment")
	b.wants(b.post("/dashboard/settings/mail/find", "address", "a@m365.example"), 200, "Microsoft 365 takes no passwords", "provider=brevo#technicians", "!connect-password")
	b.wants(b.get("/dashboard/settings/mail?provider=brevo"), 200, `value="smtp-relay.brevo.com"`, `id="technicians" open`)
	b.wants(b.post("/dashboard/settings/mail/find", "address", "a@gmail.com"), 200, "app password", "https://myaccount.google.com/apppasswords", `value="smtp.gmail.com:465"`)

	first, second := "smtp.salon.example:1", fmt.Sprintf("smtp.salon.example:%d", k.Port)
	b.wants(b.post("/dashboard/settings/mail/find", "address", "info@salon.example"), 200, "Found: smtp.salon.example", `name="server" value="`+first+`"`, "!is my provider")
	r := b.post("/dashboard/settings/mail/connect", "address", "info@salon.example", "server", first, "password", "s3cret")
	b.wants(r, 422, first+" does not answer. The password was not sent", `value="`+second+`" selected`, "!s3cret")
	if k.Sessions() != 0 {
		t.Error("the next server was tried without a click")
	}
	b.wants(b.post("/dashboard/settings/mail/connect", "address", "info@salon.example", "server", second, "password", "wr0ng"), 422, "refuses the sign-in", "!wr0ng")
	if k.Sessions() != 1 {
		t.Errorf("the password was tried %d times", k.Sessions())
	}
	b.wants(b.post("/dashboard/settings/mail/connect", "address", "info@salon.example", "server", second, "password", ""), 422, "Enter a password")
	b.wants(b.get("/dashboard"), 200, "No mail server: nobody gets mails.", "!not yet confirmed")
	b.wants(b.post("/dashboard/settings/mail/connect", "address", "info@salon.example", "server", second, "password", "s3cret"), 303)
	page := b.get("/dashboard/settings/mail")
	b.wants(page, 200, "Does the test mail arrive", "on its way to", `href="/dashboard"`, "Send from another address", "!s3cret", "!Send a test mail")
	if strings.Contains(page.body, k.Digits()) {
		t.Error("the page has the digits")
	}
	b.wants(b.get("/dashboard"), 200, "Mail not yet confirmed", "!<s>Connect a mail server")
	b.wants(b.get("/dashboard/integrations"), 200, "Not yet confirmed")
	wrong := "0000"
	if k.Digits() == wrong {
		wrong = "0001"
	}
	b.wants(b.post("/dashboard/settings/mail/code", "code", wrong), 422, "These are not the digits")
	b.wants(b.post("/dashboard/settings/mail/send-code"), 429, "Wait a minute")
	old := k.Digits()
	w.Clock.Advance(time.Minute)
	b.wants(b.post("/dashboard/settings/mail/send-code"), 303)
	if n := len(k.Mails()); n != 2 {
		t.Fatalf("%d mails", n)
	}
	if old != k.Digits() {
		b.wants(b.post("/dashboard/settings/mail/code", "code", old), 422, "These are not the digits")
	}
	w.Clock.Advance(16 * time.Minute)
	b.wants(b.post("/dashboard/settings/mail/code", "code", k.Digits()), 422, "can’t be used any more", "Send again")
	b.wants(b.post("/dashboard/settings/mail/send-code"), 303)
	b.wants(b.post("/dashboard/settings/mail/code", "code", k.Digits()), 303)
	b.wants(b.get("/dashboard/settings/mail?said=mail-works"), 200, "Your mails arrive", "!Does the test mail arrive", "Send a test mail")
	b.wants(b.get("/dashboard"), 200, "!Mail not yet confirmed", "<s>Connect a mail server")
	b.wants(b.post("/dashboard/settings/mail/send-code"), 303) // nothing is left to be confirmed
	server, err := w.Mail.MailServer(t.Context(), app.Operator(w.Owner.Workspace))
	if err != nil || server.Password != "s3cret" || server.From.Address != "info@salon.example" || server.From.Name != w.setup().Workspace.Name {
		t.Errorf("%v, %v", server, err)
	}
}

// A host outside of the address's domain gets the password once the owner has said that it is the provider's; a form
// can't name another.
func TestMailPasswordForAnotherHost(t *testing.T) {
	w, k := mailWorld(t)
	k.User = "a@records.example"
	b := w.asOwner()
	server := fmt.Sprintf("mx.hoster.example:%d", k.Port)
	b.wants(b.post("/dashboard/settings/mail/find", "address", "a@records.example"), 200, "records.example names a server outside", "Yes, mx.hoster.example is my provider")
	form := []string{"address", "a@records.example", "server", server, "password", "s3cret"}
	b.wants(b.post("/dashboard/settings/mail/connect", form...), 422, "Say that this is your provider", "!s3cret")
	b.wants(b.post("/dashboard/settings/mail/connect", append(form, "provider", "records.example")...), 422, "Say that this is your provider")
	b.wants(b.post("/dashboard/settings/mail/connect", "address", "a@records.example", "server", fmt.Sprintf("smtp.salon.example:%d", k.Port), "provider", "smtp.salon.example", "password", "s3cret"), 422, "not known for the address")
	if k.Sessions() != 0 {
		t.Error("the password went out")
	}
	b.wants(b.post("/dashboard/settings/mail/connect", append(form, "provider", "mx.hoster.example")...), 303)
	b.wants(b.post("/dashboard/settings/mail/code", "code", k.Digits()), 303)
}

// On a telephone and a desktop, in German: nobody types a port, from the address to the digits.
func TestMailByAddressInABrowser(t *testing.T) {
	w, k := mailWorld(t)
	k.User = "a@records.example"
	w.asOwner().post("/dashboard/account/language", "locale", "de")
	b := w.browse()
	axe := browser.Axe(t)
	b.look("light", 1280, 844)
	b.signIn(w)
	looked := func(name string) {
		t.Helper()
		for _, width := range []int64{390, 1440} {
			browser.Resize(t, b.ctx, width, 844)
			if wide := browser.Eval[int](t, b.ctx, "document.documentElement.scrollWidth-innerWidth"); wide > 0 {
				t.Errorf("%s at %d scrolls sideways by %d", name, width, wide)
			}
			for _, theme := range []string{"dark", "light"} {
				browser.Media(t, b.ctx, theme)
				if dir := os.Getenv("DAYBOOK_SHOTS"); dir != "" {
					browser.Shot(t, b.ctx, dir, fmt.Sprintf("%s-%d-%s", name, width, theme))
				}
			}
		}
		browser.Accessible(t, b.ctx, axe)
	}
	b.open("/dashboard/settings/mail")
	looked("mail")
	b.fill("address", "a@gmail.com")
	b.click(`form[action$="/find"] button`)
	b.sees("Google verlangt hier ein App-Passwort")
	looked("mail-gmail")
	b.open("/dashboard/settings/mail")
	b.fill("address", "a@m365.example")
	b.click(`form[action$="/find"] button`)
	b.sees("Microsoft 365 nimmt von anderen Programmen keine Passwörter an")
	looked("mail-microsoft")
	b.open("/dashboard/settings/mail")
	b.fill("address", "a@nowhere.example")
	b.click(`form[action$="/find"] button`)
	b.sees("wurde kein Server gefunden")
	looked("mail-none")
	b.fill("address", "a@records.example")
	b.click(`form[action$="/find"] button`)
	b.sees("Ist das Ihr Anbieter?")
	looked("mail-sure")
	b.do(chromedp.SendKeys(browser.CSS("#connect-password, [name=password]"), "s3cret"))
	b.click(`input[name=provider]`)
	b.click(`form[action$="/connect"] button`)
	b.sees("Kommt die Testmail an?")
	looked("mail-digits")
	b.open("/dashboard")
	b.sees("Mail noch nicht bestätigt")
	looked("mail-today")
	b.open("/dashboard/settings/mail")
	b.do(chromedp.SendKeys(browser.CSS("[name=code]"), k.Digits()))
	b.click(`form[action$="/code"] button`)
	b.sees("Ihre Mails kommen an.")
	looked("mail-done")
}

// Why the kinds of mail could not be saved is shown where it is seen: the fold in which it stands is open.
func TestRefusedMailKindsAreSeen(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	w.Must(w.SQL("UPDATE workspaces SET name = ''"))
	b.wants(b.post("/dashboard/settings/mail/kinds", "kinds", "confirmed"), 422, `id="technicians" open`)
}
