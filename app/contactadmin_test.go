package app_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/store/enginetest"
)

// everything is all that stands in the database, a line for each row.
func (w *world) everything() string {
	w.T.Helper()
	db := enginetest.Raw(w.T, w.Store.Engine)
	var all strings.Builder
	for _, table := range enginetest.Tables(w.T, db) {
		rows, err := db.Query(`SELECT * FROM ` + table)
		w.Must(err)
		columns, err := rows.Columns()
		w.Must(err)
		for rows.Next() {
			values, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				to[i] = &values[i]
			}
			w.Must(rows.Scan(to...))
			for i, v := range values {
				if b, ok := v.([]byte); ok {
					values[i] = string(b)
				}
			}
			fmt.Fprintln(&all, table, values)
		}
		w.Must(rows.Err())
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
	owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
	keep := w.Booked("cut", "1T09", "keeper")
	in := apptest.Input("cut", "1T10", "Zweifel")
	in.Invitee.Phone, in.Notes = "+49 171 5550100", "Zweifel wants tea"
	in.Answers, in.Metadata = map[string]any{"wish": "Zweifel cut"}, map[string]string{"ref": "Zweifel-1"}
	b, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	second := w.Booked("cut", "2T10", "zweifel-old")
	w.offer("call", 1, func(e *catalog.EventType) { e.Seats, e.Where = 3, &catalog.Where{Kind: catalog.Video} })
	in = apptest.Input("call", "3T10", "Zweifel")
	in.Seats, in.Participants = 2, []string{"Eva Zweifel", "Tom Zweifel"}
	call, err := w.Book(t.Context(), w.API, in)
	w.Must(err)
	room := call.Where.URL[strings.LastIndex(call.Where.URL, "/"):]
	for _, told := range []string{room, "Tom Zweifel"} {
		if n := strings.Count(w.everything(), told); n < 2 {
			t.Fatalf("%s stands in %d places, want the booking and its event", told, n)
		}
	}
	w.Must(w.SQL(fmt.Sprintf(`INSERT INTO mails (id, workspace_id, booking_id, kind, recipient, facts, due_ms, until_ms) VALUES (1, %d, %d, 'x', 'Zweifel@mail.example', '{"n":"Zweifel"}', 0, 0)`, w.Workspace.ID, b.ID)))
	w.Must(w.SQL(fmt.Sprintf(`INSERT INTO mail_refusals VALUES (%d, 'zweifel-old@mail.example', 'x', 0)`, w.Workspace.ID)))
	w.Must(w.SQL(fmt.Sprintf(`INSERT INTO checkouts (id, workspace_id, booking_id, state, request, created_ms) VALUES (1, %d, %d, 3, '{"email":"Zweifel@mail.example"}', 0)`, w.Workspace.ID, b.ID)))
	w.Must(w.SQL(fmt.Sprintf(`INSERT INTO payment_cards (workspace_id, booking_id, amount, currency, wording, customer) VALUES (%d, %d, 1, 'EUR', '', 'cus_zweifel')`, w.Workspace.ID, b.ID)))
	into, err := w.People.ContactByID(t.Context(), owner, b.ContactID.String())
	w.Must(err)
	_, err = w.People.MergeContacts(t.Context(), owner, second.ContactID.String(), into.ID.String())
	w.Must(err)
	w.Refused(w.People.DeleteContact(t.Context(), owner, into.ID.String()), fault.Conflict, "has_upcoming")
	for _, x := range []booking.Booking{b, second, call} {
		_, err = w.Cancel(t.Context(), owner, x.ID.String(), app.CancelInput{Reason: "Zweifel is ill"})
		w.Must(err)
	}
	w.Must(w.People.DeleteContact(t.Context(), owner, into.ID.String()))
	for line := range strings.Lines(w.everything()) {
		if low := strings.ToLower(line); strings.Contains(low, "zweifel") || strings.Contains(low, "5550100") || strings.Contains(low, room) {
			t.Errorf("still there: %.300s", line)
		}
	}
	if got, err := w.Booking(t.Context(), owner, b.ID.String()); err != nil || got.Status != booking.Cancelled {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := w.Booking(t.Context(), owner, keep.ID.String()); err != nil || got.Invitee.Name != "keeper" {
		t.Errorf("%+v %v", got, err)
	}
	if p, err := w.People.Contacts(t.Context(), w.API, contact.Filter{}, nil, ""); err != nil || len(p.Data) != 1 {
		t.Errorf("%+v %v", p.Data, err)
	}
	if again := w.Booked("cut", "3T09", "Zweifel"); again.ContactID == into.ID {
		t.Error("the deleted contact came back")
	}
}

// Notes that are too long together are not lost: those of the one who goes become an entry of the one who stays.
func TestMergeKeepsLongNotes(t *testing.T) {
	w := newWorld(t)
	owner := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, Role: app.OwnerRole}
	var ids []string
	for _, name := range []string{"a", "b"} {
		c, _, err := w.People.CreateContact(t.Context(), owner, booking.ContactInput{Name: name, Email: name + "@mail.example", Notes: strings.Repeat(name, 3000)})
		w.Must(err)
		ids = append(ids, c.ID.String())
	}
	into, err := w.People.MergeContacts(t.Context(), owner, ids[0], ids[1])
	w.Must(err)
	page, err := w.People.Entries(t.Context(), owner, ids[1], nil, "")
	w.Must(err)
	kept := into.Notes
	for _, e := range page.Data {
		kept += e.Text
	}
	if strings.Count(kept, "a") < 3000 || strings.Count(kept, "b") < 3000 || len(into.Notes) > booking.MaxContactNotes {
		t.Errorf("kept %d of the notes and %d entries", len(into.Notes), len(page.Data))
	}
}
