package dashboard

import (
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"

	post "daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/when"
)

func TestMailSettings(t *testing.T) {
	w := newWorld(t)
	b := w.manager()
	b.wants(b.get("/dashboard/settings/mail"), 200, "Mail server", "Which mails are sent")
	form := []string{"host", "smtp.example.com", "port", "x", "tls", "starttls", "user", "me", "password", "very-secret", "from", "me@example.com", "fromName", "Salon", "kinds", "confirmed"}
	b.wants(b.post("/dashboard/settings/mail", form...), 422, `value="smtp.example.com"`, `value="me@example.com"`, "!very-secret")
	form[3] = "587"
	b.wants(b.post("/dashboard/settings/mail", form...), 303)
	b.wants(b.get("/dashboard/settings/mail"), 200, `value="smtp.example.com"`, "Leave empty to keep", "!very-secret")
	form[9] = ""
	b.wants(b.post("/dashboard/settings/mail", form...), 303)
	server, err := w.Mail.MailServer(t.Context(), w.Owner)
	w.Must(err)
	if server.Password != "very-secret" {
		t.Error("the password was not kept")
	}
	for i, other := range map[int]string{1: "smtp.evil.example", 3: "2525", 5: "none", 7: "you"} { // host, port, encryption, user
		changed := slices.Clone(form)
		changed[i] = other
		b.wants(b.post("/dashboard/settings/mail", changed...), 422, "Enter the password again", "!very-secret")
		if server, err = w.Mail.MailServer(t.Context(), w.Owner); err != nil || server.Host != "smtp.example.com" || server.Password != "very-secret" {
			t.Errorf("%s was saved: %v, %v", other, server, err)
		}
	}
	for i, other := range map[int]string{1: "127.0.0.1", 3: "6379"} {
		changed := slices.Clone(form)
		changed[i], changed[9] = other, "very-secret"
		b.wants(b.post("/dashboard/settings/mail", changed...), 422, "can’t be used", "!very-secret")
	}
	form[1] = ""
	b.wants(b.post("/dashboard/settings/mail", form...), 303)
	if server, err = w.Mail.MailServer(t.Context(), w.Owner); err != nil || server != nil {
		t.Error(server, err)
	}
}

// Without a mail server Today and its list say so first; Settings says what waits, since when and until when, and helps
// to set one up and try it. What can't be written is told as well.
func TestTheOwnerHearsOfMailsThatDoNotArrive(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	for n := 1; n > 0; {
		var err error
		n, err = w.Mail.WriteMails(t.Context(), 100)
		w.Must(err)
	}
	before, _, _ := strings.Cut(b.get("/dashboard").body, "Next days")
	if !strings.Contains(before, "No mail server: nobody gets mails.") {
		t.Error("Today does not say that there is no mail server")
	}
	_, steps, _ := strings.Cut(b.get("/dashboard").body, "Next steps")
	first, _, _ := strings.Cut(steps, "</li>")
	if !strings.Contains(first, "Connect a mail server") || strings.Contains(first, "<s>") {
		t.Errorf("the first step is %s", first)
	}
	b.wants(b.get("/dashboard/settings/mail"), 200, "No mail server is set up, so no mail is sent", "!Send a test mail", `value="gmail">Google<`)
	b.wants(b.get("/dashboard/settings/mail?provider=gmail"), 200, `value="smtp.gmail.com"`, "app password")

	now := when.At(w.Clock.Now())
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error {
		return tx.(post.Tx).InsertMails(post.Mail{
			ID: w.firstMail() + 1, WorkspaceID: w.Owner.Workspace, Kind: catalog.MailTeamEndpoint, To: "no address", DueAt: now, Until: now.Add(48 * time.Hour),
		})
	}))
	b.wants(b.get("/dashboard/settings/mail"), 200, "mails are waiting, the first since", "on Sat, Nov 21. The first", "given up in 2 days")
	b.wants(b.get("/dashboard/settings/mail?state=waiting"), 200, "no mail server is set up", "given up in 2 days")

	sent := &smtp.Server{Host: "127.0.0.1", Port: 1, TLS: smtp.NoTLS, From: mail.Address{Address: "book@salon.example"}}
	w.Mail.ShareMailServer(sent)
	loop := post.NewLoop(post.LoopConfig{Service: w.Mail, Server: sent})
	if _, err := loop.Send(t.Context(), w.firstMail().String()); err != nil {
		t.Fatal(err)
	}
	b.wants(b.get("/dashboard"), 200, "A mail to no address could not be sent.", "!No mail server", "<s>Connect a mail server")
	b.wants(b.get("/dashboard/settings/mail"), 200, "mail server of this installation, from book@salon.example", "Send a test mail")
	b.wants(b.post("/dashboard/settings/mail/test"), 422, "The test mail was not sent", "127.0.0.1:1")
}

// firstMail is the newest of the log.
func (w *world) firstMail() post.MailID {
	w.T.Helper()
	all, err := w.Store.Mails(w.Owner.Workspace, post.Filter{Limit: 1})
	w.Must(err)
	return all[0].ID
}

func TestCalendarAddresses(t *testing.T) {
	w := newWorld(t)
	b := w.manager()
	host := w.setup().Hosts[0].ID.String()
	b.wants(b.get("/dashboard/settings/feeds"), 200, w.setup().Hosts[0].Name, "!.ics")
	address := func(r response) string {
		t.Helper()
		b.wants(r, 200, "data-copy")
		_, rest, _ := strings.Cut(r.body, `data-copy="`)
		text, _, _ := strings.Cut(rest, `"`)
		return text
	}
	first := address(b.post("/dashboard/settings/feeds?host=" + host))
	if !strings.HasPrefix(first, w.server.URL) || first != address(b.post("/dashboard/settings/feeds?host="+host)) {
		t.Error(first)
	}
	if anew := address(b.post("/dashboard/settings/feeds?anew=1&host=" + host)); anew == first {
		t.Error("the old address goes on")
	}
	b.wants(b.post("/dashboard/settings/feeds?end=1&host="+host), 303)
	stranger := w.stranger()
	stranger.wants(stranger.post("/dashboard/settings/feeds?host="+host), 404)
	stranger.wants(stranger.post("/dashboard/settings/feeds?end=1&host="+host), 404)
}
