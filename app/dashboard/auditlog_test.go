package dashboard

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/audit"
	"daybook/views"
)

// Every action, topic and door of the log has words in every language.
func TestAuditLogHasWords(t *testing.T) {
	keys := []string{}
	for _, a := range audit.Actions {
		keys = append(keys, "audit_did_"+strings.ReplaceAll(string(a), ".", "_"))
	}
	for _, topic := range audit.Topics() {
		keys = append(keys, "audit_topic_"+string(topic))
	}
	for _, d := range []audit.Door{audit.Dashboard, audit.API, audit.Agent, audit.Command, audit.Server, audit.SignIn} {
		keys = append(keys, "audit_door_"+string(d))
	}
	for _, l := range views.Locales {
		for _, k := range keys {
			if l.T(k) == k {
				t.Errorf("%s lacks %s", l.Tag, k)
			}
		}
	}
}

// An owner reads who changed what, in sentences, by topic and member, page by page, and as CSV; nobody else does.
func TestAuditLogPage(t *testing.T) {
	w := newWorld(t)
	const page = "/dashboard/settings/log"
	setup, err := w.Setup(w.Owner.Workspace)
	w.Must(err)
	owner, manager, staff := w.asOwner(), w.member(app.ManagerRole, 0), w.member(app.StaffRole, setup.Hosts[0].ID)
	for _, p := range []*visitor{manager, staff} {
		p.wants(p.get(page), 403)
		p.wants(p.get(page+"/export"), 403)
	}
	if text := manager.get("/dashboard/settings").body; strings.Contains(text, page) {
		t.Error("a manager sees the tab")
	}
	owner.wants(owner.get("/dashboard/settings"), 200, page)

	till, err := w.Account.CreateKey(t.Context(), w.Owner, account.KeyInput{Name: "till <b>", Scope: account.ReadOnlyScope})
	w.Must(err)
	_, err = w.Account.RevokeKey(t.Context(), app.Operator(0), till.ID.String())
	w.Must(err)
	owner.wants(owner.get(page), 200, "Somebody at the business made the key “till &lt;b&gt;”", "read only",
		"The server’s operator revoked the key", "command line", "signed in")
	text := owner.get(page + "?about=key").body
	if strings.Contains(text, "signed in") || !strings.Contains(text, "revoked the key") || !strings.Contains(text, "Clear filters") {
		t.Error("the topic does not filter:", text)
	}
	owner.wants(owner.get(page+"?about=nothing&member=us_nobody&cursor=x"), 200, "revoked the key")

	members, err := w.Account.Members(t.Context(), w.Owner)
	w.Must(err)
	i := slices.IndexFunc(members, func(u app.User) bool { return u.Role == app.StaffRole })
	text = owner.get(page + "?member=" + members[i].ID.String()).body
	if strings.Contains(text, "revoked the key") || !strings.Contains(text, "let somebody sign in") {
		t.Error("the member does not filter:", text)
	}
	_, err = w.Account.RemoveMember(t.Context(), w.Owner, members[i].ID.String())
	w.Must(err)
	owner.wants(owner.get(page+"?about=member"), 200, "ended the sign-in of somebody who has left", "Staff")

	for range 60 {
		_, err := w.Account.CreateKey(t.Context(), w.Owner, account.KeyInput{Name: "more", Scope: account.FullScope})
		w.Must(err)
	}
	first := owner.get(page + "?about=key").body
	_, next, found := strings.Cut(first, `href="`+page+`?about=key&amp;cursor=`)
	if !found || strings.Contains(first, "revoked") {
		t.Fatal("there is no next page")
	}
	cursor, _, _ := strings.Cut(next, `"`)
	owner.wants(owner.get(page+"?about=key&cursor="+cursor), 200, "revoked the key")

	table, err := csv.NewReader(strings.NewReader(owner.get(page + "/export?about=key").body)).ReadAll()
	made := slices.ContainsFunc(table, func(row []string) bool {
		return row[4] == "key.created" && row[5] == till.ID.String() && row[7]+row[8] == "read-only"
	})
	if err != nil || len(table) < 63 || table[0][4] != "action" || !made {
		t.Errorf("%d lines, %v", len(table), err)
	}
	owner.wants(owner.get(page), 200, "exported this log")
}
