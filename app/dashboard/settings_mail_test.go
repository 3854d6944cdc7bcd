package dashboard

import (
	"strings"
	"testing"
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
	server, err := w.MailServer(w.owner.Workspace)
	w.must(err)
	if server.Password != "very-secret" {
		t.Error("the password was not kept")
	}
	form[1] = "smtp.evil.example"
	b.wants(b.post("/dashboard/settings/mail", form...), 303)
	if server, err = w.MailServer(w.owner.Workspace); err != nil || server.Password != "" {
		t.Errorf("the password goes to another server: %v", err)
	}
	form[1] = ""
	b.wants(b.post("/dashboard/settings/mail", form...), 303)
	if server, err = w.MailServer(w.owner.Workspace); err != nil || server != nil {
		t.Error(server, err)
	}
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
