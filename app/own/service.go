// Package own is the page of a customer's own: the links by which it is opened, the devices that it was opened on, and
// what it shows. It has no password: a link is mailed to the address that the business keeps of the contact, never to
// one that anybody names, and whoever opens it has shown to be that contact (app.Actor.Contact).
//
// Nothing is edited on the page: bookings are moved and cancelled by their own links.
package own

import (
	"context"
	"net/netip"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/gate"
	"daybook/app/when"
)

const (
	// LinkLife is how long a link can be opened.
	LinkLife = 15 * time.Minute
	// DeviceLife is how long the page stays open on a device.
	DeviceLife = 30 * when.Day

	linksPerHour = 3  // that are mailed to a contact
	mostDevices  = 10 // of a contact; the one that was opened first ends
	asksPerHour  = 10 // of a network address, whomever it asks for
	// linksKept is longer than the log keeps mails: by its links the mails to a contact are found once they are erased.
	linksKept = 91 * when.Day
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Reads finds links and devices.
type Reads interface {
	// OwnLink returns the contact of the link with that hash, and until when it can be opened. Errors: ErrNotFound.
	OwnLink(ws catalog.WorkspaceID, hash []byte) (booking.ContactID, when.Instant, error)
	// OwnLinksSince counts the links that were mailed to a contact since that time.
	OwnLinksSince(ws catalog.WorkspaceID, c booking.ContactID, since when.Instant) (int, error)
	// OwnDevice returns the contact of the device with that hash, and when it was opened. Errors: ErrNotFound.
	OwnDevice(ws catalog.WorkspaceID, hash []byte) (booking.ContactID, when.Instant, error)
	// OwnDevices counts the devices of a contact.
	OwnDevices(ws catalog.WorkspaceID, c booking.ContactID) (int, error)
	// ReceiptsOf returns the receipts for these bookings, by number.
	ReceiptsOf(of []booking.BookingID) ([]counter.Receipt, error)
	// Receipt returns one receipt. Errors: ErrNotFound.
	Receipt(ws catalog.WorkspaceID, id booking.ReceiptID) (counter.Receipt, error)
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	// InsertOwnLink saves a link: until and mail are 0, and the contact too, where nobody was mailed.
	InsertOwnLink(ws catalog.WorkspaceID, hash []byte, c booking.ContactID, made, until when.Instant, mail int64) error
	// EndOwnLinks ends the links of a contact. EndOwnDevices does so with its devices.
	EndOwnLinks(ws catalog.WorkspaceID, c booking.ContactID) error
	EndOwnDevices(ws catalog.WorkspaceID, c booking.ContactID) error
	// TakeOwnLink ends a link that can be opened now; it reports false if there is none.
	TakeOwnLink(ws catalog.WorkspaceID, hash []byte, now when.Instant) (bool, error)
	InsertOwnDevice(ws catalog.WorkspaceID, hash []byte, c booking.ContactID, now when.Instant) error
	// TrimOwnDevices ends the devices of a contact but for those opened last, so many.
	TrimOwnDevices(ws catalog.WorkspaceID, c booking.ContactID, keep int) error
	EndOwnDevice(ws catalog.WorkspaceID, hash []byte) error
	// PruneOwn deletes links and devices made before those times, and before nobodys the links that were mailed to nobody,
	// at most limit of each, and returns the greatest number of one kind.
	PruneOwn(links, nobodys, devices when.Instant, limit int) (int, error)
}

// Post queues the mail or text with a link to the contact, in the caller's transaction, and returns the mail's id; 0 is none. from is where it is
// asked for.
type Post func(ctx context.Context, tx app.Tx, to *booking.Contact, l Link, from netip.Addr) (mail int64, err error)

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	gate *gate.Service
	post Post
}

// New returns the Service over a core.
func New(core *app.Service, g *gate.Service, post Post) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, g, post}
	core.AddDuties(app.Duties{Prune: s.prune})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.gate.In(tx), s.post}
}

// prune deletes what has ended, in small transactions.
func (s *Service) prune(ctx context.Context) error {
	const step = 200
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			now := when.At(s.Core.Now())
			n, err = tx.PruneOwn(now.Add(-linksKept), now.Add(-time.Hour), now.Add(-DeviceLife), step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
