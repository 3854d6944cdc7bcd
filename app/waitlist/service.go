package waitlist

import (
	"context"
	"net/netip"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/when"
	"daybook/app/work"
)

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Reads finds entries.
type Reads interface {
	// WaitEntry returns an entry of the workspace, or for 0 of any workspace. Errors: ErrNotFound.
	WaitEntry(ws catalog.WorkspaceID, id booking.WaitID) (Entry, error)
	// WaitEntries lists entries, the newest first.
	WaitEntries(ws catalog.WorkspaceID, f Filter) ([]Entry, error)
	// WaitsOf counts the entries of a person (Entry.Person) that have one of those states, and of the unconfirmed those that are still to
	// be confirmed at now.
	WaitsOf(ws catalog.WorkspaceID, person string, now when.Instant, of ...State) (int, error)
	// LiveWaits counts the live entries of the workspace, and at most to most.
	LiveWaits(ws catalog.WorkspaceID, most int) (int, error)
	// Waiters lists the entries of the workspace that count, those first that count for longest.
	Waiters(ws catalog.WorkspaceID, limit int) ([]Entry, error)
	// WaitJob returns what is to be looked at. Errors: ErrNotFound.
	WaitJob(ws catalog.WorkspaceID, id booking.WaitJobID) (app.WaitJob, error)
	// FreedTimes lists the jobs of times that came free, by start.
	FreedTimes(ws catalog.WorkspaceID, limit int) ([]app.WaitJob, error)
	// DueWaitJobs lists jobs of workspaces in these buckets that are due, the longest overdue first.
	DueWaitJobs(of work.Buckets, now when.Instant, limit int) ([]app.WaitJob, error)
	// HoursToLook lists workspaces in these buckets where somebody waits and whose hours were not looked at since their set-up
	// has changed, since somebody began to wait, or for HoursAgain, with the job of that, if there is one.
	HoursToLook(of work.Buckets, now when.Instant, limit int) ([]HoursLook, error)
	// OverWaits lists entries of any workspace that haven't ended and whose time is over.
	OverWaits(now when.Instant, limit int) ([]Entry, error)
}

// HoursLook is a workspace whose hours are to be looked at.
type HoursLook struct {
	Workspace catalog.WorkspaceID
	Revision  int64
	Job       booking.WaitJobID // 0 is none yet
}

// Filter says which entries to list. Zero fields do not filter.
type Filter struct {
	States []State // nil is all
	// Contact and Persons, if one is given, are whose: those of the contact, and those of these persons (Entry.Person).
	Contact booking.ContactID
	Persons []string
	Before  booking.WaitID
	Limit   int
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	InsertWaitEntry(e *Entry) error
	// UpdateWaitEntry saves an entry whose workspace is locked, but for its contact. Both keep catalog.Workspace.Waits.
	UpdateWaitEntry(e *Entry) error
	// SetWaitContact says whose an entry is.
	SetWaitContact(ws catalog.WorkspaceID, id booking.WaitID, c booking.ContactID) error
	UpdateWaitJob(j *app.WaitJob) error
	DeleteWaitJob(ws catalog.WorkspaceID, id booking.WaitJobID) error
	// HastenWaits makes jobs due earlier by that much, but not before now.
	HastenWaits(now when.Instant, byMS int64) error
	// DeleteWaitEntry deletes an entry that was never confirmed.
	DeleteWaitEntry(ws catalog.WorkspaceID, id booking.WaitID) error
	// PruneWaits deletes at most limit entries that have ended before that time, and returns how many.
	PruneWaits(before when.Instant, limit int) (int, error)
}

// EventData is the data of events about entries. It has ids only, since events outlive the person.
type EventData struct {
	ID         string       `json:"id"`
	Status     string       `json:"status"`
	EndedBy    string       `json:"endedBy,omitempty"`
	EventTypes []string     `json:"eventTypes"`
	BookingID  string       `json:"bookingId,omitempty"`
	VisitID    string       `json:"visitId,omitempty"`
	Start      when.Instant `json:"start,omitzero"` // of what is offered
	CreatedAt  when.Instant `json:"createdAt"`
}

