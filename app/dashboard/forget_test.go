package dashboard

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/mail"
	"daybook/app/own"
	"daybook/app/webhook"
	"daybook/store/enginetest"
)

// Nothing that names a deleted person is left anywhere in the file, mails and deliveries among it.
func TestDeletedContactIsNamedInNoTable(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	invitee := app.Actor{Kind: booking.ByInvitee, Workspace: w.Owner.Workspace}
	_, err := w.Webhook.CreateEndpoint(t.Context(), w.Owner, webhook.EndpointInput{URL: "https://93.184.216.34/hook", Events: []string{"*"}})
	w.Must(err)
	booked, err := w.Book(t.Context(), invitee, booking.BookInput{EventType: "haircut", Start: w.open("haircut"), Notes: "Zanzibarina wants tea", Invitee: booking.Invitee{Name: "Zanzibarina Quux", Email: "zanzibarina@mail.example", Phone: "+49 30 77788899"}})
	w.Must(err)
	_, err = w.Mail.WriteMails(t.Context(), 100)
	w.Must(err)
	found, err := w.People.Contacts(t.Context(), w.Owner, contact.Filter{Q: "zanzibarina@mail.example"}, nil, "")
	w.Must(err)
	path := contactURL(found.Data[0].ID)
	b.wants(b.post(path+"/edit", "name", "Zanzibarina Quux", "email", "zanzibarina@mail.example", "notes", "Zanzibarina likes tea"), 303)
	b.wants(b.post(path+"/delete"), 409, "still has a booking")
	b.wants(b.post("/dashboard/bookings/"+booked.ID.String()+"/cancel", "reason", "Zanzibarina is ill"), 303)
	_, err = w.Mail.WriteMails(t.Context(), 100)
	w.Must(err)
	b.wants(b.post(path+"/delete"), 303)
	for _, table := range w.tables() {
		if text := strings.ToLower(w.dump(table)); strings.Contains(text, "zanzibarina") || strings.Contains(text, "77788899") || strings.Contains(text, "quux") {
			t.Errorf("%s still names the person", table)
		}
	}
	b.wants(b.get("/dashboard/bookings/"+booked.ID.String()), 200, "Deleted contact")
}

// Everything of a deleted workspace is gone, and nothing of another one.
func TestDeletedWorkspaceLeavesNoRow(t *testing.T) {
	w := newWorld(t)
	w.ids()
	w.stranger()
	_, _, err := w.Account.Invite(t.Context(), w.Owner, account.MemberInput{Email: "new@salon.example", Role: app.ManagerRole})
	w.Must(err)
	_, err = w.Feed.FeedURL(t.Context(), app.Operator(w.Owner.Workspace), "", false)
	w.Must(err)
	w.Must(w.Mail.SetMailServer(t.Context(), w.Owner, "smtp://u:p@mail.example:587?from=a@mail.example"))
	w.pays()
	w.cards()
	b := w.asOwner()
	b.wants(b.post("/dashboard/settings/delete", "confirm", "demo"), 303)
	for _, table := range w.tables() {
		switch rows := strings.Count(w.dump(table), "\n"); {
		case table == "schema_migrations" || table == "followers": // of no workspace
		case table == "attempts": // hashes, gone by themselves in a quarter of an hour
		case table == "oauth_clients" && rows == 1: // the program's own words, of no workspace, gone by themselves in a day
		case table == "uid_domains" && rows <= 2: // the servers' own domains: of the demo's and of this one
		case (table == "workspaces" || table == "users" || table == "sessions") && rows == 1:
		case table == "audit_log" && !strings.Contains(w.dump(table), fmt.Sprint(int64(w.Owner.Workspace))): // the stranger's
		case rows != 0:
			t.Errorf("%s has %d rows left", table, rows)
		}
	}
	b.wants(b.get("/dashboard"), 303)
	w.as("other@other.example", "correct horse battery")
}

// cards puts a row of the salon in every table of customers' cards and of their own pages.
func (w *world) cards() {
	w.T.Helper()
	ctx, setup := w.T.Context(), w.setup()
	b, err := w.Book(ctx, w.Owner, booking.BookInput{EventType: "haircut", Start: w.free("haircut"), ContactFields: map[string]any{"dog": "Rex"},
		Invitee: booking.Invitee{Name: "Ida", Email: "ida.own@mail.example"}})
	w.Must(err)
	w.Must(w.Own.Ask(ctx, setup, own.Asked{Address: b.Invitee.Email}))
	page, err := w.Mail.Mails(ctx, w.Owner, mail.ListInput{})
	w.Must(err)
	for _, m := range page.Data {
		if m.Kind == catalog.MailOwn {
			_, err := w.Own.Open(ctx, setup, path.Base(m.Facts.Own.Path(setup)))
			w.Must(err)
		}
	}
	for _, table := range []string{"contact_tags", "contact_entries", "contact_files", "contact_file_parts", "contact_fields", "booking_fields", "contact_consents",
		"contact_health", "card_keys", "own_links", "own_devices"} {
		if w.dump(table) == "" {
			w.T.Errorf("%s has no row", table)
		}
	}
}

// pays puts a row of the salon in every table of payments.
func (w *world) pays() {
	w.T.Helper()
	db := enginetest.Raw(w.T, w.Store.Engine)
	for _, row := range []string{
		`payment_accounts (workspace_id, secret_key, signing_secret, live, account, connected_ms, looked_ms) SELECT workspace_id, '', '', 0, '', 0, 0`,
		`payments (id, workspace_id, booking_id, kind, attempt, status, amount, currency, created_ms) SELECT 1, workspace_id, id, 0, 1, 2, 1, 'EUR', 0`,
		`payment_cards (booking_id, workspace_id, amount, currency, wording) SELECT id, workspace_id, 1, 'EUR', ''`,
		`checkouts (id, workspace_id, booking_id, payment_id, state, request, created_ms) SELECT 1, workspace_id, id, 1, 3, '{}', 0`,
		`payment_jobs (id, workspace_id, booking_id, action, payment_id, due_ms, created_ms) SELECT 1, workspace_id, id, 0, 1, 0, 0`,
		`provider_events (workspace_id, id, at_ms) SELECT workspace_id, 'evt', 0`,
	} {
		if _, err := db.Exec(fmt.Sprintf("INSERT INTO %s FROM bookings WHERE workspace_id = %d LIMIT 1", row, w.Owner.Workspace)); err != nil {
			w.T.Fatalf("%s: %v", row, err)
		}
	}
}
