// Package contact holds the rules of customers: editing, merging and deleting contacts, their notes, finding them while
// somebody types, importing them and undoing that, and exporting them as CSV; and what stands on the card of a customer:
// tags, entries, photographs and files, consents and health.
package contact

import (
	"cmp"
	"context"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
)

type (
	// Reader is what the Service reads from the store.
	Reader interface {
		app.Reader
		finder
		CardReads
		ConsentReads
		ImportReader
	}
	// Tx is what the Service uses of a transaction.
	Tx interface {
		app.Tx
		finder
		CardReads
		CardWrites
		ConsentReads
		ConsentWrites
		ImportWriter
		// MergeOwn ends the links to the own pages of two contacts and the devices on which these are open. What is left of
		// the first's is the other's.
		MergeOwn(ws catalog.WorkspaceID, from, into booking.ContactID) error
		// MergeWaits makes the entries of the waitlist of one contact those of another.
		MergeWaits(from *booking.Contact, into booking.ContactID) error
		// OffersOf returns the entries of a contact that are offered a time which they haven't taken, the earliest offer first.
		OffersOf(ws catalog.WorkspaceID, c booking.ContactID) ([]booking.WaitID, error)
		// RenewTerms gives contacts of an earlier TermsVersion new terms, at most limit of them, and returns how many.
		RenewTerms(limit int) (int, error)
	}
	finder interface {
		booking.ContactCounter
		// ContactsBeginning finds at most limit contacts by their Terms: those with one that begins with one of some, and
		// for each of all one that begins with one of it. Those of the first of some come first. It looks at a bounded
		// number of them.
		ContactsBeginning(ws catalog.WorkspaceID, some []string, all [][]string, limit int) ([]booking.Contact, error)
	}
)

// Config is what an operator chooses.
type Config struct {
	// FilesOfWorkspace is the most bytes of all photographs and files of the customers of a workspace; 0 is
	// FilesOfWorkspace.
	FilesOfWorkspace int
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	config  Config
	created OnCreated
	beside  *Beside
	imports *underway
}

// OnCreated is called with a new contact in the transaction that makes it.
type OnCreated func(app.Tx, *booking.Contact) error

// Beside is what another subject does when an import is undone: with what it made besides contacts.
type Beside struct {
	// Undo undoes some of it, in transactions of its own that save Import.Undone and Import.Stays, and reports whether
	// nothing is left of it.
	Undo func(ctx context.Context, im Import) (done bool, err error)
	// May returns an error unless the actor may undo it.
	May func(a app.Actor) error
}

// SetBeside tells which subject imports more than contacts.
func (s *Service) SetBeside(b Beside) { *s.beside = b }

// New returns the Service over a core.
func New(core *app.Service, c Config, created OnCreated) *Service {
	c.FilesOfWorkspace = cmp.Or(c.FilesOfWorkspace, FilesOfWorkspace)
	s := &Service{app.Subject[Reader, Tx]{Core: core}, c, created, &Beside{}, &underway{}}
	core.AddDuties(app.Duties{Secrets: s.eachCardKey, Prune: s.prune, Sweep: s.sweepFieldsSoon})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.config, s.created, s.beside, s.imports}
}

// insert saves a new contact and tells of it.
func (s *Service) insert(tx Tx, c *booking.Contact) error {
	if err := tx.InsertContact(c); err != nil {
		return err
	}
	return s.created(tx, c)
}
