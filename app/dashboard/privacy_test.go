package dashboard

import (
	"encoding/json"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
)

// An owner sees what a rule would erase, switches it on and off; nobody else does. Who may manage contacts gets the
// file about one.
func TestPrivacySettings(t *testing.T) {
	w := newWorld(t)
	const page = "/dashboard/settings/privacy"
	owner, manager := w.asOwner(), w.member(app.ManagerRole, 0)
	owner.wants(owner.get("/dashboard/settings"), 200, page)
	if text := manager.get("/dashboard/settings").body; strings.Contains(text, page) {
		t.Error("a manager sees the tab")
	}
	manager.wants(manager.get(page), 403)
	manager.wants(manager.post(page, "months", "12"), 403)
	manager.wants(manager.post(page+"/off"), 403)

	owner.wants(owner.get(page), 200, "Off: nobody", "Switch on", "Backups")
	owner.wants(owner.get(page+"?months=12&taxYears="), 200, "With 12 months", "Nobody would be erased")
	owner.wants(owner.get(page+"?months=0&taxYears="), 422, "1 to 120")
	owner.wants(owner.post(page, "months", "x", "taxYears", ""), 422, "1 to 120")
	w.Clock.Set(w.Clock.Now().AddDate(3, 0, 0))
	owner = w.asOwner()
	owner.wants(owner.get(page+"?months=12&taxYears=6"), 200, "would be erased.", ", the oldest of", "would lose their names.")
	owner.wants(owner.post(page, "months", "12", "taxYears", "6"), 303)
	owner.wants(owner.get(page), 200, "On: after 12 months", `value="6"`, "Switch off")
	owner.wants(owner.post(page+"/off"), 303)
	owner.wants(owner.get(page), 200, "Off: nobody")
}

func TestFileAboutAContact(t *testing.T) {
	w := newWorld(t)
	b, err := w.Book(t.Context(), w.Owner, apptest.Input("haircut", w.open("haircut"), "Zora"))
	w.Must(err)
	manager := w.member(app.ManagerRole, 0)
	manager.wants(manager.get(contactURL(b.ContactID)), 200, contactURL(b.ContactID)+"/file")
	answer := manager.get(contactURL(b.ContactID) + "/file")
	var file struct {
		Contact  struct{ Name string }
		Bookings []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(answer.body), &file); err != nil || file.Contact.Name != "Zora" || len(file.Bookings) != 1 {
		t.Errorf("%v %.300s", err, answer.body)
	}
}
