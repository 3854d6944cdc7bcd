package dashboard

import (
	"fmt"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest/browser"
	"daybook/app/catalog"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/views/dash"
)

// does are the fields of the menu in which these services are ticked.
func (w *world) does(slugs ...string) (form []string) {
	w.T.Helper()
	setup := w.setup()
	for i := range setup.EventTypes {
		e := &setup.EventTypes[i]
		form = append(form, "listed", e.ID.String())
		if slices.Contains(slugs, e.Slug) {
			form = append(form, "services["+e.ID.String()+"]", "on")
		}
	}
	return form
}

// served are the slugs of what the host does.
func (w *world) served(host catalog.HostID) (all []string) {
	w.T.Helper()
	setup := w.setup()
	for i := range setup.EventTypes {
		if e := &setup.EventTypes[i]; e.ServedBy(host) {
			all = append(all, e.Slug)
		}
	}
	return all
}

// nina is the form of a new stylist.
func (w *world) nina(more ...string) []string {
	return append([]string{"name", "Nina Vogel", "email", "nina@salon.example", "tue.switch", "on", "tue.open", "on", "tue.from", "10:00", "tue.to", "18:00"}, more...)
}

// everything is what a refused form must leave as it is.
func (w *world) everything() string {
	return w.dump("hosts") + w.dump("event_types") + w.dump("users") + w.dump("invitations") + w.dump("mails")
}

// A person is added by one form: with services, hours, picture and a way in, or not at all. What is refused is told of at
// its field, with all else as it was typed. The stylist takes the invitation and sees their own calendar.
func TestNewPerson(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const page = dash.NewHostPath
	b.wants(b.get(page), 200, `enctype="multipart/form-data"`, "Ticked is what at least half of your team does", "Can see and change only their own calendar", "<span>Tue – Wed</span> <span>9:00")
	form := w.nina(append(w.does("haircut", "blow-dry"), "role", "staff")...)
	before := w.everything()
	for field, wrong := range map[string][]string{"email": {"email", "nina@"}, "name": {"name", " "}, "role": {"role", "queen"}, "tue": {"tue.to", "09:00"}} {
		bad := slices.Clone(form)
		bad[slices.Index(bad, wrong[0])+1] = wrong[1]
		r := b.postService(page, pictureFile(t, 300, 300), bad...)
		b.wants(r, 422, `href="#f-`+field+`"`, `src="/_p/`, `name="picture.id"`, `name="services[`+w.setup().EventType("blow-dry").ID.String()+`]" value="on" checked`)
		if w.everything() != before {
			t.Errorf("refused for its %s, it wrote something", field)
		}
	}
	b.wants(b.postService(page, pictureFile(t, 300, 300), append(slices.Clone(form), "copy", "tue", "copy.tue", "wed")...), 200, `src="/_p/`, `name="picture.id"`)
	_, _, err := w.Account.Invite(t.Context(), w.Owner, account.MemberInput{Email: "ben@salon.example", Role: app.StaffRole, Host: w.setup().Hosts[1].ID})
	w.Must(err)
	taken := slices.Clone(form)
	taken[3], before = "ben@salon.example", w.everything()
	b.wants(b.postService(page, nil, taken...), 409, `href="#f-email"`, "already signs in with this address")
	if w.everything() != before {
		t.Error("something was written")
	}

	b.wants(b.postService(page, []byte("<script>"), form...), 422, `href="#f-picture"`, "no JPEG, PNG or WebP picture", `value="Nina Vogel"`)
	r := b.postService(page, pictureFile(t, 300, 300), form...)
	b.wants(r, 200, "Created.", "Give this link to nina@salon.example", `class="scanned"`, "Haircut, Wash and blow-dry", "Tue", "10:00\u202fAM–6:00\u202fPM", "?host=", "Invited, not yet signed in")
	who := w.setup().HostByEmail("nina@salon.example")
	if who == nil || who.Picture == 0 || fmt.Sprint(who.Weekly) != "map[tue:[10:00-18:00]]" || who.TimeZone != w.Workspace.TimeZone {
		t.Fatalf("made %+v", who)
	}
	if got := fmt.Sprint(w.served(who.ID)); got != "[haircut blow-dry]" {
		t.Errorf("does %s", got)
	}
	link := "/invite/" + between(r.body, `data-copy="`+w.server.URL+`/invite/`, `"`)
	b.wants(b.get(hostURL(who)), 200, "!/invite/")
	b.wants(b.get(dash.HostsPath), 200, "Nina Vogel", "Invited, not yet signed in", `srcset="/_p/`)

	nina := w.joins(link)
	nina.wants(nina.get("/dashboard"), 200, "!Ana Keller")
	nina.wants(nina.get(dash.CalendarPath), 200, "Nina Vogel", "!Ana Keller")
	b.wants(b.get(dash.HostsPath), 200, "Signs in as staff")
}

