package app

import (
	"context"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/app/work"
)

// Store keeps everything. An implementation returns ErrNotFound for a row that does not exist, ErrTaken for a unique
// name in use, and any other error only if it could not do its work.
type Store interface {
	// Reader reads what was last committed. Once ctx has ended, its methods fail with the error of ctx: those waiting
	// for a connection at once, those reading many rows before the next row, all others before they begin.
	Reader(ctx context.Context) Reader
	// Write runs change in a transaction and returns when that is durable. An error of change undoes all it did and
	// is returned as it is. Writes may share one commit. change must do nothing but SQL, and must not keep tx.
	//
	// change may run more than once, from its start, when it conflicts with other changes: only what the last run did
	// is kept. So each run must set anew whatever it hands out, and must not append to anything made outside.
	//
	// Other changes may run at the same time. What change has read may be out of date by the time it writes, except for
	// what it locked before: a host or a resource by LockTaken, what a workspace has set up by LockWorkspace, a contact by
	// LockContact, a row that it has updated, a key of an idempotent call.
	Write(ctx context.Context, change func(tx Tx) error) error
	// WriteAlong is Write for what nobody waits for: where commits are shared, those of Write go first.
	WriteAlong(ctx context.Context, change func(tx Tx) error) error
	// DataVersion changes whenever this or another process commits something.
	DataVersion() (int64, error)
	// SetupVersion changes when the set-up, the keys or the members of any workspace may have changed.
	SetupVersion() (int64, error)
	// Share returns this server's share of the work that the servers of the database divide among them. When it
	// changes, DataVersion changes, too.
	Share() work.Share
	// Ping returns an error unless the database can be read and written.
	Ping(ctx context.Context) error
}

// Reader is what the core reads, inside a transaction or outside. Each subject adds its own reads.
type Reader interface {
	WorkspaceReader
	BookingReader
	HoldReader
	booking.ContactReader
	booking.FieldReader
	booking.ConsentReader
	UserReader
	ServerReader
	FollowReader
	// LapsedHolds lists holds that have ended by themselves in workspaces where somebody waits.
	LapsedHolds(now when.Instant, limit int) ([]Hold, error)
	// HasGone reports whether SweepErasure or SweepWorkspace has anything to do.
	HasGone() (bool, error)
}

// Tx is a transaction: it reads its own writes.
type Tx interface {
	Reader
	WorkspaceWriter
	BookingWriter
	HoldWriter
	ResponseKeeper
	booking.ContactWriter
	booking.FieldWriter
	ServerWriter
	FollowWriter
	WorkKeeper
	WaitKeeper
	booking.DeletionWriter
	// Try runs part and returns its error, which undoes what part did and nothing else.
	Try(part func() error) error
	// Watch returns a list to which the rows that subjects write from then on are appended, such as mails and events.
	// The rows of a part that Try undoes are removed.
	Watch() *[]any
	// Ahead makes the reads in do cheaper when they are repeated, with the same values, after the next lock: they are
	// sent along with it. Inside do they find nothing. do must do nothing else, and need not be called at all.
	Ahead(do func())
}

// WorkspaceReader finds workspaces and their set-up.
type WorkspaceReader interface {
	Workspaces(limit int) ([]catalog.Workspace, error) // by slug
	Workspace(id catalog.WorkspaceID) (catalog.Workspace, error)
	WorkspaceBySlug(slug string) (catalog.Workspace, error)
	SetupRevision(id catalog.WorkspaceID) (int64, error)
	Setup(id catalog.WorkspaceID) (*catalog.Setup, error)
	Picture(ws catalog.WorkspaceID, id catalog.PictureID) (catalog.Picture, error)
}

// WorkspaceWriter changes the set-up. Every method but the locks and the inserts of a workspace bumps its revision.
type WorkspaceWriter interface {
	InsertWorkspace(w *catalog.Workspace) error // ErrTaken: slug
	UpdateWorkspace(w *catalog.Workspace) error // ErrTaken: slug
	InsertHost(h *catalog.Host) error           // ErrTaken: e-mail
	UpdateHost(h *catalog.Host) error           // ErrTaken: e-mail
	// SetSuspended saves Workspace.SuspendedAt. Mails that waited while it was set have as long to be sent as they had.
	SetSuspended(id catalog.WorkspaceID, since, now when.Instant) error
	// SetLongestBooking saves Workspace.LongestBooking, unless it is longer already.
	SetLongestBooking(id catalog.WorkspaceID, d time.Duration) error
	InsertEventType(e *catalog.EventType) error // ErrTaken: slug
	UpdateEventType(e *catalog.EventType) error // ErrTaken: slug
	InsertResource(r *catalog.Resource) error   // ErrTaken: name
	UpdateResource(r *catalog.Resource) error   // ErrTaken: name
	// LockWorkspace makes every other transaction that locks the workspace wait for the end of this one. A change of
	// the set-up, of members, of anything that has a limit, or of contacts' own fields begins with it, and reads after it.
	// Errors: ErrNotFound, if the workspace was deleted.
	LockWorkspace(id catalog.WorkspaceID) error
	// LockHosts makes every other transaction that locks one of the hosts wait for the end of this one. It must be the
	// first statement of a transaction that books, so that no booking comes between check and write. It returns what
	// every such transaction needs to read behind the lock.
	LockHosts(ws catalog.WorkspaceID, ids ...catalog.HostID) (Locked, error)
	// LockTaken is LockHosts for all kinds of subjects, in one order, as in every transaction.
	LockTaken(ws catalog.WorkspaceID, l catalog.Locks) (Locked, error)
}

