package dashboard

import (
	"regexp"
	"strings"
	"testing"

	"daybook/app/catalog"
	"daybook/app/invitation"
)

var madeLink = regexp.MustCompile(`http://[^"<\s]+/_i/([a-z0-9]+)`)

// A service is hidden by its form; its links are made, listed and revoked on their page, and shown once. Staff have
// those to themselves.
func TestInvitationLinks(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	e := &w.setup().EventTypes[0]
	host := e.Hosts[0].ID
	path := "/dashboard/types/" + e.ID.String()
	form := b.get(path)
	b.wants(form, 200, `name="hidden"`, "/dashboard/invitations?type="+e.ID.String(), `data-copy`)
	w.Alter(e.Slug, func(e *catalog.EventType) { e.Hidden = true })
	b.wants(b.get(path), 200, `!data-copy`)
	b.wants(b.get("/dashboard/types"), 200, ">Hidden<", `href="/dashboard/invitations"`)
	b.wants(b.get("/dashboard/developers/embed"), 200, `!value="`+e.Slug+`"`)

	b.wants(b.get("/dashboard/invitations"), 200, "No invitation links yet")
	b.wants(b.get("/dashboard/invitations/new?type="+e.ID.String()), 200, e.Title+" (Hidden)", `value="`+e.ID.String()+`" selected`)
	b.wants(b.post("/dashboard/invitations/new", "eventType", e.ID.String(), "uses", "0", "expiresAt", "2026-01-01", "email", "nobody"), 422,
		"Choose a day that is not over.", `value="nobody"`)
	made := b.post("/dashboard/invitations/new", "eventType", e.ID.String(), "host", host.String(), "uses", "2", "expiresAt", "2026-12-24")
	link := madeLink.FindStringSubmatch(made.body)
	if made.status != 200 || link == nil {
		t.Fatalf("made: %d %s", made.status, made.body)
	}
	if page := w.browser().get("/_i/" + link[1]); page.status != 200 {
		t.Errorf("the link's page: %d", page.status)
	}
	mailed := b.post("/dashboard/invitations/new", "eventType", e.ID.String(), "uses", "1", "email", "mia@mail.example")
	if mailed.status != 303 || mailed.header.Get("Location") != "/dashboard/invitations?said=invited" {
		t.Errorf("mailed: %d to %s", mailed.status, mailed.header.Get("Location"))
	}
	list := b.get("/dashboard/invitations?said=invited")
	b.wants(list, 200, "mia@mail.example", "0 of 2 used", "Anybody with the link", "until Thu, Dec 24", "The invitation is on its way.",
		`/resend"`)
	page, err := w.Invitation.Invitations(t.Context(), w.Owner, invitation.ListInput{})
	w.Must(err)
	toMia, anybody := "/dashboard/invitations/"+page.Data[0].ID.String(), "/dashboard/invitations/"+page.Data[1].ID.String()
	if again := b.post(toMia + "/resend"); again.status != 303 || again.header.Get("Location") != "/dashboard/invitations?said=invited" {
		t.Errorf("mailed again: %d to %s", again.status, again.header.Get("Location"))
	}
	b.wants(b.post(anybody+"/resend"), 409, "This link has no recipient.", "mia@mail.example")
	if strings.Contains(list.body, link[1]) || madeLink.MatchString(list.body) {
		t.Error("the list shows a link")
	}
	b.wants(b.get("/dashboard/settings/mail"), 200, "mia@mail.example", "Invitation")

	staff := w.staff(host)
	staff.wants(staff.get("/dashboard/invitations"), 200, "0 of 2 used", "!mia@mail.example", "!/dashboard/types\"")
	staff.wants(staff.post("/dashboard/invitations/new", "eventType", e.ID.String(), "uses", "1"), 200, "/_i/")
	page, err = w.Invitation.Invitations(t.Context(), w.Owner, invitation.ListInput{})
	w.Must(err)
	if len(page.Data) != 3 || page.Data[0].HostID != host {
		t.Fatalf("there are %+v", page.Data)
	}
	staff.wants(staff.post("/dashboard/invitations/"+page.Data[1].ID.String()+"/revoke"), 404)
	b.wants(b.post("/dashboard/invitations/"+page.Data[2].ID.String()+"/revoke"), 303)
	b.wants(b.get("/dashboard/invitations?type="+e.ID.String()), 200, "Revoked")
	if page := w.browser().get("/_i/" + link[1]); page.status != 404 {
		t.Errorf("revoked, the link's page is %d", page.status)
	}
}
