package dashboard

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"daybook/app"
)

// Nothing that names a deleted person is left anywhere in the file, and the figures stay.
func TestDeleteContact(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	invitee := app.Actor{Kind: app.ByInvitee, Workspace: w.owner.Workspace}
	e, err := w.CreateEndpoint(t.Context(), w.owner, app.EndpointInput{URL: "https://93.184.216.34/hook", Events: []string{"*"}})
	w.must(err)
	_ = e
	booked, err := w.Book(t.Context(), invitee, app.BookInput{EventType: "haircut", Start: w.open("haircut"), Notes: "Zanzibarina wants tea", Invitee: app.Invitee{Name: "Zanzibarina Quux", Email: "zanzibarina@mail.example", Phone: "+49 30 77788899"}})
	w.must(err)
	_, err = w.WriteMails(t.Context(), 100)
	w.must(err)
	p, err := w.ContactByAddress(t.Context(), w.owner, "zanzibarina@mail.example")
	w.must(err)
	path := "/dashboard/contacts/" + p.ID.String()
	b.wants(b.post(path+"/edit", "name", "Zanzibarina Quux", "email", "zanzibarina@mail.example", "notes", "Zanzibarina likes tea"), 303)
	b.wants(b.post(path+"/delete"), 409, "has a booking ahead")
	b.wants(b.post("/dashboard/bookings/"+booked.ID.String()+"/cancel", "reason", "Zanzibarina is ill"), 303)
	_, err = w.WriteMails(t.Context(), 100)
	w.must(err)
	before, err := w.Analytics(t.Context(), w.owner, app.AnalyticsInput{})
	w.must(err)
	b.wants(b.post(path+"/delete"), 303)
	for _, table := range w.tables() {
		if text := strings.ToLower(w.dump(table)); strings.Contains(text, "zanzibarina") || strings.Contains(text, "77788899") || strings.Contains(text, "quux") {
			t.Errorf("%s still names the person", table)
		}
	}
	after, err := w.Analytics(t.Context(), w.owner, app.AnalyticsInput{})
	w.must(err)
	if before.Totals != after.Totals {
		t.Errorf("figures: %v, then %v", before.Totals, after.Totals)
	}
	b.wants(b.get(path), 404)
	b.wants(b.get("/dashboard/contacts"), 200, "!Zanzibarina")
	b.wants(b.get("/dashboard/bookings/"+booked.ID.String()), 200, "Deleted contact")
}

func TestMergeContacts(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	people, err := w.Contacts(t.Context(), w.owner, "", nil, "")
	w.must(err)
	from, into := people.Data[0], people.Data[1]
	path := "/dashboard/contacts/" + from.ID.String()
	b.wants(b.post(path+"/merge", "into", "nobody@mail.example"), 422, "nobody@mail.example")
	b.wants(b.post(path+"/merge", "into", from.Email), 422, "Choose another")
	b.wants(b.post(path+"/merge", "into", strings.ToUpper(into.Email)), 303)
	b.wants(b.get(path), 404)
	merged, err := w.ContactByID(t.Context(), w.owner, into.ID.String())
	w.must(err)
	if merged.Bookings != from.Bookings+into.Bookings {
		t.Errorf("%d bookings, want %d and %d", merged.Bookings, from.Bookings, into.Bookings)
	}
}

func TestContactsComeAndGoAsCSV(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	upload := func(text string) response {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", "people.csv")
		w.must(err)
		part.Write([]byte(text))
		form.Close()
		r, err := http.NewRequest("POST", w.server.URL+"/dashboard/contacts/import", &body)
		w.must(err)
		r.Header.Set("Content-Type", form.FormDataContentType())
		return b.do(r)
	}
	b.wants(upload("nothing\n"), 422, "must name the columns")
	b.wants(upload("\ufeffName;E-Mail;Phone\nIda Öl;ida@mail.example;030 1\nWrong;no address;\nIda Öl;IDA@mail.example;\n=1+1;f@mail.example;\n"), 200,
		"2 contacts added", "1 contact there already", "Line 3 was left out")
	out := b.get("/dashboard/contacts/export")
	b.wants(out, 200, "Ida Öl,ida@mail.example", "'=1+1,f@mail.example")
	if !strings.HasPrefix(out.header.Get("Content-Type"), "text/csv") || strings.Count(out.body, "\n") < 50 {
		t.Error(out.header, strings.Count(out.body, "\n"))
	}
}

// Everything of a deleted workspace is gone, and nothing of another one.
func TestDeleteWorkspace(t *testing.T) {
	w := newWorld(t)
	w.ids()
	other, err := w.CreateWorkspace(t.Context(), app.WorkspaceInput{Slug: "other", Name: "Other", TimeZone: "Europe/Paris"})
	w.must(err)
	_, err = w.CreateUser(t.Context(), other, app.UserInput{Email: "owner@other.example", Role: app.OwnerRole, Password: "correct horse battery"})
	w.must(err)
	_, _, err = w.Invite(t.Context(), w.owner, app.MemberInput{Email: "new@salon.example", Role: app.ManagerRole})
	w.must(err)
	_, err = w.FeedURL(t.Context(), w.owner.Workspace, "", false)
	w.must(err)
	w.must(w.SetMailServer(t.Context(), w.owner.Workspace, "smtp://u:p@mail.example:587?from=a@mail.example"))
	b := w.asOwner()
	archive := b.post("/dashboard/settings/data/export")
	if archive.status != 200 || !strings.HasPrefix(archive.body, "PK") {
		t.Errorf("export: %d", archive.status)
	}
	b.wants(b.post("/dashboard/settings/data/delete", "confirm", "wrong"), 422, "Type demo")
	b.wants(b.post("/dashboard/settings/data/delete", "confirm", "demo"), 303)
	for _, table := range w.tables() {
		switch rows := strings.Count(w.dump(table), "\n"); {
		case table == "schema_migrations":
		case (table == "workspaces" || table == "users") && rows == 1:
		case rows != 0:
			t.Errorf("%s has %d rows left", table, rows)
		}
	}
	b.wants(b.get("/dashboard"), 303)
	w.as("owner@other.example", "correct horse battery")
}

func TestMembers(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const path = "/dashboard/settings/members"
	b.wants(b.post(path, "email", "staff@salon.example", "role", "staff"), 422, "Is required", `value="staff@salon.example"`)
	shown := b.post(path, "email", "manager@salon.example", "role", "manager")
	b.wants(shown, 200, "/invite/", "Invited")
	_, rest, _ := strings.Cut(shown.body, w.server.URL+"/invite/")
	link := "/invite/" + rest[:43]
	guest := w.browser()
	guest.wants(guest.get(link), 200, "Join Salon Linden", "manager@salon.example")
	guest.wants(guest.post(link, "password", "short"), 422, "10 to 200")
	guest.wants(guest.post(link, "password", "correct horse battery"), 303)
	guest.wants(guest.get("/dashboard/contacts"), 200)
	guest.wants(guest.get(path), 403, "Not allowed")
	guest.wants(guest.get(link), 404)
	users, err := w.Members(t.Context(), w.owner)
	w.must(err)
	b.wants(b.post(path+"/"+users[0].ID.String()+"/remove"), 409, "needs an owner")
	b.wants(b.post(path+"/"+users[0].ID.String(), "role", "manager"), 409, "needs an owner")
	b.wants(b.post(path+"/"+users[1].ID.String()+"/remove"), 303)
	guest.wants(guest.get("/dashboard"), 303)
}
