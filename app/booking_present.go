package app

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Present fills in what is not stored with a booking: names, and the links that the actor may see. It takes out what
// the actor may not see.
func (s *Service) Present(setup *catalog.Setup, a Actor, b *booking.Booking) {
	e := setup.EventTypeByID(b.EventTypeID)
	if e == nil && a.Limits.Narrows() { // the key can book it with none of its hosts, who do it beside another one
		if all, err := s.cachedSetup(a.Workspace); err == nil {
			e = all.EventTypeByID(b.EventTypeID)
		}
	}
	if e != nil {
		b.EventType = e.Slug
	}
	if h := setup.Host(b.Host.ID); h != nil {
		b.Host.Name = h.Name
	}
	b.NameTaken(setup)
	if b.Visit != nil && (a.Own() || a.Limits.Narrows()) { // the others' bookings don't exist for the actor
		shown := *b.Visit
		shown.Bookings, b.Visit = nil, &shown
	}
	if b.Payment != nil {
		b.Payment = b.Payment.Show()
	}
	if b.Contact = nil; b.ContactID != 0 && !b.Invitee.Erased() && a.seesContactOf() {
		b.Contact = &booking.ContactRef{ID: b.ContactID}
	}
	if a.Kind == booking.ByAgent && b.Payment != nil {
		b.Payment.Purpose = ""
	}
	b.FreeCancel = b.FreeUntil()
	b.ShowConfirmed()
	b.ShowPayLink(setup, when.At(s.clock()))
	b.ShowMoney(setup)
	if !a.SeesInternalNotes() {
		b.InternalNote = ""
	}
	if !a.SeesLinks() {
		b.ManageURL = ""
		b.HideVideoRoom()
		return
	}
	if b.ManageURL == "" { // else an event of this change has made it
		b.ManageURL = s.manageURL(setup, b.ID)
	}
	b.LinkPayments()
}
