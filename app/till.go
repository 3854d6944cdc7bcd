package app

import (
	"daybook/app/catalog"
)

// Till is what the core asks of money, inside the transaction of its own change. A Service without one takes no money:
// prices are paid on site.
type Till interface {
	// Takes reports whether the workspace can be paid online.
	Takes(r Reader, ws catalog.WorkspaceID) (bool, error)
	// Due keeps what a new booking waits for: a payment, a card to be saved, or both.
	Due(c *Change) error
	// Close settles the money of a booking that is cancelled, declined or has lapsed: what could still be paid is
	// closed, and what was paid goes back if refund says so.
	Close(c *Change, refund bool) error
	// NoShow begins to charge the fee of a booking that was marked as a no-show, and puts it on the booking.
	NoShow(c *Change) error
	// UndoNoShow takes the fee back.
	UndoNoShow(c *Change) error
}

// onSite is the Till of a Service without one: nothing is paid online.
type onSite struct{}

func (onSite) Takes(Reader, catalog.WorkspaceID) (bool, error) { return false, nil }
func (onSite) Due(*Change) error                               { return nil }
func (onSite) Close(*Change, bool) error                       { return nil }
func (onSite) NoShow(*Change) error                            { return nil }
func (onSite) UndoNoShow(*Change) error                        { return nil }

// TakesMoney reports whether the workspace can be paid online, as r sees it.
func (s *Service) TakesMoney(r Reader, ws catalog.WorkspaceID) (bool, error) {
	return s.till.Takes(r, ws)
}
