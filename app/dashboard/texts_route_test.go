package dashboard

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"daybook/app/fault"
	"daybook/app/text"
	"daybook/views/dash"
)

// The secret address of a service that can't sign is shown once, when the template is saved; a button makes another, and
// ends it. It stands in no later page, nor in the audit log; TestNoTokenInTheLog has the server's.
func TestSecretAddressOfTexts(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	door := http.NewServeMux()
	text.NewDoor(w.Text, slog.New(slog.DiscardHandler)).Routes(door)
	hello := func(address string) int {
		_, path, _ := strings.Cut(address, "/api/")
		r := httptest.NewRequest(http.MethodPost, "/api/"+path, strings.NewReader(`{"from":"+4915112345678","text":"Hello"}`))
		out := httptest.NewRecorder()
		door.ServeHTTP(out, r)
		return out.Code
	}
	const template = `{"method":"POST","url":"{url}/send","type":"form","body":"to={to}&text={text}&cb={callback}","answer":{},"posts":"json",` +
		`"inbound":{"when":{"path":"text"},"from":"from","text":"text"},"verify":{"kind":"route"}}`
	form := []string{"url", "https://8.8.8.8", "template", template}
	shown := regexp.MustCompile(regexp.QuoteMeta(w.server.URL+text.InboundPath(w.Owner.Workspace)) + `/[a-z0-9]{26}`)
	saved := b.post(dash.TextsSenderPath("own"), form...)
	b.wants(saved, 200, "It is shown only now")
	first := shown.FindString(saved.body)
	if first == "" {
		t.Fatalf("no address: %s", saved.body)
	}
	if got := hello(first); got != 204 {
		t.Errorf("a post there: %d", got)
	}
	if got := hello(first[:len(first)-27]); got != 403 {
		t.Errorf("a post without the secret: %d", got)
	}
	b.wants(b.post(dash.TextsSenderPath("own"), append(form, "from", "Salon")...), 303) // it has one
	if got := hello(first); got != 204 {
		t.Errorf("after the template was saved again: %d", got)
	}
	b.wants(b.get(dash.TextsPath), 200, "which was shown when it was made", dash.TextsRoutePath, "!"+text.InboundPath(w.Owner.Workspace))
	renewed := b.post(dash.TextsRoutePath)
	second := shown.FindString(renewed.body)
	if b.wants(renewed, 200, "It is shown only now"); second == "" || second == first {
		t.Fatalf("renewed: %q", second)
	}
	if old, now := hello(first), hello(second); old != 403 || now != 204 {
		t.Errorf("the old one %d, the new one %d", old, now)
	}
	secrets := []string{first[len(first)-26:], second[len(second)-26:]}
	for _, path := range []string{dash.TextsPath, dash.TextsSenderPath("own"), "/dashboard/settings/log"} {
		page := b.get(path)
		b.wants(page, 200, "!"+secrets[0], "!"+secrets[1])
		if path == "/dashboard/settings/log" && !strings.Contains(page.body, "made another secret address") {
			t.Error("the audit log doesn't tell of it")
		}
	}
	// A sender that isn't known by its address has none.
	b.wants(b.post(dash.TextsSenderPath("own"), "url", "https://8.8.8.8", "signingKey", "k3y", "template",
		strings.Replace(template, `"kind":"route"`, `"kind":"header","header":"X-Key"`, 1)), 303)
	b.wants(b.get(dash.TextsPath), 200, text.InboundPath(w.Owner.Workspace), "!"+dash.TextsRoutePath)
	if got := hello(second); got != 403 {
		t.Errorf("after it is verified by a header: %d", got)
	}
	if _, err := w.Text.NewRoute(t.Context(), w.Owner); !fault.Is(err, fault.NotFound) {
		t.Errorf("of such a sender: %v", err)
	}
}
