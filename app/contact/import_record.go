package contact

import (
	"context"
	"errors"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/app/work"
)

const (
	// Undoable is how long an import can be undone after its end. What it needs for that is deleted then.
	Undoable = when.Day
	// importLease is how long a running import may write nothing. Then its server was killed, and another may begin.
	importLease = 2 * time.Minute
	// pruneStep is how many contacts of old imports are forgotten in one transaction.
	pruneStep = 500
)

type (
	ImportID     = id.ID[ImportIDKind]
	ImportIDKind struct{ id.Few }
)

func (ImportIDKind) Prefix() string { return "im_" }

// ImportState is the state of an import. The numbers are stored; those of imports that are under way come first.
type ImportState int

const (
	Importing      ImportState = iota // its lines are being saved
	Undoing                           // what it did is being undone
	ImportDone                        // it can be undone until Import.Until
	ImportIsUndone                    // what stays says why
)

// Import is what is remembered of an import.
type Import struct {
	ID        ImportID
	Workspace catalog.WorkspaceID
	State     ImportState
	MadeAt    when.Instant
	Until     when.Instant // until when it can be undone, and is remembered; 0 while it is being undone
	Created   int          // contacts
	Changed   int
	Booked    int // bookings that it made or moved
	Services  int // that it made
	People    int // whom it added to the team
	Undone    int // of all that it did, as it was before
	Stays     int // of all that it did, as it is
	Lines     int // that it has to save; 0 before the first of them
	Come      int // of Lines, how far it has come
	LeftOut   int // lines that it doesn't save
}

// Did returns how much the import did: contacts, bookings, services and people.
func (im *Import) Did() int { return im.Created + im.Changed + im.Besides() }

// Besides returns how much of it is not about contacts: it is undone first.
func (im *Import) Besides() int { return im.Booked + im.Services + im.People }

// Outcome says what undoing an import did with a contact, a booking, a service or somebody of the team. The numbers are stored; those of what
// stays as it is come last.
type Outcome int

const (
	NotUndone Outcome = iota // yet
	Removed
	Restored
	StaysBooked  // a booking refers to it
	StaysWritten // it was mailed or invited, or has refused mails, since
	StaysEdited  // it was changed since; fields of a known contact that were not have their old value back
	StaysMerged  // another contact was merged into it
	StaysGone    // it was merged or deleted
	StaysTaken   // another contact has its old telephone number now, or somebody the old time of a booking
	StaysPaid    // money or a receipt belongs to the booking
	StaysUsed    // the service, or the person, is needed
	StaysEnded   // the import cancelled the booking
)

// ImportedContact is a contact that an import made or changed, or whose appointments it imported.
type ImportedContact struct {
	Import    ImportID
	Workspace catalog.WorkspaceID
	Contact   booking.ContactID
	Made      bool
	Outcome   Outcome
	// Changes are empty once it can't be undone by them any more, and of one who was there and got an appointment.
	Changes []FieldChange
}

// Stay is a contact, a booking, a service or somebody of the team that stays as it is although its import was undone.
type Stay struct {
	Contact booking.ContactID   // or 0
	Booking booking.BookingID   // or 0
	Service catalog.EventTypeID // or 0
	Host    catalog.HostID      // or 0
	Name    string              // that it has now, "" if it is gone; of a booking who comes; of a service and a host nothing
	Start   when.Instant        // of a booking
	Outcome Outcome
}

