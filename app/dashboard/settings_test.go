package dashboard

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/report"
	"daybook/app/when"
)

func TestSettings(t *testing.T) {
	w := newWorld(t)
	b := w.manager()
	b.wants(b.get("/dashboard/settings"), 200, "Salon Linden", `value="demo"`, "Brand", "!Members", "!Your data")
	form := []string{"name", "Salon <L>", "slug", "api", "timeZone", "Europe/Berlin", "currency", "CHF", "locale", "de", "phone", "+49 30 1", "address", "Lindenstr. 1"}
	b.wants(b.post("/dashboard/settings", form...), 422, "is reserved", `value="api"`, "Salon &lt;L&gt;", "Lindenstr. 1")
	form[3], form[5] = "salon-l", "Mars/Base"
	b.wants(b.post("/dashboard/settings", form...), 422, `value="Mars/Base"`)
	_, err := w.Shop.CreateWorkspace(t.Context(), app.Operator(0), catalog.WorkspaceInput{Name: "Taken", Slug: "taken", TimeZone: "UTC", Currency: "EUR"})
	w.Must(err)
	form[3], form[5] = "taken", "Europe/Vienna"
	b.wants(b.post("/dashboard/settings", form...), 409, "This address is already taken")
	form[3] = "salon-l"
	b.wants(b.post("/dashboard/settings", form...), 303)
	b.wants(b.get("/dashboard/settings"), 200, `value="salon-l"`, `value="Europe/Vienna"`, "Lindenstr. 1")
	if ws := w.setup().Workspace; ws.Slug != "salon-l" || ws.Currency != "CHF" || ws.Settings.Locale != "de" {
		t.Errorf("%+v", ws)
	}

	b.wants(b.get("/dashboard/settings/brand"), 200, "Preview", "data-preview=")
	b.wants(b.post("/dashboard/settings/brand", "color", "red", "logoUrl", "", "description", "Nice & short"), 422, "Please enter a colour", "Nice &amp; short")
	b.wants(b.post("/dashboard/settings/brand", "color", "#aa3355", "logoUrl", "http://x.example/a.png", "description", ""), 422, "https://", `value="http://x.example/a.png"`)
	b.wants(b.post("/dashboard/settings/brand", "color", "#AA3355", "logoUrl", "https://x.example/a.png", "description", "Nice & short"), 303)
	if s := w.setup().Workspace.Settings; s.Color != "#aa3355" || s.Address != "Lindenstr. 1" || s.Description != "Nice & short" {
		t.Errorf("%+v", s)
	}
}

func TestMembers(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	host := w.setup().Hosts[0]
	b.wants(b.get("/dashboard/settings/members"), 200, w.salon.Email, "You")
	b.wants(b.post("/dashboard/settings/members", "email", "ben@", "role", "manager", "host", ""), 422, `value="ben@"`)
	b.wants(b.post("/dashboard/settings/members", "email", "ben@salon.example", "role", "staff", "host", ""), 422, "staff see only their own calendar")
	b.wants(b.post("/dashboard/settings/members", "email", "ben@salon.example", "role", "king", "host", ""), 422, "choose one of the options")
	b.wants(b.post("/dashboard/settings/members", "email", strings.ToUpper(w.salon.Email), "role", "manager", "host", ""), 409, "already")
	r := b.post("/dashboard/settings/members", "email", "ben@salon.example", "role", "staff", "host", host.ID.String())
	b.wants(r, 200, "Send this link to ben@salon.example", w.server.URL+"/invite/", "Invited")
	_, link, _ := strings.Cut(r.body, `data-copy="`)
	link, _, _ = strings.Cut(link, `"`)
	ben := w.joins(link)
	ben.wants(ben.get("/dashboard/hosts"), 200, host.Name)
	ben.wants(ben.get("/dashboard/settings/members"), 403)

	users, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	ids := map[string]string{}
	for _, u := range users {
		ids[u.Email] = "/dashboard/settings/members/" + u.ID.String()
	}
	b.wants(b.post(ids[w.salon.Email], "role", "manager", "host", ""), 409, "must be an owner")
	b.wants(b.post(ids[w.salon.Email]+"/remove"), 409, "must be an owner")
	b.wants(b.post(ids["ben@salon.example"], "role", "manager", "host", "hs_nothing"), 422, "This person is no longer in the team")
	b.wants(b.post(ids["ben@salon.example"], "role", "manager", "host", ""), 303)
	ben.wants(ben.get("/dashboard/contacts"), 200)
	b.wants(b.post(ids["ben@salon.example"]+"/invite"), 200, "Send this link to ben@salon.example")
	b.wants(b.post(ids["ben@salon.example"]+"/remove"), 303)
	ben.wants(ben.get("/dashboard"), 303)
	b.wants(b.get("/dashboard/settings/members"), 200, "!ben@salon.example")
}

