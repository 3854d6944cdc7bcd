package calsync

import (
	"daybook/app/slot"

	"context"
	"errors"
	"fmt"
	"time"
)

// Source reads one account. It has no state but what it was made with.
type Source interface {
	// Calendars lists the account's calendars, at most MaxCalendars.
	Calendars(ctx context.Context) ([]Remote, error)
	// Changes returns what has changed in a calendar. Errors: those below.
	Changes(ctx context.Context, of Asked) (Changes, error)
}

// Writer is a Source whose calendars can be written.
type Writer interface {
	Source
	// Put makes the entry in the calendar, or, if key is not "", changes the one with that key and ETag. Errors:
	// ErrConflict, if it has been changed there, or for key "" if there is one with that UID already; ErrGone, if it
	// was deleted.
	Put(ctx context.Context, calendar, key, etag string, e Entry) (newKey, newETag string, err error)
	// Find returns the entry that a Put with that UID made; key is "" if there is none.
	Find(ctx context.Context, calendar, uid string) (key, etag string, err error)
	// Remove removes the entry with that key and ETag. It is no error if there is none. Errors: ErrConflict, if it has
	// been changed.
	Remove(ctx context.Context, calendar, key, etag string) error
}

// Revoker is a Source whose sign-in can be revoked.
type Revoker interface {
	Revoke(ctx context.Context) error
}

// Watcher is a Source whose server calls an address when a calendar changes.
type Watcher interface {
	Source
	// Watch asks the server to call. The server may do so for a shorter time than was asked for.
	Watch(ctx context.Context, of Watching) (Watch, error)
	// Renew prolongs a watch, which keeps its token. Errors: ErrGone, if the watch no longer exists or can't be
	// prolonged, so that a new one must replace it.
	Renew(ctx context.Context, w Watch, now time.Time, life time.Duration) (Watch, error)
	// Unwatch ends a watch. It is no error if it has ended already.
	Unwatch(ctx context.Context, w Watch) error
}

// Watching says what is to be watched.
type Watching struct {
	Calendar string // Remote.ID
	ID       string // what the watch may be called there
	Address  string // that is called
	Token    string // that each call carries
	Now      time.Time
	Life     time.Duration // that it is wanted for
}

// Watch identifies a watch at its account.
type Watch struct {
	ID       string
	Resource string // what it is of, where that must be said to end it
	Until    time.Time
}

// Limits of what is read.
const (
	MaxCalendars = 100
	MaxItems     = 20_000   // of a calendar
	MaxResponse  = 16 << 20 // bytes
)

// Remote is a calendar as its account describes it.
type Remote struct {
	ID       string // a path or an id
	Name     string
	ReadOnly bool
	Primary  bool
	Owner    string // the account's e-mail address, where its primary calendar tells it; else ""
}

// Asked says which changes are read, of which calendar.
type Asked struct {
	Calendar string         // Remote.ID; "" for a file
	Cursor   string         // of the last reading; "" reads everything
	From, To int64          // the window, ms since 1970: busy spans outside of it may be left out
	Zone     *time.Location // of floating times and all-day events
}

// Changes is what has changed in a calendar.
type Changes struct {
	All    bool   // Items are everything: what isn't among them is gone
	Items  []Item // new, or changed
	Gone   []string
	Cursor string // for the next reading
}

// Item is an event as it is stored: the times at which it is busy, and nothing of its text.
type Item struct {
	Key   string // within the calendar: a path or an id
	ETag  string
	UID   string
	Spans []Span // busy ones, in the window, by start
	// Start and End are the times of the event itself, for copies of bookings that somebody has moved; 0 for other
	// events.
	Start, End int64
}

// Span is [Start, End) in ms since 1970.
type Span = slot.Span

// Entry is a booking as it is written into a calendar. It has no attendee and no organizer, so that no server sends
// mails about it.
type Entry struct {
	UID         string
	Title       string
	Description string
	Location    string
	URL         string
	Start, End  time.Time // in the host's zone
	Sequence    int
	Stamp       time.Time
}

// The errors of a Source, wrapped; any other error means Unreachable or ServerFailed.
var (
	ErrSignIn    = errors.New("the sign-in is refused")
	ErrCursor    = errors.New("the server doesn't know the cursor any more: read everything")
	ErrUnclear   = errors.New("an event can't be understood")
	ErrTooMuch   = errors.New("more events than are read")
	ErrBusy      = errors.New("too many calendars are being read")
	ErrNotFound  = errors.New("there is no such calendar")
	ErrNotOne    = errors.New("the answer is no calendar")
	ErrConflict  = errors.New("the entry has been changed in the calendar")
	ErrGone      = errors.New("the entry was deleted in the calendar")
	ErrForbidden = errors.New("the address may not be called")
	ErrReadOnly  = errors.New("the calendar can't be written")
	ErrDigest    = errors.New("the server takes sign-ins by HTTP Digest, and not by Basic")
	ErrMisnamed  = errors.New("a calendar that the set-up file names isn't there, or can't be written")
)

// Later is the error of a server that asks to be called later.
type Later struct{ After time.Duration }

func (l *Later) Error() string { return fmt.Sprintf("the server wants to be asked in %s", l.After) }

// Status is the error of an HTTP response that is none of the above.
type Status struct{ Code int }

func (s *Status) Error() string { return fmt.Sprintf("the server answered %d", s.Code) }

// ProblemOf returns the Problem for an error, as it is stored and shown.
func ProblemOf(err error) Problem {
	var later *Later
	var status *Status
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrSignIn):
		return SignIn
	case errors.Is(err, ErrUnclear):
		return Unclear
	case errors.Is(err, ErrTooMuch):
		return TooMuch
	case errors.Is(err, ErrBusy):
		return Crowded
	case errors.Is(err, ErrNotFound):
		return NotFound
	case errors.Is(err, ErrNotOne):
		return NotCalendar
	case errors.Is(err, ErrForbidden):
		return Forbidden
	case errors.Is(err, ErrDigest):
		return Digest
	case errors.Is(err, ErrMisnamed):
		return Misnamed
	case errors.As(err, &later):
		return SlowDown
	case errors.As(err, &status):
		return ServerFailed
	}
	return Unreachable
}