// An owner who is added to the team with the address that they sign in by stays the owner, and is that person from then
// on.
func TestOwnerJoinsTheTeam(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	b.wants(b.get(dash.HostsPath), 200, "Signs in, can’t be booked", w.salon.Email)
	form := w.nina(append(w.does("haircut"), "role", "staff")...)
	form[3] = strings.ToUpper(w.salon.Email)
	r := b.post(dash.NewHostPath, form...)
	b.wants(r, 303)
	b.wants(b.get(r.location), 200, "They sign in with this address already")
	users, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	who := w.setup().HostByEmail(form[3])
	if len(users) != 1 || users[0].Role != app.OwnerRole || who == nil || users[0].HostID != who.ID {
		t.Fatalf("members %+v", users)
	}
	b.wants(b.get(hostURL(who)), 200, "Signs in as owner")
	page := dash.HostSignInPath(who.ID.String())
	b.wants(b.get(page), 200, "This is your own sign-in", `value="owner" checked`)
	b.wants(b.post(page+"/end", "member", users[0].ID.String()), 409, "somebody else", `value="owner" checked`)
}

// Who was invited to manage before they were added to the team, and has no password yet, gets a new link.
func TestWaitingMemberJoinsTheTeam(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	_, old, err := w.Account.Invite(t.Context(), w.Owner, account.MemberInput{Email: "nina@salon.example", Role: app.ManagerRole})
	w.Must(err)
	r := b.post(dash.NewHostPath, w.nina("role", "staff")...)
	b.wants(r, 200, "Give this link to nina@salon.example", "Invited, not yet signed in")
	nina := w.browser()
	nina.wants(nina.get(strings.TrimPrefix(old, w.server.URL)), 404)
	w.joins("/invite/" + between(r.body, `data-copy="`+w.server.URL+`/invite/`, `"`))
	b.wants(b.get(hostURL(w.setup().HostByEmail("nina@salon.example"))), 200, "Signs in as manager")
}

// With a mail server the invitation is mailed. The link stands in the mail that is sent and nowhere else, and a mail
// whose invitation was taken or replaced isn't sent.
func TestInvitationIsMailed(t *testing.T) {
	w := newWorld(t)
	w.Mail.ShareMailServer(&smtp.Server{Host: "smtp.example.com", Port: 587})
	b := w.asOwner()
	b.wants(b.get(dash.NewHostPath), 200, `name="mail" value="on" checked`)
	r := b.post(dash.NewHostPath, w.nina("role", "staff", "mail", "on")...)
	b.wants(r, 200, "The invitation is on its way to nina@salon.example")
	link := between(r.body, `data-copy="`+w.server.URL+`/invite/`, `"`)
	page, err := w.Mail.Mails(t.Context(), w.Owner, mail.ListInput{})
	w.Must(err)
	m := page.Data[0]
	if m.Kind != catalog.MailMember || m.To != "nina@salon.example" {
		t.Fatalf("mailed %+v", m)
	}
	b.wants(b.get("/dashboard/settings/mail"), 200, "Invitation to the team", "!"+link)
	if strings.Contains(w.dump("mails")+w.dump("invitations"), link) {
		t.Error("the link stands in the database")
	}
	written := func() (string, string) {
		about, err := w.Mail.MailSubject(t.Context(), &m)
		w.Must(err)
		seen, err := mail.ComposeAbout(t.Context(), w.Mail, &m, &about, netmail.Address{})
		w.Must(err)
		if strings.Contains(seen.HTML+seen.Text, link) {
			t.Error("the log shows the link")
		}
		about.Sends = true
		sent, err := mail.ComposeAbout(t.Context(), w.Mail, &m, &about, netmail.Address{})
		w.Must(err)
		return sent.Text, about.Dropped
	}
	if text, dropped := written(); !strings.Contains(text, w.server.URL+"/invite/"+link) || dropped != "" {
		t.Errorf("sends %s, dropped %q", text, dropped)
	}
	who := w.setup().HostByEmail("nina@salon.example")
	users, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	member := users[len(users)-1].ID.String()
	again := b.post(dash.HostSignInAgainPath(who.ID.String()), "member", member)
	b.wants(again, 200, "Give this link to")
	if _, dropped := written(); dropped == "" {
		t.Error("a mail with a link that was replaced is sent")
	}
	newest := between(again.body, `data-copy="`+w.server.URL+`/invite/`, `"`)
	late := w.browser()
	late.wants(late.get("/invite/"+link), 404)
	late.wants(late.get("/invite/"+newest), 200)
	w.Clock.Advance(8 * 24 * time.Hour)
	late.wants(late.get("/invite/"+newest), 404)
}