// ImportReads finds imports.
type ImportReads interface {
	// Import returns an import. Errors: ErrNotFound.
	Import(ws catalog.WorkspaceID, id ImportID) (Import, error)
	// Imports lists imports that did something, the latest first.
	Imports(ws catalog.WorkspaceID, limit int) ([]Import, error)
	// LatestImport returns the latest import, or 0.
	LatestImport(ws catalog.WorkspaceID) (ImportID, error)
	// BusyImport returns the import that runs or is being undone. Errors: ErrNotFound.
	BusyImport(ws catalog.WorkspaceID) (Import, error)
	// NewerImport returns one of the imports after id that touched one of the same contacts and aren't undone.
	// Errors: ErrNotFound.
	NewerImport(ws catalog.WorkspaceID, id ImportID) (ImportID, error)
	// Foreign returns the number that a contact has in the program that it was imported from, or "". Errors: ErrNotFound.
	Foreign(ws catalog.WorkspaceID, c booking.ContactID) (string, error)
	// ForeignContacts lists contacts with that number in the program that they were imported from, the oldest first.
	ForeignContacts(ws catalog.WorkspaceID, foreign string, limit int) ([]booking.Contact, error)
	// Stays lists what stays although its import was undone.
	Stays(ws catalog.WorkspaceID, id ImportID, limit int) ([]Stay, error)
}

// ImportReader finds imports of all workspaces.
type ImportReader interface {
	ImportReads
	// UndoingImports lists imports of workspaces in these buckets that are being undone.
	UndoingImports(of work.Buckets, limit int) ([]Import, error)
	// OldImports lists imports whose Until has come.
	OldImports(now when.Instant, limit int) ([]Import, error)
}

// ImportWriter saves what imports did.
type ImportWriter interface {
	ImportReads
	InsertImport(im *Import) error
	// LockImport makes every other transaction that locks the import wait for the end of this one, and returns it. Errors:
	// ErrNotFound.
	LockImport(ws catalog.WorkspaceID, id ImportID) (Import, error)
	// SaveImport saves the state, the time and the counts.
	SaveImport(im *Import) error
	// DropImport forgets an import of which nothing else is remembered.
	DropImport(ws catalog.WorkspaceID, id ImportID) error
	// DropImported forgets at most limit of what an import did, and returns how much.
	DropImported(ws catalog.WorkspaceID, id ImportID, limit int) (int, error)
	// SetForeign notes the number that a contact has in the program that it was imported from, unless one is noted.
	SetForeign(ws catalog.WorkspaceID, c booking.ContactID, foreign string) error
	// MoveForeign gives the contact to the number of from, unless it has one.
	MoveForeign(from, to booking.ContactID) error
	InsertImported(c *ImportedContact) error
	// Imported returns what an import did with a contact. Errors: ErrNotFound.
	Imported(ws catalog.WorkspaceID, id ImportID, c booking.ContactID) (ImportedContact, error)
	// SaveImported replaces the outcome and the changes.
	SaveImported(c *ImportedContact) error
	// OpenImported lists contacts of an import with an id above after that are not undone yet, in the order of their ids.
	OpenImported(ws catalog.WorkspaceID, id ImportID, after booking.ContactID, limit int) ([]ImportedContact, error)
	// KeepImported takes what imports noted of a contact that they made, so that undoing them doesn't remove it.
	KeepImported(ws catalog.WorkspaceID, c booking.ContactID) error
	// WrittenTo returns the addresses, as they are compared, that were mailed or invited since then.
	WrittenTo(ws catalog.WorkspaceID, since when.Instant) ([]string, error)
	// HasAsked reports whether the address, as it is compared, has refused mails since then or asked for a booking.
	HasAsked(ws catalog.WorkspaceID, email string, since when.Instant) (bool, error)
}

// beginImport notes that an import runs. Errors: conflict import_running.
func (s *Service) beginImport(ctx context.Context, a app.Actor) (im Import, err error) {
	now := s.Now()
	im = Import{ID: id.New[ImportIDKind](now), Workspace: a.Workspace, MadeAt: when.At(now),
		Until: when.At(now).Add(Undoable)}
	return im, s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		if err := s.noneRuns(tx, a.Workspace); err != nil {
			return err
		}
		return tx.InsertImport(&im)
	})
}

