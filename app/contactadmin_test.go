package app_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/store/enginetest"
)

// everything is all that stands in the database, a line for each row.
func (w *world) everything() string {
	w.t.Helper()
	db := enginetest.Raw(w.t, w.store.Engine)
	var all strings.Builder
	for _, table := range enginetest.Tables(w.t, db) {
		rows, err := db.Query(`SELECT * FROM ` + table)
		w.must(err)
		columns, err := rows.Columns()
		w.must(err)
		for rows.Next() {
			values, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				to[i] = &values[i]
			}
			w.must(rows.Scan(to...))
			for i, v := range values {
				if b, ok := v.([]byte); ok {
					values[i] = string(b)
				}
			}
			fmt.Fprintln(&all, table, values)
		}
		w.must(rows.Err())
	}
	return all.String()
}

// After a deletion nothing in the file names the person, under any of the addresses that they booked with; the bookings
// and their figures stay.
func TestDeletedContactIsNamedNowhere(t *testing.T) {
	w := newWorld(t)
	w.offer("cut", 3, func(e *catalog.EventType) {
		e.Questions = []catalog.Question{{Key: "wish", Label: "Wish", Type: "text"}}
	})
	owner := app.Actor{Kind: record.ByOwner, Workspace: w.ws.ID, Role: app.OwnerRole}
	keep := w.book("cut", "1T09", "keeper")
	in := input("cut", "1T10", "Zweifel")
	in.Invitee.Phone, in.Notes = "+49 171 5550100", "Zweifel wants tea"
	in.Answers, in.Metadata = map[string]any{"wish": "Zweifel cut"}, map[string]string{"ref": "Zweifel-1"}
	b, err := w.Book(t.Context(), w.api, in)
	w.must(err)
	second := w.book("cut", "2T10", "zweifel-old")
	w.must(w.sql(fmt.Sprintf(`INSERT INTO mails (id, workspace_id, booking_id, kind, recipient, facts, due_ms, until_ms) VALUES (1, %d, %d, 'x', 'Zweifel@mail.example', '{"n":"Zweifel"}', 0, 0)`, w.ws.ID, b.ID)))
	w.must(w.sql(fmt.Sprintf(`INSERT INTO mail_refusals VALUES (%d, 'zweifel-old@mail.example', 'x', 0)`, w.ws.ID)))
	w.must(w.sql(fmt.Sprintf(`INSERT INTO checkouts (id, workspace_id, booking_id, state, request, created_ms) VALUES (1, %d, %d, 3, '{"email":"Zweifel@mail.example"}', 0)`, w.ws.ID, b.ID)))
	w.must(w.sql(fmt.Sprintf(`INSERT INTO payment_cards (workspace_id, booking_id, amount, currency, wording, customer) VALUES (%d, %d, 1, 'EUR', '', 'cus_zweifel')`, w.ws.ID, b.ID)))
	into, err := w.Contact(t.Context(), owner, b.ContactID.String())
	w.must(err)
	_, err = w.People.MergeContacts(t.Context(), owner, second.ContactID.String(), into.ID.String())
	w.must(err)
	w.refused(w.People.DeleteContact(t.Context(), owner, into.ID.String()), fault.Conflict, "has_upcoming")
	for _, x := range []record.Booking{b, second} {
		_, err = w.Cancel(t.Context(), owner, x.ID.String(), app.CancelInput{Reason: "Zweifel is ill"})
		w.must(err)
	}
	w.must(w.People.DeleteContact(t.Context(), owner, into.ID.String()))
	for line := range strings.Lines(w.everything()) {
		if low := strings.ToLower(line); strings.Contains(low, "zweifel") || strings.Contains(low, "5550100") {
			t.Errorf("still there: %.300s", line)
		}
	}
	if got, err := w.Booking(t.Context(), owner, b.ID.String()); err != nil || got.Status != record.Cancelled {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := w.Booking(t.Context(), owner, keep.ID.String()); err != nil || got.Invitee.Name != "keeper" {
		t.Errorf("%+v %v", got, err)
	}
	if p, err := w.Contacts(t.Context(), w.api, "", nil, ""); err != nil || len(p.Data) != 1 {
		t.Errorf("%+v %v", p.Data, err)
	}
	if again := w.book("cut", "3T09", "Zweifel"); again.ContactID == into.ID {
		t.Error("the deleted contact came back")
	}
}

func TestMergeRefusesWhatItWouldLose(t *testing.T) {
	w := newWorld(t)
	owner := app.Actor{Kind: record.ByOwner, Workspace: w.ws.ID, Role: app.OwnerRole}
	var ids []string
	for _, name := range []string{"a", "b"} {
		c, _, err := w.CreateContact(t.Context(), owner, record.ContactInput{Name: name, Email: name + "@mail.example", Notes: strings.Repeat("n", 3000)})
		w.must(err)
		ids = append(ids, c.ID.String())
	}
	_, err := w.People.MergeContacts(t.Context(), owner, ids[0], ids[1])
	w.refused(err, fault.BadRequest, "invalid")
	if _, err := w.People.ContactByID(t.Context(), owner, ids[0]); err != nil {
		t.Error(err)
	}
}
