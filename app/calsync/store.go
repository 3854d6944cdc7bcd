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
	// HasCalendarConnections reports whether there is any connection in the database.
	HasCalendarConnections() (bool, error)
	// CalendarConnections lists the connections of a workspace, with their calendars, by owner and name; those of one
	// owner unless of is zero.
	CalendarConnections(ws catalog.WorkspaceID, of catalog.CalendarOwner) ([]Connection, error)
	// CalendarConnection returns a connection of the workspace, or for 0 of any workspace. Errors: ErrNotFound.
	CalendarConnection(ws catalog.WorkspaceID, id ConnectionID) (Connection, error)
	// ConnectionOfCalendar returns the connection of a calendar of the workspace. Errors: ErrNotFound.
	ConnectionOfCalendar(ws catalog.WorkspaceID, c CalendarID) (Connection, error)
	// CalendarTarget returns the calendar that gets the host's bookings; 0 if there is none.
	CalendarTarget(ws catalog.WorkspaceID, host catalog.HostID) (CalendarID, error)
	// HasDueCalendarConnections reports whether any connection of workspaces in those buckets is due.
	HasDueCalendarConnections(of work.Buckets, now when.Instant) (bool, error)
	// CalendarItems lists the stored events of a calendar, by key.
	CalendarItems(ws catalog.WorkspaceID, c CalendarID) ([]Item, error)
	// BlockingSpans lists the busy spans of all calendars of the owner that block, in no order.
	BlockingSpans(of catalog.CalendarOwner) ([]Span, error)
	// BusyTimes lists the stored busy times that overlap [from, to), of a host of the workspace or for 0 of all hosts,
	// at most limit, by host and start.
	BusyTimes(ws catalog.WorkspaceID, host catalog.HostID, from, to when.Instant, limit int) ([]Busy, error)
	// ResourceBusyTimes lists the stored busy times of the workspace's resources that overlap [from, to), at most limit, by
	// resource and start.
	ResourceBusyTimes(ws catalog.WorkspaceID, from, to when.Instant, limit int) ([]ResourceBusy, error)
	// CalendarClashes lists the live bookings in [from, to) that overlap a busy time of a host or of a resource that they
	// take, of a host of the workspace or for 0 of all hosts, at most limit, by host and start; for each of these hosts
	// once.
	CalendarClashes(ws catalog.WorkspaceID, host catalog.HostID, from, to when.Instant, limit int) ([]Clash, error)
	// CalendarCopies lists the copies of a booking.
	CalendarCopies(ws catalog.WorkspaceID, b booking.BookingID) ([]Copy, error)
	// CalendarCopiesIn lists copies in a calendar, by booking, beginning after that booking.
	CalendarCopiesIn(c CalendarID, after booking.BookingID, limit int) ([]Copy, error)
	// CalendarWishes lists copies with a wish in a workspace, the newest first.
	CalendarWishes(ws catalog.WorkspaceID, limit int) ([]Copy, error)
	// HasDueCalendarCopies reports whether any copy of workspaces in those buckets is due.
	HasDueCalendarCopies(of work.Buckets, now when.Instant) (bool, error)
	// CalendarClient returns the workspace's client at an OAuth provider. The error is ErrNotFound.
	CalendarClient(ws catalog.WorkspaceID, k Kind) (Client, error)
	// HasDueCalendarWatches reports whether any watch of workspaces in those buckets is due.
	HasDueCalendarWatches(of work.Buckets, now when.Instant) (bool, error)
	// CalendarWatch returns the watch that accounts of that kind identify so. Errors: ErrNotFound.
	CalendarWatch(k Kind, remote string) (CalendarWatch, error)
	// CalendarWatches returns the watches of a connection's calendars.
	CalendarWatches(c ConnectionID) ([]CalendarWatch, error)
}