// Locked is what was read behind the lock of LockTaken.
type Locked struct {
	SetupRevision int64
	LastEvent     booking.EventID // no event of the workspace has a greater id; zero for none
}

// BookingReader finds bookings.
type BookingReader interface {
	availability.Reader
	// BookingByID returns a booking of any workspace, for links and timers. Errors: ErrNotFound.
	BookingByID(id booking.BookingID) (booking.Booking, error)
	Bookings(ws catalog.WorkspaceID, f booking.BookingFilter) ([]booking.Booking, error)
	// LiveDuplicate returns the contact that has that identity now, see ContactOf, and the live booking of that event
	// type and start that belongs to the contact or was made with that e-mail address; or, without an address, one that
	// was made with that phone number, where neither the booking nor its contact has an address. Zero means none.
	LiveDuplicate(ws catalog.WorkspaceID, r booking.Identity, e catalog.EventTypeID, start when.Instant) (booking.ContactID,
		booking.BookingID, error)
	History(ws catalog.WorkspaceID, id booking.BookingID) ([]booking.HistoryEntry, error)
	// Series returns a series without its bookings.
	Series(ws catalog.WorkspaceID, id booking.SeriesID) (booking.Series, error)
	// Lapsing lists pending bookings of workspaces in those buckets that expire at or before now, the longest overdue
	// first.
	Lapsing(of work.Buckets, now when.Instant, limit int) ([]booking.Booking, error)
}

// BookingWriter saves bookings.
type BookingWriter interface {
	// SaveSeries inserts a series, and which bookings are of it.
	SaveSeries(ws catalog.WorkspaceID, s *booking.Series) error
	// SaveBooking inserts or updates the booking together with its history, its events and their deliveries.
	SaveBooking(b *booking.Booking, insert bool, steps []booking.Step) error
	// GiveContact saves the ContactID of a booking that had none.
	GiveContact(b *booking.Booking) error
	InsertEvent(e *booking.Event) error
	// ToldOf returns which of the endpoints got an event of the booking, or will.
	ToldOf(ws catalog.WorkspaceID, id booking.BookingID, of []catalog.EndpointID) ([]catalog.EndpointID, error)
	// RemoveBooking deletes a booking with its history, and the mails of it that wait. Its events stay, without the person;
	// its copies in calendars are removed there. It must not be one that HangsOn finds something on.
	RemoveBooking(ws catalog.WorkspaceID, id booking.BookingID, now when.Instant) error
}

// UserReader finds the members of workspaces.
type UserReader interface {
	UserByEmail(email string) (User, error)
	Users(ws catalog.WorkspaceID, limit int) ([]User, error)
	// LocaleOf returns the language that the member of that address has chosen; "" if none was chosen or there is no
	// such member.
	LocaleOf(ws catalog.WorkspaceID, email string) (string, error)
	HasUsers() (bool, error)
}

// ServerReader finds what the servers of a database share.
type ServerReader interface {
	// Certificate returns the sealed data kept under a name.
	Certificate(name string) (string, error)
	CertificateNames() ([]string, error)
	// ServerValue returns the value that the servers of the database share under that name, or ErrNotFound.
	ServerValue(name string) (string, error)
}

// ServerWriter saves what the servers of a database share.
type ServerWriter interface {
	SaveCertificate(name, sealed string, at when.Instant) error
	DeleteCertificate(name string) error
	// TakeCertificateOrder makes the server the one that orders the certificate until then, unless another server is,
	// and reports whether it is the server's turn. A turn that would last twice as long was taken before the clock was
	// set back, and is ignored.
	TakeCertificateOrder(name string, server int64, now, until when.Instant) (bool, error)
	// EndCertificateOrder ends anybody's turn.
	EndCertificateOrder(name string) error
	SetServerValue(name, value string) error
	// AddServerValue saves the value under the name unless that has a value already.
	AddServerValue(name, value string) error
	// AddFirstUIDDomain adds the domain of the calendar UIDs of older bookings, unless it is known.
	AddFirstUIDDomain(domain string) error
}

// WorkKeeper keeps the leases of what waits in all queues: mails, notifications, deliveries, payment jobs, calendars.
type WorkKeeper interface {
	// ReleaseWork ends the leases of a server, or with 0 every lease, and returns how many.
	ReleaseWork(server int64, now when.Instant) (int, error)
	// ReleaseLostWork ends every lease that would last beyond that time, because it was made before the clock was set
	// back.
	ReleaseLostWork(now, beyond when.Instant) error
	// HastenWork makes what waits due earlier by that duration, but not before now. A reminder keeps its time, unless
	// it was tried.
	HastenWork(now when.Instant, by time.Duration) error
}

// Response is an HTTP response, as it is stored for a request with an idempotency key.
type Response struct {
	Fingerprint []byte // hash of method, path and body
	Status      int
	Location    string
	ETag        string // not stored: a later answer is not of that version
	Media, Name string // of a body that is a file, not JSON; not stored
	Body        []byte
	CreatedAt   when.Instant
}