// Telling is what the subject needs of those above it.
type Telling struct {
	// Ask queues the mail or text that asks whether the person waits, in the caller's transaction, until when it is of use.
	// Errors: conflict no_text (there is no address, and no text may go to the number now).
	Ask func(tx app.Tx, e *Entry, from netip.Addr, until when.Instant) error
	// Offer queues what tells of what is offered, and Over the mail that says that somebody else has it.
	Offer, Over func(tx app.Tx, e *Entry, until when.Instant) error
	// Opening queues what tells of a time that came free, which is held for nobody.
	Opening func(tx app.Tx, e *Entry, o *Offer, until when.Instant) error
	// Mails reports whether the workspace can send mails.
	Mails func(ctx context.Context, setup *catalog.Setup) (bool, error)
	// Tick notes that the person has agreed to texts with the wording Entry.Agreed.
	Tick func(tx app.Tx, e *Entry) error
	// Met tells of a contact whom an entry has made.
	Met func(tx app.Tx, c *booking.Contact) error
	// Event sends an event to the endpoints that name its kind, in the caller's transaction.
	Event func(tx app.Tx, ws catalog.WorkspaceID, kind catalog.EventKind, data *EventData) error
}

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	gate *gate.Service
	tell Telling
}

// New returns the Service over a core.
func New(core *app.Service, g *gate.Service, tell Telling) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, g, tell}
	core.AddDuties(app.Duties{
		Prune: s.prune,
		Hasten: func(tx app.Tx, now when.Instant, by time.Duration) error {
			return tx.(Tx).HastenWaits(now, by.Milliseconds())
		},
	})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.gate.In(tx), s.tell}
}

// locked runs do with an entry as it is behind the lock of its workspace, and with the time.
func (s *Service) locked(ctx context.Context, ws catalog.WorkspaceID, entry booking.WaitID,
	do func(tx Tx, e *Entry, now when.Instant) error) error {
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(ws); err != nil {
			return err
		}
		e, err := tx.WaitEntry(ws, entry)
		if err != nil {
			return err
		}
		return do(tx, &e, when.At(s.Now()))
	})
}

// event tells of an entry as it is now.
func (s *Service) event(tx Tx, kind catalog.EventKind, e *Entry) error {
	data := EventData{ID: e.ID.String(), Status: e.Status.String(), EndedBy: string(e.EndedBy), CreatedAt: e.CreatedAt, EventTypes: []string{}}
	for i := range e.Items {
		data.EventTypes = append(data.EventTypes, e.Items[i].EventType)
	}
	if e.Offer != nil {
		data.Start = e.Offer.Start
	}
	if e.BookingID != 0 {
		data.BookingID = e.BookingID.String()
	}
	if e.VisitID != 0 {
		data.VisitID = e.VisitID.String()
	}
	return s.tell.Event(tx, e.WorkspaceID, kind, &data)
}

// end ends an entry that counts, and tells of it; one that doesn't is deleted.
func (s *Service) end(tx Tx, e *Entry, by EndedBy, now when.Instant) error {
	if e.Status == Unconfirmed {
		return tx.DeleteWaitEntry(e.WorkspaceID, e.ID)
	}
	if err := s.letOffer(tx, e, now, true); err != nil {
		return err
	}
	e.Status, e.EndedBy, e.EndedAt = Ended, by, now
	if err := tx.UpdateWaitEntry(e); err != nil {
		return err
	}
	return s.event(tx, catalog.WaitlistEnded, e)
}

// prune ends entries whose time is over, and deletes those that have ended long ago.
func (s *Service) prune(ctx context.Context) error {
	const step = 100
	for n := step; n == step; {
		over, err := s.Reader(ctx).OverWaits(when.At(s.Now()), step)
		if err != nil {
			return err
		}
		n = len(over)
		for i := range over {
			if err := s.endOver(ctx, &over[i]); err != nil {
				return err
			}
		}
	}
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneWaits(when.At(s.Now()).Add(-endedKept), step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// endOver ends an entry whose time is over, unless that has changed or a workspace that is deleted had it.
func (s *Service) endOver(ctx context.Context, over *Entry) error {
	err := s.locked(ctx, over.WorkspaceID, over.ID, func(tx Tx, e *Entry, now when.Instant) error {
		if e.Status > Waiting || e.OverAt() > now {
			return nil
		}
		return s.end(tx, e, ByTime, e.EndsAt)
	})
	if isMissing(err) {
		return nil
	}
	return err
}

// OverAt returns when an entry ends by itself, or is gone because it wasn't confirmed.
func (e *Entry) OverAt() when.Instant {
	if e.Status == Unconfirmed {
		return e.confirmUntil()
	}
	return e.EndsAt
}

func newID(now time.Time) booking.WaitID { return id.New[booking.WaitIDKind](now) }