func TestExportOfEverything(t *testing.T) {
	w := newWorld(t)
	k, one := w.priced(), int64(1)
	paid, err := w.Counter.Record(t.Context(), w.Owner, k.ID.String(), counter.Input{Amount: k.Price.Amount, Method: booking.ByCash})
	w.Must(err)
	_, err = w.Counter.GiveBack(t.Context(), w.Owner, paid.Payments[0].ID.String(), &one)
	w.Must(err)
	_, err = w.Counter.Close(t.Context(), w.Owner, counter.CloseInput{Counted: &one})
	w.Must(err)
	b := w.asOwner()
	b.wants(b.get("/dashboard/settings/data"), 200, "Export everything", "Type demo to confirm", `name="health" value="on"`, "!checked")
	b.wants(b.get("/dashboard/settings/export?health=on"), 200, "health.jsonl") // names of files are not packed
	b.wants(b.get("/dashboard/settings/export"), 200, "!health.jsonl")
	r := b.get("/dashboard/settings/export")
	b.wants(r, 200)
	z, err := zip.NewReader(strings.NewReader(r.body), int64(len(r.body)))
	w.Must(err)
	lines := map[string]int{}
	for _, f := range z.File {
		in, err := f.Open()
		w.Must(err)
		text, err := io.ReadAll(in)
		w.Must(err)
		for _, secret := range []string{w.salon.Password, w.salon.Key, "argon2id", "manageUrl"} {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s has %s", f.Name, secret)
			}
		}
		if !strings.HasSuffix(f.Name, ".jsonl") {
			continue
		}
		for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); lines[f.Name]++ {
			var x struct {
				ID      string
				History []any
			}
			if err := json.Unmarshal(s.Bytes(), &x); err != nil || x.ID == "" || f.Name == "bookings.jsonl" && len(x.History) == 0 {
				t.Fatalf("%s: %v %s", f.Name, err, s.Text())
			}
		}
	}
	a, err := w.Report.Analytics(t.Context(), w.Owner, report.AnalyticsInput{From: "2020-01-01"})
	w.Must(err)
	receipts, many := 0, 100
	for q := (counter.ReceiptQuery{Limit: &many}); ; {
		part, err := w.Counter.Receipts(t.Context(), w.Owner, q)
		w.Must(err)
		if receipts += len(part.Data); !part.HasMore {
			break
		}
		q.Cursor = *part.NextCursor
	}
	if lines["receipts.jsonl"] != receipts || receipts < 3 || lines["ledger.jsonl"] < 2 ||
		lines["day-closes.jsonl"] < 1 {
		t.Error(lines, receipts)
	}
	if lines["bookings.jsonl"] != a.Totals.Total || lines["contacts.jsonl"] < 50 || lines["members.jsonl"] != 1 || lines["keys.jsonl"] != 2 {
		t.Error(lines, a.Totals.Total)
	}
	b.wants(b.get("/dashboard/settings/setup"), 200, "workspace:", "slug: demo")
}

func TestDeleteWorkspaceFromSettings(t *testing.T) {
	w := newWorld(t)
	stranger := w.stranger()
	b := w.asOwner()
	b.wants(b.post("/dashboard/settings/delete", "confirm", "dem"), 422, `value="dem"`, "Type demo")
	b.wants(b.get("/dashboard"), 200)
	b.wants(b.post("/dashboard/settings/delete", "confirm", "demo"), 303)
	b.wants(b.get("/dashboard"), 303)
	b.wants(b.post("/login", "email", w.salon.Email, "password", w.salon.Password), 401)
	if _, err := w.WorkspaceBySlug(t.Context(), "demo"); err == nil {
		t.Error("still there")
	}
	stranger.wants(stranger.get("/dashboard"), 200)
}

