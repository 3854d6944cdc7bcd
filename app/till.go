package app

import "daybook/app/catalog"

// Till is what the core needs of payments, inside the transaction of its own change. Without a Till prices are paid on
// site.
type Till interface {
	// Takes reports whether customers can pay the workspace online.
	Takes(r Reader, ws catalog.WorkspaceID) (bool, error)
	// Due saves what a new booking waits for: a payment, a card, or both.
	Due(c *Change) error
	// Close settles the money of a booking that is cancelled, declined or has lapsed: open payments are closed, and what
	// was paid is refunded if refund is true.
	Close(c *Change, refund bool) error
	// HasCard reports whether the invitee has saved a card for the booking's fees.
	HasCard(c *Change) (bool, error)
	// LateFee starts to charge the fee of a booking that was cancelled late, and shows it on the booking.
	LateFee(c *Change) error
	// NoShow starts to charge the fee of a booking that was marked as a no-show, and shows it on the booking.
	NoShow(c *Change) error
	// UndoNoShow cancels or refunds the fee.
	UndoNoShow(c *Change) error
}

// onSite is the Till of a Service without one: nothing is paid online.
type onSite struct{}

func (onSite) Takes(Reader, catalog.WorkspaceID) (bool, error) { return false, nil }
func (onSite) Due(*Change) error                               { return nil }
func (onSite) Close(*Change, bool) error                       { return nil }
func (onSite) HasCard(*Change) (bool, error)                   { return false, nil }
func (onSite) LateFee(*Change) error                           { return nil }
func (onSite) NoShow(*Change) error                            { return nil }
func (onSite) UndoNoShow(*Change) error                        { return nil }

// Till returns the Till of the Change's Service.
func (c *Change) Till() Till { return c.service.till }

// TakesMoney reports whether customers can pay the workspace online, as r sees it.
func (s *Service) TakesMoney(r Reader, ws catalog.WorkspaceID) (bool, error) {
	return s.till.Takes(r, ws)
}
