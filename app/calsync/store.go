package calsync

import (
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/app/work"
)

// Reads are the subject's own reads.
type Reads interface {
	// HasCalendarConnections reports whether anybody in the database has one.
	HasCalendarConnections() (bool, error)
	// CalendarConnections lists a workspace's, with their calendars, by host and name; of one host unless it is 0.
	CalendarConnections(ws catalog.WorkspaceID, host catalog.HostID) ([]Connection, error)
	// CalendarConnection returns one of a workspace's, or for 0 of any. The error is ErrNotFound.
	CalendarConnection(ws catalog.WorkspaceID, id ConnectionID) (Connection, error)
	// ConnectionOfCalendar returns the one that a calendar of the workspace is of. The error is ErrNotFound.
	ConnectionOfCalendar(ws catalog.WorkspaceID, c CalendarID) (Connection, error)
	// CalendarTarget returns the calendar that gets the host's bookings; 0 is none.
	CalendarTarget(ws catalog.WorkspaceID, host catalog.HostID) (CalendarID, error)
	// HasDueCalendarConnections reports whether any of workspaces in those buckets is due.
	HasDueCalendarConnections(of work.Buckets, now when.Instant) (bool, error)
	// CalendarItems lists what is known of a calendar's events, by key.
	CalendarItems(ws catalog.WorkspaceID, c CalendarID) ([]Item, error)
	// BlockingSpans lists the busy spans of all calendars of the host that block, in no order.
	BlockingSpans(host catalog.HostID) ([]Span, error)
	// BusyTimes lists the stored busy times that meet [from, to) of a workspace's host, or for 0 of all, at most limit,
	// by host and start.
	BusyTimes(ws catalog.WorkspaceID, host catalog.HostID, from, to when.Instant, limit int) ([]Busy, error)
	// CalendarClashes lists the live bookings in [from, to) that meet a busy time, each once, of a workspace's host, or
	// for 0 of all, at most limit, by host and start.
	CalendarClashes(ws catalog.WorkspaceID, host catalog.HostID, from, to when.Instant, limit int) ([]Clash, error)
	// CalendarCopies lists the copies of a booking.
	CalendarCopies(ws catalog.WorkspaceID, b booking.BookingID) ([]Copy, error)
	// CalendarCopiesIn lists copies in a calendar, by booking, after one.
	CalendarCopiesIn(c CalendarID, after booking.BookingID, limit int) ([]Copy, error)
	// CalendarWishes lists copies with a wish in a workspace, the newest first.
	CalendarWishes(ws catalog.WorkspaceID, limit int) ([]Copy, error)
	// HasDueCalendarCopies reports whether any copy of workspaces in those buckets is due.
	HasDueCalendarCopies(of work.Buckets, now when.Instant) (bool, error)
	// CalendarClient returns the workspace's client at an OAuth provider. The error is ErrNotFound.
	CalendarClient(ws catalog.WorkspaceID, k Kind) (Client, error)
	// HasDueCalendarWatches reports whether any of workspaces in those buckets is due.
	HasDueCalendarWatches(of work.Buckets, now when.Instant) (bool, error)
	// CalendarWatch returns the one that the accounts of that kind call so. The error is ErrNotFound.
	CalendarWatch(k Kind, remote string) (CalendarWatch, error)
	// CalendarWatches returns those of a connection.
	CalendarWatches(c ConnectionID) ([]CalendarWatch, error)
}

