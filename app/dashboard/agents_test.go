package dashboard

import (
	"html"
	"net/http"
	"strings"
	"testing"

	"daybook/app/agentsetup"
)

// The dashboard shows for each client what the command line prints, with the server's address; the page of a new key has
// the key in it.
func TestAgentSnippetsOfEachClient(t *testing.T) {
	w := newWorld(t)
	owner := w.asOwner()
	page := html.UnescapeString(owner.get("/dashboard/developers/agents").body)
	for _, c := range agentsetup.For(w.salon.Workspace, w.BaseURL(), "YOUR_API_KEY").Clients {
		if !strings.Contains(page, c.Name) || !strings.Contains(page, c.Text) {
			t.Errorf("agents: no %s", c.Name)
		}
	}
	if !strings.Contains(page, `href="/dashboard/developers/keys/new"`) {
		t.Error("agents: no way to a key")
	}
	r := owner.post("/dashboard/developers/keys/new", "name", "agent", "scope", "full", "rateLimit", "120")
	page = html.UnescapeString(r.body)
	_, key, _ := strings.Cut(page, "Bearer ")
	key = key[:strings.IndexAny(key, `'"`)]
	if r.status != http.StatusOK || !strings.HasPrefix(key, "dbk_") {
		t.Fatalf("%d, key %q", r.status, key)
	}
	for _, c := range agentsetup.For(w.salon.Workspace, w.BaseURL(), key).Clients {
		if !strings.Contains(page, c.Text) {
			t.Errorf("new key: no %s", c.Name)
		}
	}
}