// noneRuns returns the conflict import_running if an import of the workspace runs or is being undone. One that a killed
// server has left ends where it came to.
func (s *Service) noneRuns(tx Tx, ws catalog.WorkspaceID) error {
	im, err := tx.BusyImport(ws)
	if err == nil {
		im, err = tx.LockImport(ws, im.ID)
	}
	switch {
	case errors.Is(err, fault.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	if im = im.asOf(when.At(s.Now())); im.State <= Undoing {
		return anImportRuns()
	}
	return tx.SaveImport(&im)
}

func anImportRuns() error {
	return fault.Conflictf("import_running", "Another import of customers is under way. Try again when it is done.")
}

// stepImport locks a running import for a step of it. Errors: conflict import_running (it stood still for so long that
// another one has begun).
func (s *Service) stepImport(tx Tx, im Import) (Import, error) {
	now, err := tx.LockImport(im.Workspace, im.ID)
	if errors.Is(err, fault.ErrNotFound) || err == nil && now.State != Importing {
		err = anImportRuns()
	}
	return now, err
}

// cameTo notes how far an import has come.
func (s *Service) cameTo(tx Tx, im Import, res *Imported, lines, come int) error {
	im.Until, im.Created, im.Changed = when.At(s.Now()).Add(Undoable), res.Created, res.Changed
	im.Lines, im.Come, im.LeftOut = lines, come, res.LeftOut()
	return tx.SaveImport(&im)
}

// endImport notes that an import has ended, even if ctx has. One that has neither saved a line nor made a service or a person
// is forgotten, unless somebody was sent to its page. If it can't be noted, the import ends by itself when its lease does.
func (s *Service) endImport(ctx context.Context, im Import) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	shown := s.imports.kept(im.ID)
	err := s.Write(ctx, func(tx Tx) error {
		now, err := tx.LockImport(im.Workspace, im.ID)
		if errors.Is(err, fault.ErrNotFound) || err == nil && now.State != Importing {
			return nil
		}
		if err != nil {
			return err
		}
		if now.Lines == 0 && now.Did() == 0 && !shown {
			return tx.DropImport(im.Workspace, im.ID)
		}
		now.State, now.Until = ImportDone, when.At(s.Now()).Add(Undoable)
		return tx.SaveImport(&now)
	})
	if err != nil {
		s.Core.Log().Error("the end of an import can't be noted", "import", im.ID.String(), "error", err)
	}
}

// asOf returns the import as it is now: one that a killed server has left is done.
func (im Import) asOf(now when.Instant) Import {
	if im.State == Importing && im.Until.Add(importLease-Undoable) < now {
		im.State = ImportDone
	}
	return im
}

// note remembers what an import does with a contact; before is what it was, empty for one that the import makes. again
// says that the import may have met it before.
func note(tx Tx, im ImportID, before, c *booking.Contact, again bool) error {
	n := ImportedContact{Import: im, Workspace: c.WorkspaceID, Contact: c.ID, Made: before.ID == 0,
		Changes: differences(before, c)}
	if !again {
		return tx.InsertImported(&n)
	}
	first, err := tx.Imported(n.Workspace, im, n.Contact)
	if errors.Is(err, fault.ErrNotFound) {
		return tx.InsertImported(&n)
	}
	if err != nil {
		return err
	}
	if first.Made && len(first.Changes) == 0 { // somebody has merged another one into it meanwhile
		return nil
	}
	old := *before
	if first.Made {
		old = booking.Contact{}
	}
	for _, f := range first.Changes {
		f.Field.set(&old, f.Old)
	}
	first.Changes = differences(&old, c)
	return tx.SaveImported(&first)
}

// prune forgets imports that can't be undone any more, with the old values of contacts.
func (s *Service) prune(ctx context.Context) error {
	return errors.Join(s.renewTerms(ctx), s.forgetImports(ctx), s.tidyFiles(ctx), s.sweepFields(ctx, removedTime))
}

func (s *Service) forgetImports(ctx context.Context) error {
	old, err := s.Reader(ctx).OldImports(when.At(s.Now()), 100)
	if err != nil {
		return err
	}
	for i := range old {
		for dropped := pruneStep; dropped == pruneStep; {
			err := s.Quietly(ctx, func(tx Tx) (err error) {
				dropped, err = tx.DropImported(old[i].Workspace, old[i].ID, pruneStep)
				if err == nil && dropped < pruneStep {
					err = tx.DropImport(old[i].Workspace, old[i].ID)
				}
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