// Writes are the subject's own writes.
type Writes interface {
	// FollowFromNow has the follower begin behind the history's newest entry.
	FollowFromNow(follower string) error
	InsertCalendarConnection(c *Connection) error
	// UpdateCalendarConnection saves all but the id, the calendars and when it was made.
	UpdateCalendarConnection(c *Connection) error
	// DeleteCalendarConnection deletes it with its calendars, items and copies.
	DeleteCalendarConnection(c *Connection) error
	// ClaimCalendarConnections takes at most limit due ones for a server until lease.
	ClaimCalendarConnections(by work.Share, now, lease when.Instant, limit int) ([]Connection, error)
	// ClaimCalendarConnection takes one, due or not, that nobody reads at the moment; it reports false when somebody
	// does.
	ClaimCalendarConnection(server int64, id ConnectionID, now, lease when.Instant) (bool, error)
	// SettleCalendarConnection saves how a claimed reading ended, and when it is due next: State, Problem, FailedAt,
	// ToldAt, ReadAt, DueAt and Tries. The credentials stay, which a writing may have renewed meanwhile. It reports
	// false when the lease was lost.
	SettleCalendarConnection(c *Connection, lease when.Instant) (bool, error)
	// SetCalendarSecret replaces the sealed credentials of a connection, if they are still those that were.
	SetCalendarSecret(id ConnectionID, was, sealed string) error
	// SetCalendarListed saves what a set-up file says of a connection.
	SetCalendarListed(id ConnectionID, l *FileChoice) error
	InsertCalendar(c *Calendar) error
	// SetCalendarProblem notes why a calendar could not be read.
	SetCalendarProblem(id CalendarID, p Problem) error
	// UpdateCalendar saves all but the id and the connection.
	UpdateCalendar(c *Calendar) error
	SaveCalendarItems(ws catalog.WorkspaceID, c CalendarID, items []Item) error
	DeleteCalendarItems(ws catalog.WorkspaceID, c CalendarID, keys []string) error
	// SetBusyTimes makes the host's busy times those: disjoint, by start. The caller has locked the host.
	SetBusyTimes(ws catalog.WorkspaceID, host catalog.HostID, all []Span) error
	SaveCalendarCopy(c *Copy) error
	DeleteCalendarCopy(ws catalog.WorkspaceID, b booking.BookingID, c CalendarID) error
	// ClaimCalendarCopies takes at most limit due copies for a server until lease.
	ClaimCalendarCopies(by work.Share, now, lease when.Instant, limit int) ([]Copy, error)
	// SettleCalendarCopy saves the outcome of a claim; it reports false when the lease was lost.
	SettleCalendarCopy(c *Copy, lease when.Instant) (bool, error)
	// PostponeCalendarCopies has the copies that are due in the calendar of p, and that nobody writes, wait as long as
	// p, and count as often tried.
	PostponeCalendarCopies(p *Copy, now when.Instant) error
	SetCalendarClient(ws catalog.WorkspaceID, c *Client) error
	DeleteCalendarClient(ws catalog.WorkspaceID, k Kind) error
	// InsertCalendarSignIn saves a sign-in instead of one that the same session has begun at the same provider, and
	// forgets those that are over.
	InsertCalendarSignIn(i *BegunSignIn, now when.Instant) error
	// TakeCalendarSignIn deletes a sign-in of the session and returns it. The error is ErrNotFound.
	TakeCalendarSignIn(ws catalog.WorkspaceID, hash, session []byte) (BegunSignIn, error)
	// PlanCalendarWatches makes rows, due now, for at most limit calendars that are used and were read, of connections
	// of those kinds; and those of calendars that aren't used any more due.
	PlanCalendarWatches(kinds []Kind, now when.Instant, limit int) error
	// ClaimCalendarWatches takes at most limit due ones for a server until lease.
	ClaimCalendarWatches(by work.Share, now, lease when.Instant, limit int) ([]CalendarWatch, error)
	// SettleCalendarWatch saves Remote, Resource, Hash, Ends, DueAt and Tries; it reports false when the lease was
	// lost.
	SettleCalendarWatch(w *CalendarWatch, lease when.Instant) (bool, error)
	// HastenCalendarWatch makes one due that nobody has claimed; gone says that the account has ended it.
	HastenCalendarWatch(w *CalendarWatch, now when.Instant, gone bool) error
	DeleteCalendarWatch(w *CalendarWatch) error
	// HintCalendarConnection has a connection that was read well be due, at most once in a pause. It reports false
	// while somebody reads it: then nothing was changed.
	HintCalendarConnection(c ConnectionID, now when.Instant, pause time.Duration) (bool, error)
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