// An owner's invitation isn't mailed, and no page says that it was; one that waits becomes so by the role. The fifty-first
// of a day is refused in words, and nothing of it is kept.
func TestOwnersInvitationIsNotMailed(t *testing.T) {
	w := newWorld(t)
	w.Mail.ShareMailServer(&smtp.Server{Host: "smtp.example.com", Port: 587})
	b := w.asOwner()
	r := b.post(dash.NewHostPath, w.nina("role", "owner", "mail", "on")...)
	b.wants(r, 200, "Give this link to nina@salon.example", "invitation isn’t mailed", "!is on its way")
	page := dash.HostSignInPath(w.setup().HostByEmail("nina@salon.example").ID.String())
	b.wants(b.get(page), 200, "New invitation link", "!Send the link by e-mail")
	users, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	member := users[len(users)-1].ID.String()
	b.wants(b.post(page+"/again", "member", member, "mail", "on"), 200, "invitation isn’t mailed", "!is on its way")
	b.wants(b.post(page, "member", member, "role", "staff"), 303)
	for range 50 {
		b.wants(b.post(page+"/again", "member", member, "mail", "on"), 200, "is on its way")
	}
	before := w.dump("invitations")
	b.wants(b.post(page+"/again", "member", member, "mail", "on"), 429, "As many invitations were mailed today")
	if w.dump("invitations") != before {
		t.Error("a refused invitation replaced the last one")
	}
}

// Owners say as what a person signs in, make them another link and end it; managers and staff neither see nor do that.
func TestPersonSignsIn(t *testing.T) {
	w := newWorld(t)
	h := w.setup().Hosts[0]
	owner, manager := w.asOwner(), w.manager()
	page := dash.HostSignInPath(h.ID.String())
	owner.wants(owner.post(page, "email", "ana", "role", "staff"), 422, `href="#f-email"`, `value="ana"`)
	link := owner.post(page, "email", h.Email, "role", "staff", "mail", "on") // there is no mail server
	owner.wants(link, 200, "Give this link to", "Invited, not yet signed in")
	users, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	i := slices.IndexFunc(users, func(u app.User) bool { return u.HostID == h.ID })
	member, other := users[i].ID.String(), users[0].ID.String()
	ana := w.joins("/invite/" + between(link.body, `data-copy="`+w.server.URL+`/invite/`, `"`))
	owner.wants(owner.post(page, "member", member, "role", "manager"), 303)
	owner.wants(owner.get(page), 200, "Signs in as manager", "Link for a new password")
	for _, path := range []string{page, page + "/again", page + "/end"} {
		owner.wants(owner.post(path, "member", other, "role", "staff"), 404) // nobody of this person's
	}
	for _, b := range []*visitor{manager, ana} {
		b.wants(b.get(dash.HostsPath), 200, h.Name, "!Signs in", "!"+w.salon.Email)
		b.wants(b.get(hostURL(&h)), 200, "!/sign-in", "!Signs in")
		b.wants(b.get(page), 403)
		b.wants(b.get(dash.NewHostPath), 200, `!name="role"`)
	}
	before := w.everything()
	manager.wants(manager.post(dash.NewHostPath, w.nina("role", "owner")...), 403)
	if w.everything() != before {
		t.Error("a manager made a member, or half of one")
	}
	manager.wants(manager.post(dash.NewHostPath, w.nina()...), 303)
	owner.wants(owner.post(page+"/end", "member", member), 303)
	owner.wants(owner.get(page), 200, "Invite to sign in")
	ana.wants(ana.get("/dashboard"), 303)

	staff := w.staff(h.ID)
	staff.wants(staff.get(hostURL(&h)), 200, `name="about"`, `!name="name"`, `!name="email"`, "!/services", "!/sign-in", "/hours", "/away")
	staff.wants(staff.get(hostURL(&h)+"/services"), 403)
	staff.wants(staff.post(hostURL(&h)+"/services"), 403)
}

