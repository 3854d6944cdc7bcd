package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"daybook/store/enginetest"
)

// The events of a deleted contact have no link to a booking that nobody has any more, not even an empty one.
func TestEventsOfDeletedContactsHaveNoLink(t *testing.T) {
	w := newWorld(t)
	id := w.book("cut", "2026-12-08T08:00:00Z", "gone@x.example")
	rows, _ := w.do(w.full, "GET", "/api/v1/contacts?email=gone@x.example", "").json(t)["data"].([]any)
	contact, _ := object(rows[0])["id"].(string)
	w.do(w.full, "POST", "/api/v1/bookings/"+id+"/cancel", "")
	w.full = w.manager()
	if got := w.do(w.full, "DELETE", "/api/v1/contacts/"+contact, ""); got.Code > 299 {
		t.Fatal(got.Code, got.text)
	}
	events, _ := w.do(w.full, "GET", "/api/v1/events", "").json(t)["data"].([]any)
	found := 0
	for _, e := range events {
		data := object(object(e)["data"])
		if data["id"] != id {
			continue
		}
		found++
		if link, has := data["manageUrl"]; has {
			t.Errorf("%v: manageUrl is %q", object(e)["event"], link)
		}
	}
	if found == 0 {
		t.Error("there are no events of the booking")
	}
}

// What was written on a card stands in the stored answer of that call, too, and names nobody there: it goes with the
// contact. The answers of others stay.
func TestAnswersOfDeletedCardsGo(t *testing.T) {
	w := newWorld(t)
	key := w.manager()
	write := func(name, text string) (contact string) {
		contact, _ = w.do(key, "POST", "/api/v1/contacts", `{"name":"`+name+`","email":"`+name+`@x.example"}`).json(t)["id"].(string)
		got := w.do(key, "POST", "/api/v1/contacts/"+contact+"/entries", `{"text":"`+text+`"}`, "Idempotency-Key", text)
		if got.Code != 201 {
			t.Fatal(got.Code, got.text)
		}
		return contact
	}
	gone := write("gone", "zanzibarina")
	write("stays", "marmalade")
	if got := w.do(key, "DELETE", "/api/v1/contacts/"+gone, ""); got.Code != 204 {
		t.Fatal(got.Code, got.text)
	}
	left := enginetest.Dump(t, enginetest.Raw(t, w.Store.Engine))
	var text string
	for _, rows := range left {
		text += fmt.Sprintf("%s\n", rows)
	}
	if strings.Contains(text, "zanzibarina") {
		t.Error("the text of a deleted card is left")
	}
	if !strings.Contains(text, "marmalade") {
		t.Error("the entry of another contact is gone")
	}
	if again := w.do(key, "POST", "/api/v1/contacts/"+gone+"/entries", `{"text":"zanzibarina"}`, "Idempotency-Key", "zanzibarina"); again.Code != 404 {
		t.Errorf("said again: %d %s", again.Code, again.text)
	}
}
