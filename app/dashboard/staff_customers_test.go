package dashboard

import (
	"testing"

	"daybook/app/contact"
	"daybook/views/dash"
)

// A stylist opens the card of a customer whom she serves from the booking, once the owner has ticked that in the
// settings, and finds notes and visits there; she changes nothing, and a colleague's visit leads nowhere.
func TestStaffOpenTheirCustomers(t *testing.T) {
	w := newWorld(t)
	x := w.oneWithBookings()
	w.Must(w.People.SetContactNotes(t.Context(), w.Owner, x.ID.String(), "Pays late"))
	_, err := w.People.AddEntry(t.Context(), w.Owner, x.ID.String(), contact.EntryInput{Kind: contact.NoteEntry, Text: "Allergic to PPD", Pinned: true})
	w.Must(err)
	all, err := w.People.ContactBookings(t.Context(), w.Owner, x.ID.String(), "")
	w.Must(err)
	first := all.Data[0]
	host := first.Host.ID
	staff := w.staff(host)
	card, visit := contactURL(x.ID), dash.BookingPath(first.ID.String())
	staff.wants(staff.get(card), 404, "!"+x.Name)
	staff.wants(staff.get(visit), 200, "!Allergic", "!"+card)

	b := w.asOwner()
	ws := w.setup().Workspace
	form := []string{"name", ws.Name, "slug", ws.Slug, "timeZone", ws.TimeZone, "currency", ws.Currency, "waitMargin", "0"}
	b.wants(b.post(dash.SettingsPath, append(form, "staffSeeCustomers", "on")...), 303)
	if !w.setup().Workspace.Settings.StaffSeeCustomers {
		t.Error("the tick of the settings does nothing")
	}

	staff.wants(staff.get(visit), 200, "Allergic to PPD", "!Pays late", card)
	got := staff.get(card)
	staff.wants(got, 200, x.Name, "Allergic to PPD", "!Pays late", visit, "!"+dash.ContactEditPath(x.ID.String()), "!"+dash.ContactNotesPath(x.ID.String()),
		"!"+dash.ContactMergePath(x.ID.String()), "!"+dash.ContactDeletePath(x.ID.String()), `!href="`+dash.ContactsPath+`"`)
	elsewhere := 0
	for _, k := range all.Data {
		if k.Host.ID == host {
			staff.wants(got, 200, dash.BookingPath(k.ID.String()))
			continue
		}
		elsewhere++
		staff.wants(got, 200, k.Host.Name, "!"+dash.BookingPath(k.ID.String()))
	}
	if elsewhere == 0 {
		t.Fatal("all visits were with the same person")
	}
	staff.wants(staff.get(dash.ContactsPath), 403)
	staff.wants(staff.post(dash.ContactNotesPath(x.ID.String()), "notes", "mine"), 403)
	b.wants(b.post(dash.SettingsPath, form...), 303)
	staff.wants(staff.get(card), 404, "!"+x.Name)
}
