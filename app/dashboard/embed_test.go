package dashboard

import (
	"net/http"
	"testing"
)

// The builder makes what is chosen, and its frame shows a site that has it, to nobody else.
func TestEmbedBuilder(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	e := w.setup().EventTypes[1]
	const chosen = "?kind=button&theme=dark&accent=%23c2410c&text=Book+%26+go&service="
	code := `&lt;button type=&#34;button&#34; data-service-popup=&#34;` + w.server.URL + "/" + w.setup().Workspace.Slug + "/" + e.Slug +
		`&#34; data-service-theme=&#34;dark&#34; data-service-accent=&#34;#c2410c&#34; data-service-button=&#34;corner&#34;&gt;Book &amp;amp; go&lt;/button&gt;`
	b.wants(b.get("/dashboard/developers/embed"+chosen+e.Slug), 200, code, e.Title)
	r := b.get("/dashboard/developers/embed/preview" + chosen + e.Slug)
	b.wants(r, 200, `<button type="button" data-service-popup="/`+w.setup().Workspace.Slug+"/"+e.Slug+`"`, `data-service-button="corner">Book &amp; go</button>`)
	if r.header.Get("X-Frame-Options") != "SAMEORIGIN" {
		t.Error("the frame can't show it")
	}
	b.wants(b.get("/dashboard/developers/embed?kind=x&theme=x&accent=x&service=x"), 200, `data-service-url=&#34;`)
	staff := w.staff(w.setup().Hosts[0].ID)
	if r := staff.get("/dashboard/developers/embed/preview"); r.status != http.StatusForbidden {
		t.Error(r.status)
	}
}
