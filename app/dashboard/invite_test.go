package dashboard

import (
	"strings"
	"testing"
	"time"
)

// invites is the path of the link in the answer to an invitation.
func (b *visitor) invites(path string, form ...string) string {
	b.w.T.Helper()
	r := b.post(path, form...)
	b.wants(r, 200, "Send this link to", `data-copy="`+b.w.server.URL+"/invite/")
	_, link, _ := strings.Cut(r.body, `data-copy="`+b.w.server.URL)
	link, _, _ = strings.Cut(link, `"`)
	return link
}

// The link of an invitation asks for a password, makes the member that it names and no other, and works once.
func TestInviteForm(t *testing.T) {
	w := newWorld(t)
	owner := w.asOwner()
	link := owner.invites("/dashboard/settings/members", "email", "Ben@Salon.example", "role", "manager", "host", "")
	b := w.browser()
	b.wants(b.get(link), 200, "Join ", w.setup().Workspace.Name, "Your role: Manager.",
		`value="Ben@Salon.example" autocomplete="username" aria-describedby="f-email-hint" readonly`, "!optional", "!Sign out")
	b.wants(b.get("/dashboard"), 303) // looking signs nobody in
	for password, why := range map[string]string{"": "Enter a password.", "too short": "Choose a password: Choose a password of 10 to 200 characters."} {
		b.wants(b.post(link, "password", password), 422, why, `value="Ben@Salon.example"`, `id="f-password" name="password" value=""`)
	}
	b.wants(b.post("/login", "email", "ben@salon.example", "password", "too short"), 401)
	b.wants(b.post(link+"x", "password", "correct horse battery"), 404, "Ask for a new one")

	// What the form doesn't ask changes nothing: the address and the role are the invitation's.
	r := b.post(link, "password", "correct horse battery", "email", "eve@evil.example", "role", "owner")
	if r.status != 303 || r.location != "/dashboard" {
		t.Fatalf("%d %s %s", r.status, r.location, r.body)
	}
	users, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	if len(users) != 2 || users[1].Email != "Ben@Salon.example" || users[1].Role != "manager" {
		t.Errorf("members %+v", users)
	}
	b.wants(b.get("/dashboard/contacts"), 200)
	b.wants(b.get("/dashboard/settings/members"), 403)
	ben := w.as("ben@salon.example", "correct horse battery")
	ben.wants(ben.get("/dashboard"), 200)

	again := w.browser()
	again.wants(again.get(link), 404, "Ask for a new one")
	again.wants(again.post(link, "password", "another long password"), 404, "Ask for a new one")
	again.wants(again.post("/login", "email", "ben@salon.example", "password", "another long password"), 401)
}

// A new invitation voids the one before, and, once taken, the sessions and the password that there were. It ends after
// a week, and with the membership.
func TestInvitationsEnd(t *testing.T) {
	w := newWorld(t)
	owner := w.asOwner()
	first := owner.invites("/dashboard/settings/members", "email", "ben@salon.example", "role", "manager", "host", "")
	users, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	member := "/dashboard/settings/members/" + users[1].ID.String()
	second := owner.invites(member + "/invite")
	b := w.browser()
	b.wants(b.get(first), 404)
	b.wants(b.post(first, "password", "correct horse battery"), 404)
	ben := w.joins(second)
	ben.wants(ben.get("/dashboard"), 200)

	third := owner.invites(member + "/invite")
	ben.wants(ben.get("/dashboard"), 200)
	b.wants(b.post(third, "password", "another long password"), 303)
	b.wants(b.get("/dashboard"), 200)
	ben.wants(ben.get("/dashboard"), 303)
	ben.wants(ben.post("/login", "email", "ben@salon.example", "password", "correct horse battery"), 401)

	week := owner.invites(member + "/invite")
	w.Clock.Advance(7*24*time.Hour - time.Second)
	late := w.browser()
	late.wants(late.get(week), 200)
	w.Clock.Advance(time.Second)
	late.wants(late.get(week), 404, "older than a week")
	late.wants(late.post(week, "password", "correct horse battery"), 404, "older than a week")

	owner = w.asOwner()
	last := owner.invites(member + "/invite")
	owner.wants(owner.post(member+"/remove"), 303)
	late.wants(late.get(last), 404)
	late.wants(late.post(last, "password", "correct horse battery"), 404)
}
