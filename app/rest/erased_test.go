package rest_test

import "testing"

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
