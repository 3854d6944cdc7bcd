package audit

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// Reads are the reads of the log.
type Reads interface {
	// AuditEntries returns the workspace's entries, the newest first.
	AuditEntries(ws catalog.WorkspaceID, f Filter) ([]Entry, error)
	// AuditedSince reports whether the log has an entry of that action and subject since then.
	AuditedSince(ws catalog.WorkspaceID, subject string, what Action, since time.Time) (bool, error)
}

// Filter says which entries are listed. A field that is zero filters nothing.
type Filter struct {
	Topic  Topic
	Member string  // the id of a member: what they did, and what was done to their membership
	Before EntryID // older ones than this
	Limit  int
}

// Reader is what the log reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is its view of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}

// Service lists, exports and prunes the log.
type Service struct{ app.Subject[Reader, Tx] }

// New returns the Service over a core.
func New(core *app.Service) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}}
	core.AddDuties(app.Duties{Prune: s.prune})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}}
}

// ListInput says which entries to list.
type ListInput struct {
	Topic  Topic  // "" is all
	Member string // "" is everybody
	Limit  *int   // of entries; nil is 50
	Cursor string
}

// AuditLog lists the entries of the actor's workspace, the newest first. Errors: forbidden, bad_request.
func (s *Service) AuditLog(ctx context.Context, a app.Actor, in ListInput) (page fault.Page[Entry], err error) {
	page.Data = []Entry{}
	if err := a.May(app.MaySeeAuditLog); err != nil {
		return page, err
	}
	n, err := fault.PageLimit(in.Limit, 50)
	if err != nil {
		return page, err
	}
	f := Filter{Limit: n + 1}
	if err := in.into(&f); err != nil {
		return page, err
	}
	rows, err := s.Reader(ctx).AuditEntries(a.Workspace, f)
	if err != nil {
		return page, err
	}
	return fault.PageOf(rows, n, func(e *Entry) string { return in.list().Cursor(int64(e.ID)) }), nil
}

func (in *ListInput) list() fault.List { return fault.List{"audit", string(in.Topic), in.Member} }

// into checks what is asked for and adds it to f.
func (in *ListInput) into(f *Filter) error {
	if in.Topic != "" && !known(in.Topic) {
		return fault.Invalid("topic", "must be one of those that the contract lists")
	}
	if in.Member != "" {
		if _, err := id.Parse[app.UserIDKind](in.Member); err != nil {
			return fault.Invalid("member", "must be the id of a member, such as us_…")
		}
	}
	f.Topic, f.Member = in.Topic, in.Member
	if in.Cursor == "" {
		return nil
	}
	return in.list().Read(in.Cursor, (*int64)(&f.Before))
}

// pruneStep is how many entries one transaction deletes, and pruneSteps how many of these run in a minute.
const (
	pruneStep  = 200
	pruneSteps = 50
)

// prune deletes the entries that are a year old.
func (s *Service) prune(ctx context.Context) error {
	for n, steps := pruneStep, pruneSteps; n == pruneStep && steps > 0; steps-- {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneAudit(when.At(s.Core.Now().Add(-Kept)), pruneStep)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