// Writes are the subject's own writes.
type Writes interface {
	// FollowFromNow makes the follower begin after the newest entry of the history.
	FollowFromNow(follower string) error
	InsertCalendarConnection(c *Connection) error
	// UpdateCalendarConnection saves all but the id, the calendars and the time of creation.
	UpdateCalendarConnection(c *Connection) error
	// DeleteCalendarConnection deletes it with its calendars, items and copies.
	DeleteCalendarConnection(c *Connection) error
	// ClaimCalendarConnections claims at most limit due connections for a server until lease.
	ClaimCalendarConnections(by work.Share, now, lease when.Instant, limit int) ([]Connection, error)
	// ClaimCalendarConnection claims a connection, due or not; it reports false if another server is reading it.
	ClaimCalendarConnection(server int64, id ConnectionID, now, lease when.Instant) (bool, error)
	// SettleCalendarConnection saves how a claimed reading ended, and when it is due next: State, Problem, FailedAt,
	// ToldAt, ReadAt, DueAt and Tries. It leaves the credentials, which a write may have renewed meanwhile. It reports
	// false if the lease was lost.
	SettleCalendarConnection(c *Connection, lease when.Instant) (bool, error)
	// SetCalendarSecret replaces the sealed credentials of a connection, if they are still the old ones.
	SetCalendarSecret(id ConnectionID, was, sealed string) error
	// SetCalendarListed saves what a set-up file says about a connection.
	SetCalendarListed(id ConnectionID, l *FileChoice) error
	InsertCalendar(c *Calendar) error
	// SetCalendarProblem notes why a calendar could not be read.
	SetCalendarProblem(id CalendarID, p Problem) error
	// UpdateCalendar saves all but the id and the connection.
	UpdateCalendar(c *Calendar) error
	SaveCalendarItems(ws catalog.WorkspaceID, c CalendarID, items []Item) error
	DeleteCalendarItems(ws catalog.WorkspaceID, c CalendarID, keys []string) error
	// SetBusyTimes replaces the owner's busy times by these, which must be disjoint and sorted by start. The caller must
	// have locked the owner.
	SetBusyTimes(ws catalog.WorkspaceID, of catalog.CalendarOwner, all []Span) error
	SaveCalendarCopy(c *Copy) error
	DeleteCalendarCopy(ws catalog.WorkspaceID, b booking.BookingID, c CalendarID) error
	// ClaimCalendarCopies claims at most limit due copies for a server until lease.
	ClaimCalendarCopies(by work.Share, now, lease when.Instant, limit int) ([]Copy, error)
	// SettleCalendarCopy saves the outcome of a claim; it reports false when the lease was lost.
	SettleCalendarCopy(c *Copy, lease when.Instant) (bool, error)
	// PostponeCalendarCopies makes the due copies in the calendar of p that no server is writing wait as long as p,
	// with the same number of tries.
	PostponeCalendarCopies(p *Copy, now when.Instant) error
	SetCalendarClient(ws catalog.WorkspaceID, c *Client) error
	DeleteCalendarClient(ws catalog.WorkspaceID, k Kind) error
	// InsertCalendarSignIn saves a sign-in in place of any that the same session has begun at the same provider, and
	// deletes those that have expired.
	InsertCalendarSignIn(i *BegunSignIn, now when.Instant) error
	// TakeCalendarSignIn deletes a sign-in of the session and returns it. Errors: ErrNotFound.
	TakeCalendarSignIn(ws catalog.WorkspaceID, hash, session []byte) (BegunSignIn, error)
	// PlanCalendarWatches makes watches, due now, for at most limit calendars that are used and have been read, of
	// connections of those kinds. Watches of calendars that are no longer used become due, too.
	PlanCalendarWatches(kinds []Kind, now when.Instant, limit int) error
	// ClaimCalendarWatches claims at most limit due watches for a server until lease.
	ClaimCalendarWatches(by work.Share, now, lease when.Instant, limit int) ([]CalendarWatch, error)
	// SettleCalendarWatch saves Remote, Resource, Hash, Ends, DueAt and Tries; it reports false when the lease was
	// lost.
	SettleCalendarWatch(w *CalendarWatch, lease when.Instant) (bool, error)
	// HastenCalendarWatch makes a watch due unless a server has claimed it; gone says that the account has ended it.
	HastenCalendarWatch(w *CalendarWatch, now when.Instant, gone bool) error
	DeleteCalendarWatch(w *CalendarWatch) error
	// HintCalendarConnection makes a connection whose last reading succeeded due, at most once in a pause. It reports
	// false, and changes nothing, while a server reads it.
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
