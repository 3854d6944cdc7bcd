package dashboard

import (
	"net/http"
	"testing"

	"daybook/app/waitlist"
	"daybook/views/dash"
)

// A customer is put on the waitlist, is found under its state, and taken off; what is wrong is said at its field.
func TestWaitlistByForms(t *testing.T) {
	w := newWorld(t)
	wilma := w.regular()
	b := w.asOwner()
	b.wants(b.get(dash.ContactsPath), 200, `href="`+dash.WaitlistPath+`"`)
	b.wants(b.get(dash.WaitlistPath), 200, "Nobody is here", `href="`+dash.NewWaitPath+`"`)
	cut := w.setup().EventType("haircut").ID.String()
	typed := []string{"name", "Bo Berg", "email", "bo@mail.example", "phone", "030 1234567", "eventType", cut, "host", "", "from", "2026-12-23", "to", "2026-12-30"}
	b.wants(b.get(dash.NewWaitPath+"?contact="+wilma.ID.String()), 200, "wilma.stamm@mail.example")
	for _, wrong := range [][]string{{"email", "", "what comes free is offered there"}, {"to", "2026-12-01", "to-error"}, {"hours", "noon", "Enter times such as 09:00"}} {
		form := append(append([]string{}, typed...), "hours", "", "before", "12:00")
		for i := 0; i < len(form); i += 2 {
			if form[i] == wrong[0] {
				form[i+1] = wrong[1]
			}
		}
		b.wants(b.post(dash.NewWaitPath, form...), http.StatusUnprocessableEntity, wrong[2], "Bo Berg")
	}
	b.wants(b.post(dash.NewWaitPath, append(typed, "hours", "", "before", "12:00")...), 303)
	all, err := w.Waitlist.Waitlist(t.Context(), w.Owner, waitlist.ListInput{})
	w.Must(err)
	if len(all.Data) != 1 || all.Data[0].Status != waitlist.Waiting || all.Data[0].Wishes[0].Hours[0] != "00:00-12:00" {
		t.Fatalf("%+v", all.Data)
	}
	e := &all.Data[0]
	b.wants(b.get(dash.WaitlistPath), 200, "Bo Berg", "Haircut", "030 1234567", dash.WaitEndPath(e.ID.String()), "!Nobody is here")
	b.wants(b.get(dash.WaitlistPath+"?status=offered"), 200, "Nobody is here", "!Bo Berg")
	stranger := w.stranger()
	stranger.wants(stranger.post(dash.WaitEndPath(e.ID.String())), 404)
	b.wants(b.post(dash.WaitEndPath(e.ID.String())), 303)
	b.wants(b.get(dash.WaitlistPath+"?status="), 200, "Bo Berg", "ended by you", "!"+dash.WaitEndPath(e.ID.String()))
}