// What is ticked is what a person does; a service that the form doesn't list stays as it is, and one that nobody else
// does can't be taken away.
func TestPersonsServices(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	ben := w.setup().Hosts[1]
	page := hostURL(&ben) + "/services"
	before := w.everything()
	b.wants(b.post(page, w.does("haircut", "balayage")...), 422, "Nobody else does Beard trim", `href="#f-services[`+w.setup().EventType("beard-trim").ID.String())
	if w.everything() != before {
		t.Error("half of it was written")
	}
	b.wants(b.post(page, append(w.does("beard-trim", "balayage"), "eventTypes[balayage].price", "150")...), 303)
	if got := fmt.Sprint(w.served(ben.ID)); got != "[beard-trim balayage]" {
		t.Errorf("does %s", got)
	}
	if own := w.setup().Host(ben.ID).EventTypes; len(own) != 1 || own[0].Price.Amount != 15000 {
		t.Errorf("for %+v", own)
	}
	haircut := w.setup().EventType("haircut").ID.String()
	b.wants(b.post(page, "listed", haircut, "services["+haircut+"]", "on"), 303)
	if got := fmt.Sprint(w.served(ben.ID)); got != "[haircut beard-trim balayage]" || len(w.setup().Host(ben.ID).EventTypes) != 1 {
		t.Errorf("does %s for %+v", got, w.setup().Host(ben.ID).EventTypes)
	}
}

// Two save the services of a person: the later form passes on only what was changed in it, and where it is refused shows
// the rest as it is now.
func TestServicesSavedByTwo(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	ben := w.setup().Hosts[1]
	page := hostURL(&ben) + "/services"
	id := func(slug string) string { return w.setup().EventType(slug).ID.String() }
	tick := func(slug string) string { return "services[" + id(slug) + "]" }
	open, were := b.get(page).body, w.served(ben.ID)
	stale := func(slugs ...string) []string {
		form, setup := w.does(slugs...), w.setup()
		for i := range setup.EventTypes {
			name := "was[" + setup.EventTypes[i].ID.String() + "]"
			form = append(form, name, between(open, `name="`+name+`" value="`, `"`))
		}
		return form
	}
	b.wants(b.post(page, "listed", id("haircut")), 303)
	b.wants(b.post(page, "listed", id("beard-trim"), tick("beard-trim"), "on", "eventTypes[beard-trim].price", "31"), 303)

	b.wants(b.post(page, stale(append(slices.Clone(were), "balayage")...)...), 303)
	want := append(slices.DeleteFunc(slices.Clone(were), func(slug string) bool { return slug == "haircut" }), "balayage")
	if got := w.served(ben.ID); !slices.Equal(got, want) {
		t.Errorf("does %s, not %s", got, want)
	}
	if own := w.setup().Host(ben.ID).EventTypes; len(own) != 1 || own[0].Price.Amount != 3100 {
		t.Errorf("for %+v", own)
	}
	without := slices.DeleteFunc(slices.Clone(were), func(slug string) bool { return slug == "beard-trim" })
	for _, form := range [][]string{stale(without...), {"listed", id("beard-trim")}} {
		b.wants(b.post(page, form...), 422, "Nobody else does Beard trim", `name="`+tick("balayage")+`" value="on" checked`,
			"!"+`name="`+tick("haircut")+`" value="on" checked`, "!"+`name="`+tick("beard-trim")+`" value="on" checked`)
	}
}

// A service isn't left with people who are switched off alone, and one that is switched off is not what a person is
// booked for.
func TestServicesOfPeopleSwitchedOff(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	balayage := w.setup().EventType("balayage")
	ana := w.setup().Hosts[0]
	for _, h := range balayage.Hosts {
		if h.ID != ana.ID {
			_, err := w.Shop.SwitchHost(t.Context(), w.Owner, h.ID.String(), false)
			w.Must(err)
		}
	}
	b.wants(b.post(hostURL(&ana)+"/services", "listed", balayage.ID.String()), 422, "Nobody else does "+balayage.Title)
	off := func(slug string) {
		_, err := w.Shop.ChangeEventType(t.Context(), w.Owner, w.setup().EventType(slug).ID.String(), func(_ *catalog.Setup, e *catalog.EventType) error {
			e.Active = false
			return nil
		})
		w.Must(err)
	}
	b.wants(b.get(hostURL(&ana)), 200, balayage.Title)
	off("balayage")
	b.wants(b.get(hostURL(&ana)), 200, "!"+balayage.Title)
	b.wants(b.post(hostURL(&ana)+"/services", "listed", balayage.ID.String()), 303)
	for _, slug := range w.served(ana.ID) {
		off(slug)
	}
	b.wants(b.get(hostURL(&ana)), 200, "All their services are switched off")
}