// Once a workspace is marked as gone its sessions end and nobody signs in, though its rows still are there.
func TestSignInToADeletedWorkspace(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	b.wants(b.get("/dashboard"), 200)
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.MarkWorkspaceGone(w.Owner.Workspace, when.At(w.Clock.Now())) }))
	b.wants(b.get("/dashboard"), 303)
	b.wants(b.post("/login", "email", w.salon.Email, "password", w.salon.Password), 401)
}

func TestSettingsKeepToTheirOwn(t *testing.T) {
	w := newWorld(t)
	staff := w.staff(w.setup().Hosts[0].ID)
	manager, stranger := w.manager(), w.stranger()
	users, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	member := "/dashboard/settings/members/" + users[0].ID.String()
	for _, path := range []string{"", "/brand", "/members", "/data", "/export", "/setup"} {
		staff.wants(staff.get("/dashboard/settings"+path), 403)
	}
	for _, path := range []string{"/members", "/data", "/export", "/setup"} {
		manager.wants(manager.get("/dashboard/settings"+path), 403)
	}
	for _, path := range []string{"", "/brand"} {
		staff.wants(staff.post("/dashboard/settings"+path, "name", "x"), 403)
	}
	for _, b := range []*visitor{staff, manager} {
		for _, path := range []string{"/dashboard/settings/members", member, member + "/invite", member + "/remove", "/dashboard/settings/delete"} {
			b.wants(b.post(path, "email", "x@x.example", "role", "owner", "confirm", "demo"), 403)
		}
	}
	for _, path := range []string{"", "/invite", "/remove"} {
		stranger.wants(stranger.post(member+path, "role", "owner", "host", ""), 404)
	}
	stranger.wants(stranger.post("/dashboard/settings/members", "email", "new@x.example", "role", "staff", "host", w.setup().Hosts[0].ID.String()), 422, "This person is no longer in the team")
	stranger.wants(stranger.get("/dashboard/settings/members"), 200, "!"+w.salon.Email)
	again, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	if fmt.Sprint(again) != fmt.Sprint(users) {
		t.Error(again)
	}
}

// The settings say how many minutes stay free at both ends of a wait.
func TestWaitMarginIsASetting(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const page = "/dashboard/settings"
	ws := w.setup().Workspace
	form := []string{"name", ws.Name, "slug", ws.Slug, "timeZone", ws.TimeZone, "currency", ws.Currency, "phone", ws.Settings.Phone,
		"address", ws.Settings.Address}
	with := func(minutes string) response { return b.post(page, append(form, "waitMargin", minutes)...) }
	b.wants(b.get(page), 200, "Free at both ends of a wait", `name="waitMargin" value="0"`)
	b.wants(with("241"), 422, "Please enter a number from 0 to 240.", `value="241"`)
	b.wants(with("five"), 422, "Please enter a whole number", `value="five"`)
	b.wants(with("5"), 303)
	b.wants(b.get(page), 200, `name="waitMargin" value="5"`)
	b.wants(b.post(page, form...), 303) // a form of before
	if got := w.setup().Workspace.Settings.WaitMargin; got != 5 {
		t.Errorf("%d minutes", got)
	}
	b.wants(with(""), 303)
	if got := w.setup().Workspace.Settings.WaitMargin; got != 0 {
		t.Errorf("%d minutes", got)
	}
}

// The settings say which of them are for somebody who looks after a server; each page is there as it was.
func TestSettingsAreInTwoGroups(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	technical := map[string]bool{
		"/dashboard/settings": false, "/dashboard/settings/brand": false, "/dashboard/settings/members": false,
		"/dashboard/settings/payments": false, "/dashboard/settings/privacy": false, "/dashboard/settings/mail": true,
		"/dashboard/developers": true, "/dashboard/settings/health": true, "/dashboard/settings/log": true, "/dashboard/settings/data": true,
	}
	for _, at := range []string{"/dashboard/settings", "/dashboard/settings/health"} {
		page := b.get(at).body
		_, page, _ = strings.Cut(page, `class="tabs-split"`)
		owner, rest, found := strings.Cut(page, "<h2>Technical</h2>")
		if !found || !strings.Contains(owner, "<h2>Your business</h2>") {
			t.Fatalf("%s has no two groups", at)
		}
		for url, second := range technical {
			if link := `href="` + url + `"`; strings.Contains(owner, link) == second || strings.Contains(rest, link) != second {
				t.Errorf("%s: %s is not in its group", at, url)
			}
			b.wants(b.get(url), 200)
		}
	}
}
