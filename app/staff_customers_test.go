package app_test

import (
	"slices"
	"testing"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/money"
)

// Staff see the customers whom they serve where the workspace lets them, those of a colleague nowhere, and of what a
// colleague did for theirs no more than what, when and how it went.
func TestStaffSeeTheirCustomers(t *testing.T) {
	w := newWorld(t)
	w.together("massage", 1, 2)
	w.solo("cut", 2, 30)
	w.offer("nails", 3, func(e *catalog.EventType) {
		e.Hosts, e.DurationMinutes, e.SlotStepMinutes = []catalog.HostRef{{ID: 3}}, 30, 15
		e.Price = &money.Money{Amount: 4500, Currency: "EUR"}
	})
	hers := w.Booked("cut", "1T09:00", "Mia")
	theirs := w.Booked("nails", "1T11:00", "Mia")
	beside := w.Booked("massage", "2T09:00", "Bo")
	other := w.Booked("nails", "2T13:00", "Cy")
	gone := w.Booked("cut", "3T09:00", "Di")
	_, err := w.Cancel(t.Context(), w.API, gone.ID.String(), booking.CancelInput{})
	w.Must(err)
	w.Must(w.People.SetContactNotes(t.Context(), w.Owner, hers.ContactID.String(), "Allergic to PPD"))

	staff := app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 5, Role: app.StaffRole, Host: 2}
	agent := staff
	agent.Kind = booking.ByAgent
	nobody := staff
	nobody.Host = 0
	sees := func(a app.Actor, b booking.Booking) bool {
		t.Helper()
		c, err := w.People.ContactByID(t.Context(), a, b.ContactID.String())
		if err != nil && !fault.Is(err, fault.NotFound) {
			t.Fatal(err)
		}
		_, all := w.People.ContactBookings(t.Context(), a, b.ContactID.String(), "")
		_, known := w.People.Known(t.Context(), a, b.ContactID.String())
		if (err == nil) != (all == nil) || (err == nil) != (known == nil) || err == nil && c.ID != b.ContactID {
			t.Errorf("%s: %v, its bookings %v, known %v", b.Invitee.Name, err, all, known)
		}
		return err == nil
	}
	for _, b := range []booking.Booking{hers, beside, other, gone} {
		if sees(staff, b) || sees(agent, b) {
			t.Errorf("%s is seen, but nobody let staff see customers", b.Invitee.Name)
		}
	}
	_, err = w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) { x.Settings.StaffSeeCustomers = true })
	w.Must(err)
	for _, x := range []struct {
		of   booking.Booking
		seen bool
	}{{hers, true}, {beside, true}, {other, false}, {gone, false}} {
		if sees(staff, x.of) != x.seen || sees(agent, x.of) != x.seen || sees(nobody, x.of) || !sees(w.Owner, x.of) {
			t.Errorf("%s should be seen: %v", x.of.Invitee.Name, x.seen)
		}
	}
	elsewhere := staff
	elsewhere.Workspace++
	if _, err := w.People.ContactByID(t.Context(), elsewhere, hers.ContactID.String()); err == nil {
		t.Error("another business sees the customer")
	}
	for name, err := range map[string]error{
		"list":   second(w.People.Contacts(t.Context(), staff, contact.Filter{}, nil, "")),
		"search": second(w.People.Lookup(t.Context(), staff, "Mia")),
		"find":   second(w.People.ContactsWith(t.Context(), staff, hers.Invitee.Email, "")),
		"notes":  w.People.SetContactNotes(t.Context(), staff, hers.ContactID.String(), "mine"),
		"delete": w.People.DeleteContact(t.Context(), staff, hers.ContactID.String()),
	} {
		if !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", name, err)
		}
	}

	c, err := w.People.ContactByID(t.Context(), staff, hers.ContactID.String())
	if w.Must(err); c.Notes != "" || c.Bookings != 2 {
		t.Errorf("the customer is %+v", c)
	}
	page, err := w.People.ContactBookings(t.Context(), staff, hers.ContactID.String(), "")
	w.Must(err)
	at := func(id booking.BookingID) booking.Booking {
		i := slices.IndexFunc(page.Data, func(b booking.Booking) bool { return b.ID == id })
		if i < 0 {
			t.Fatalf("%v is not among %+v", id, page.Data)
		}
		return page.Data[i]
	}
	if b := at(hers.ID); b.ManageURL == "" || b.Invitee.Email == "" {
		t.Errorf("her own booking is %+v", b)
	}
	if b := at(theirs.ID); b.ManageURL != "" || b.Invitee.Email != "" || b.Price != nil || b.Due != nil || b.Answers != nil || b.Payments != nil ||
		b.EventType != "nails" || b.Host.ID != 3 || b.Start != theirs.Start || b.Status != booking.Confirmed {
		t.Errorf("a colleague's booking is told as %+v", b)
	}
	if own, err := w.People.ContactBookings(t.Context(), w.Owner, hers.ContactID.String(), ""); err != nil || own.Data[0].Price == nil {
		t.Errorf("the owner doesn't see the price: %+v, %v", own.Data, err)
	}
	w.at("+1 12:00")
	known, err := w.People.Known(t.Context(), staff, hers.ContactID.String())
	if w.Must(err); len(known.Past) != 2 || known.Past[0].ID != theirs.ID || known.Past[0].Price != nil || known.Past[0].ManageURL != "" {
		t.Errorf("what is known beside a booking: %+v", known.Past)
	}
	if _, err := w.Booking(t.Context(), staff, theirs.ID.String()); !fault.Is(err, fault.NotFound) {
		t.Errorf("a colleague's booking opens: %v", err)
	}
}

// second is the error of a call that returns something else, too.
func second[T any](_ T, err error) error { return err }
