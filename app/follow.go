package app

import (
	"context"
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Followed is an entry in the history of a booking, with the state before it.
type Followed struct {
	booking.HistoryEntry
	Number        int64 // grows in the order of commits, over all workspaces
	Booking       booking.BookingID
	Workspace     catalog.WorkspaceID
	Gone          bool         // the workspace is deleted
	Seq           int          // of the booking's entries, from 1
	PreviousStart when.Instant // of the booking before this entry; zero for the first one
	PreviousHost  catalog.HostID
	// PreviousOthers are those who did the booking beside PreviousHost.
	PreviousOthers []catalog.HostID
}

// Follower reads the history of all bookings behind a cursor, each entry once and in the order of commits, to fill a
// queue of its own, such as that of the mails. A migration adds its name and where in the history it begins. Several
// servers may run the same Follower; each entry is then handled by one of them.
type Follower struct {
	Name  string
	Batch int // entries that are handled in one transaction
	// Plan reads what it needs to know of the entries, outside any transaction, and returns what fills the queue. That
	// runs later in the transaction that keeps how far the Follower has read; what Plan has read may have changed by
	// then. Entries of workspaces that are deleted are left out.
	Plan func(ctx context.Context, entries []Followed) (fill func(Tx) error, err error)
}

// Step handles the next entries and says how many it looked at: fewer than f.Batch when there are no more. After an
// error the same entries come again.
func (f *Follower) Step(ctx context.Context, core *Service) (int, error) {
	r := core.Reader(ctx)
	last, err := r.LastFollowed(f.Name)
	if err != nil {
		return 0, err
	}
	entries, err := r.HistoryAfter(last, f.Batch)
	if err != nil || len(entries) == 0 {
		return 0, err
	}
	n, next := len(entries), entries[len(entries)-1].Number
	fill, err := f.Plan(ctx, slices.DeleteFunc(entries, func(e Followed) bool { return e.Gone }))
	if err != nil {
		return 0, err
	}
	return n, core.Quietly(ctx, func(tx Tx) error {
		moved, err := tx.MoveFollower(f.Name, last, next)
		if err != nil || !moved { // another server was faster
			return err
		}
		return fill(tx)
	})
}

// FollowReader finds entries of the history for followers.
type FollowReader interface {
	// HistoryAfter lists the entries behind a number, of all workspaces, in the order of their numbers. An entry that
	// is committed later has a greater number than all that were listed before, and none is used twice, not even after
	// entries are deleted. A store whose transactions commit in another order than they write must give the numbers
	// after the commit, and list no entry without one.
	HistoryAfter(number int64, limit int) ([]Followed, error)
	// LastFollowed returns the number of the last entry that the follower has handled.
	LastFollowed(follower string) (int64, error)
}

// FollowWriter keeps how far followers have read.
type FollowWriter interface {
	// MoveFollower says that the follower has handled the entries up to number. It reports false, and changes
	// nothing, if it had not read just as far as from.
	MoveFollower(follower string, from, number int64) (bool, error)
}

// Memo caches what a Plan has looked up, so that it looks once for all of its entries. It is for one goroutine and one
// Plan, and is never refreshed. The type of a key tells what it is the key of.
type Memo map[any]any

// AskOnce returns the value in m, or else finds it and stores it there. After an error nothing is stored.
func AskOnce[V any](m Memo, key any, find func() (V, error)) (V, error) {
	if v, known := m[key]; known {
		return v.(V), nil
	}
	v, err := find()
	if err == nil {
		m[key] = v
	}
	return v, err
}