// A page that was opened before the hours had one of their own posts everything to what is the profile now. Nothing of it
// is dropped in silence: the hours are shown as typed, and nothing is written.
func TestOldPageOfAPerson(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	h := w.setup().Hosts[0]
	before := w.everything()
	r := b.post(hostURL(&h), "name", "Ana K.", "email", h.Email, "timeZone", "Europe/Paris", "eventTypes[haircut].price", "99", "tue.switch", "on", "tue.open", "on",
		"tue.from", "10:30", "tue.to", "18:00")
	b.wants(r, 409, "Nothing is saved yet", `action="`+hostURL(&h)+`/hours"`, "Europe/Paris", `value="10:30"`, "!Saved.")
	if w.everything() != before {
		t.Error("something was written")
	}
	b.wants(b.post(hostURL(&h), "name", h.Name, "email", h.Email, "about", "Curls"), 303)
	b.wants(b.post(hostURL(&h), "name", "Ana K.", "email", h.Email), 303)
	if is := w.setup().Host(h.ID); is.Name != "Ana K." || is.About != "Curls" {
		t.Errorf("is %+v", is)
	}
}

// The team says who is off, and until when.
func TestTeamSaysWhoIsOff(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	h := w.setup().Hosts[0]
	b.wants(b.get(dash.HostsPath), 200, "Today: 9:00\u202fAM–3:00\u202fPM", "Not in today")
	for _, span := range [][2]string{{"2026-11-21", "2026-11-23"}, {"2026-11-24", "2026-11-25"}} {
		_, err := w.Shop.AddTimeOff(t.Context(), w.Owner, h.ID.String(), span[0], span[1], "Flu")
		w.Must(err)
	}
	b.wants(b.get(dash.HostsPath), 200, "Off until Thu, Nov 26", "!Today: 9:00")
}

// In a browser, at the widths of a desktop and a phone: the form of a new person shows the picture before it is sent,
// ticks all of a category at once, and is added by what can be seen and pressed.
func TestNewPersonInABrowser(t *testing.T) {
	w := newWorld(t)
	photo := filepath.Join(t.TempDir(), "photo.png")
	w.Must(os.WriteFile(photo, pictureFile(t, 400, 300), 0o600))
	axe := browser.Axe(t)
	b := w.browse()
	b.signIn(w)
	for _, width := range widths {
		h := b.hand(width)
		h.open(dash.HostsPath)
		h.looksRight("team", axe)
		h.tap(`.head-actions a[href="` + dash.NewHostPath + `"]`)
		h.until(`document.querySelector("[data-all]")?.checkVisibility()`)
		h.looksRight("person-new", axe)
		email := fmt.Sprintf("nina%d@salon.example", width)
		h.types("name", "Nina Vogel", "email", email)
		beard := w.setup().EventType("beard-trim").ID.String()
		h.tap(`[data-all][aria-label^="Cut and style"]`)
		h.until(fmt.Sprintf(`document.getElementsByName("services[%s]")[0].checked`, beard))
		h.do(chromedp.SetUploadFiles(chromedp.CSS("#f-picture"), []string{photo}))
		h.until(`(() => { const x = document.querySelector(".seen-photo img"); return x.complete && x.naturalWidth === 400 && x.checkVisibility(); })()`)
		h.tap(makeIt)
		h.sees("Give this link to " + email)
		h.looksRight("person-made", axe)
		who := w.setup().HostByEmail(email)
		if who == nil || who.Picture == 0 || !slices.Contains(w.served(who.ID), "beard-trim") {
			t.Fatalf("at %d made %+v", width, who)
		}
		h.tap(`.tabs a[href="` + dash.HostServicesPath(who.ID.String()) + `"]`)
		h.until(`[...document.querySelectorAll(".tick")].every((x) => x.querySelector(".check input").checked === x.querySelector(".tick-own").checkVisibility())`)
		h.looksRight("person-services", axe)
		h.tap(`.tabs a[href="` + dash.HostSignInPath(who.ID.String()) + `"]`)
		h.sees("Invited, not yet signed in")
		h.looksRight("person-sign-in", axe)
	}
}
