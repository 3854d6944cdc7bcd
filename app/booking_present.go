package app

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
)

// Present fills in what is not stored with a booking: names, and the links that the actor may see. It takes out what
// the actor may not see.
func (s *Service) Present(setup *catalog.Setup, a Actor, b *booking.Booking) {
	if e := setup.EventTypeByID(b.EventTypeID); e != nil {
		b.EventType = e.Slug
	}
	if h := setup.Host(b.Host.ID); h != nil {
		b.Host.Name = h.Name
	}
	for i, r := range b.Resources {
		if now := setup.Resource(r.ID); now != nil && now.Name != r.Name {
			b.Resources = slices.Clone(b.Resources)
			b.Resources[i].Name = now.Name
		}
	}
	if b.Visit != nil && (a.Own() || a.Limits.Narrows()) { // the others' bookings don't exist for the actor
		shown := *b.Visit
		shown.Bookings, b.Visit = nil, &shown
	}
	if p := b.Payment; p != nil {
		shown := *p
		shown.Kind = p.For()
		b.Payment = &shown
	}
	b.FreeCancel = b.FreeUntil()
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
