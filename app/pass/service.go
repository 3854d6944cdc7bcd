package pass

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/gate"
	"daybook/app/when"
)

// Reads are the subject's own reads.
type Reads interface {
	// Pass returns a pass. Errors: ErrNotFound.
	Pass(ws catalog.WorkspaceID, id booking.PassID) (Pass, error)
	// PassByCode returns the pass that has the code with that hash, or had it: current says which. Errors: ErrNotFound.
	PassByCode(ws catalog.WorkspaceID, hash []byte) (p Pass, current bool, err error)
	// Passes returns the passes that the filter selects, the latest first.
	Passes(ws catalog.WorkspaceID, f Filter) ([]Pass, error)
	// PassEntries returns at most limit entries of a pass after that one, the oldest first.
	PassEntries(ws catalog.WorkspaceID, id booking.PassID, after booking.PaymentID, limit int) ([]Entry, error)
	// PassEntry returns an entry. Errors: ErrNotFound.
	PassEntry(ws catalog.WorkspaceID, id booking.PaymentID) (Entry, error)
	// SealedCode returns the code of a pass that nobody has seen yet. Errors: ErrNotFound.
	SealedCode(ws catalog.WorkspaceID, id booking.PassID) (SealedCode, error)
	SealedCodes(ws catalog.WorkspaceID) ([]SealedCode, error)
	// HasCodes reports whether any pass has a code that pays.
	HasCodes(ws catalog.WorkspaceID) (bool, error)
}

// Writes are the subject's own writes.
type Writes interface {
	InsertPass(p *Pass) error
	// UpdatePass saves whose it is, when it ends and whether it is blocked.
	UpdatePass(p *Pass) error
	// LockPass makes every other transaction that locks the pass wait for the end of this one. It comes behind the locks of
	// bookings and sales; of several passes, in the order of their ids.
	LockPass(ws catalog.WorkspaceID, id booking.PassID) error
	// InsertPassEntry adds an entry to the ledger, and its delta to the balance. ErrTaken: the balance would be below zero.
	InsertPassEntry(e *Entry) error
	// SetPassCode gives a pass a code in place of any other; Sealed "" keeps its hash only.
	SetPassCode(ws catalog.WorkspaceID, c SealedCode, now when.Instant) error
	// SealCodeAgain saves the code as it is sealed now, or with "" keeps its hash only.
	SealCodeAgain(ws catalog.WorkspaceID, c SealedCode) error
}

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}

// SealedCode is the code of a pass.
type SealedCode struct {
	Pass   booking.PassID
	Hash   []byte // SHA-256
	Sealed string // by the secret key; "" once it was given away
}

// Filter says which passes are listed.
type Filter struct {
	Contact booking.ContactID // 0 is all
	Sale    booking.SaleID    // 0 is all
	Owed    bool              // only with something left
	Before  booking.PassID    // 0 is all
	Limit   int
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	gate *gate.Service
}

// New returns the Service over a core. gate limits how often strangers may try codes.
func New(core *app.Service, gate *gate.Service) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, gate}
	core.AddDuties(app.Duties{Secrets: s.eachCode})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.gate.In(tx)}
}

// eachCode looks at the codes that nobody has seen yet.
func (s *Service) eachCode(reader app.Reader, change app.Tx, look app.LookAtSecret) error {
	r := reader.(Reader)
	tx, _ := change.(Tx) // nil when nothing is to be changed
	workspaces, err := r.Workspaces(app.Every)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		codes, err := r.SealedCodes(w.ID)
		if err != nil {
			return err
		}
		for _, c := range codes {
			if changed, err := look(&c.Sealed); err != nil {
				return err
			} else if changed {
				if err := tx.SealCodeAgain(w.ID, c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
