package gate

import (
	"context"
	"net/netip"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	// VisitorsBooked counts the bookings that visitors have made at the workspace in [from, until); an until of 0 means
	// no end. Ids never go back, so bookings made after the clock was set back count as made at the latest time before
	// that.
	VisitorsBooked(ws catalog.WorkspaceID, from, until when.Instant) (int, error)
	// TimesOf returns what AddressTimes does, without a lock.
	TimesOf(address Hash) ([]byte, error)
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Writes
}

// Writes counts addresses and stores forms. A row that a method locks stays locked until the transaction ends, so that
// other transactions wait for it.
type Writes interface {
	// AddressTimes locks an address and returns the times of its bookings, as SetAddressTimes saved them.
	AddressTimes(address Hash) ([]byte, error)
	SetAddressTimes(address Hash, times []byte, last when.Instant) error
	// UseProof locks the proof of a form and returns the purpose for which it was first used: the given one if it was
	// unused.
	UseProof(key, purpose Hash, at when.Instant) (Hash, error)
	// LockForm locks a form and returns the booking that it made, or zero.
	LockForm(form Hash, at when.Instant) (booking.BookingID, error)
	SetFormBooking(form Hash, b booking.BookingID) error
	ForgetForm(form Hash) error
	// PruneForms deletes addresses, proofs and forms older than those times, at most limit of each kind, and returns
	// the greatest number that it deleted of one kind.
	PruneForms(addresses, proofs, forms when.Instant, limit int) (int, error)
}

// Hash returns the SHA-256 of a text, so that a reader of the database doesn't learn who did what.
type Hash []byte

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	rushes     *rushes
	assistants []netip.Prefix
}

// New returns the Service over a core. assistants are the networks from which the assistants of many people call.
func New(core *app.Service, assistants []netip.Prefix) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, &rushes{of: map[catalog.WorkspaceID]*rush{}}, assistants}
	core.AddDuties(app.Duties{Prune: s.prune})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.rushes, s.assistants}
}

// prune deletes what has expired, in small transactions.
func (s *Service) prune(ctx context.Context) error {
	const step = 200
	ago := func(d time.Duration) when.Instant { return when.At(s.Core.Now().Add(-d)) }
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneForms(ago(addressSpan), ago(KeyLife), ago(sentLife), step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// timesAssistants is how many people's share an address may take from which the assistants of many people call.
const timesAssistants = 100

// Most returns how often the address may do through an assistant what others may do that often. Every user of a large
// assistant comes from the same few addresses, so that those which the operator has listed get a far higher limit;
// what guards people and workspaces is counted by them then.
func (s *Service) Most(from netip.Addr, most int) int {
	if s.Listed(from) {
		return timesAssistants * most
	}
	return most
}

// Listed reports whether the assistants of many people call from the address.
func (s *Service) Listed(from netip.Addr) bool {
	return slices.ContainsFunc(s.assistants, func(p netip.Prefix) bool { return p.Contains(from.Unmap()) })
}

// Assistant returns the client whose bookings and moves by an assistant are counted, most an hour unless it is listed.
// What those do who are listed is counted by itself: it takes nothing from people who come from the same network.
func (s *Service) Assistant(from netip.Addr, most int) Client {
	c := Client{Address: from, Most: s.Most(from, most)}
	if s.Listed(from) {
		c.What = "assistant "
	}
	return c
}
