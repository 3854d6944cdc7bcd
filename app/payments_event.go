package app

// tellPayment adds a payment's event to the change.
func (s *Service) tellPayment(tx *locked, c *Change, kind EventKind, b *Booking, p *PaymentRecord) error {
	return s.addEvent(tx, c, kind, b, func(e *Event) (err error) {
		e.Body, err = encodePaymentEvent(e.ID, kind, e.CreatedAt, &PaymentEventData{
			ID: p.ID, BookingID: b.ID, Kind: string(p.Kind), Amount: p.Amount, Currency: p.Currency,
			Status: p.told("succeeded"), RefundedAmount: p.RefundedAmount, Invitee: b.Invitee,
		})
		return err
	})
}

// told is one event that a change tells: of the payment, or else of the booking.
type told struct {
	kind    EventKind
	payment *PaymentRecord
}

// record saves what a payment did to a booking, with one entry of its history, and tells the events in their order.
func (s *Service) record(tx *locked, b *Booking, from Status, action, reason string, events ...told) error {
	actor := Actor{Kind: BySystem, Workspace: b.WorkspaceID}
	return s.recordEntry(tx, b, s.entry(tx, actor, b, from, action, reason), events...)
}

// recordAmount is record of an amount of money that leaves the booking's state alone.
func (s *Service) recordAmount(tx *locked, b *Booking, action string, amount *Money, events ...told) error {
	entry := s.entry(tx, Actor{Kind: BySystem, Workspace: b.WorkspaceID}, b, b.Status, action, "")
	entry.Amount = amount
	return s.recordEntry(tx, b, entry, events...)
}

func (s *Service) recordEntry(tx *locked, b *Booking, entry HistoryEntry, events ...told) error {
	b.UpdatedAt = At(tx.now)
	c := Change{History: entry}
	from, action := entry.From, entry.Action
	c.History.Tell = from != b.Status || action == "paid" || action == "card_saved" || action == "refunded"
	for _, e := range events {
		var err error
		if e.payment != nil {
			err = s.tellPayment(tx, &c, e.kind, b, e.payment)
		} else {
			err = s.tell(tx, &c, e.kind, b)
		}
		if err != nil {
			return err
		}
	}
	return tx.SaveBooking(b, false, c)
}

// entry is the history entry of a change.
func (s *Service) entry(tx *locked, a Actor, b *Booking, from Status, action, reason string) HistoryEntry {
	return HistoryEntry{At: At(tx.now), Actor: a.Kind, By: a.id(), Action: action, From: from, To: b.Status, Start: b.Start, Reason: reason, Host: b.Host.ID}
}
