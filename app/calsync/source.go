package calsync

import (
	"daybook/app/slot"

	"context"
	"errors"
	"fmt"
	"time"
)

// Source reads one account. It keeps nothing but what it was made with.
type Source interface {
	// Calendars lists the account's calendars, at most MaxCalendars.
	Calendars(ctx context.Context) ([]Remote, error)
	// Changes reads what has changed in a calendar. The errors are those below.
	Changes(ctx context.Context, of Asked) (Changes, error)
}

// Writer is a Source whose calendars can be written.
type Writer interface {
	Source
	// Put makes the entry in the calendar, or changes the one of that key and ETag. ErrConflict says that it has been
	// changed there, or with key "" that there is one of that UID already; ErrGone that it was deleted.
	Put(ctx context.Context, calendar, key, etag string, e Entry) (newKey, newETag string, err error)
	// Find looks for the entry that a Put with that UID made; key is "" if there is none.
	Find(ctx context.Context, calendar, uid string) (key, etag string, err error)
	// Remove removes the entry of that key and ETag. ErrConflict says that it has been changed. One that is gone is
	// removed.
	Remove(ctx context.Context, calendar, key, etag string) error
}

// Revoker is a Source whose sign-in can be revoked.
type Revoker interface {
	Revoke(ctx context.Context) error
}

// Watcher is a Source whose server calls an address when a calendar changes.
type Watcher interface {
	Source
	// Watch has the server call. It may do so for a shorter time than was asked for.
	Watch(ctx context.Context, of Watching) (Watch, error)
	// Renew prolongs a watch, which keeps its token. ErrGone says that there is none any more, or that it can't be
	// prolonged: another one must take its place.
	Renew(ctx context.Context, w Watch, now time.Time, life time.Duration) (Watch, error)
	// Unwatch ends a watch. One that is over is ended.
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

// Watch is what an account calls a watch.
type Watch struct {
	ID       string
	Resource string // what it is of, where that must be said to end it
	Until    time.Time
}

// Bounds of what is read.
const (
	MaxCalendars = 100
	MaxItems     = 20_000   // of a calendar
	MaxResponse  = 16 << 20 // bytes
)

// Remote is a calendar as its account tells of it.
type Remote struct {
	ID       string // a path or an id
	Name     string
	ReadOnly bool
	Primary  bool
	Owner    string // the account's e-mail address, where its primary calendar tells it; else ""
}

// Asked says of which calendar the changes are read.
type Asked struct {
	Calendar string         // Remote.ID; "" for a file
	Cursor   string         // of the last reading; "" reads everything
	From, To int64          // the window, ms since 1970: busy spans outside of it may be left out
	Zone     *time.Location // of floating times and all-day events
}

// Changes are what has changed in a calendar.
type Changes struct {
	All    bool   // Items are everything: what isn't among them is gone
	Items  []Item // new, or changed
	Gone   []string
	Cursor string // for the next reading
}

// Item is an event as it is kept: when it is busy, and nothing of what it says.
type Item struct {
	Key   string // within the calendar: a path or an id
	ETag  string
	UID   string
	Spans []Span // busy ones, in the window, by start
	// Start and End are the event's own, for events of ours that somebody has moved; 0 of others.
	Start, End int64
}

// Span is [Start, End) in ms since 1970.
type Span = slot.Span

// Entry is a booking as it is written into a calendar. It has no attendee and no organizer, so that no server mails
// anybody about it.
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

// What a Source fails with, wrapped; anything else is Unreachable or ServerFailed.
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

// Later is the error of a server that wants to be asked later.
type Later struct{ After time.Duration }

func (l *Later) Error() string { return fmt.Sprintf("the server wants to be asked in %s", l.After) }

// Status is the error of an HTTP answer that is none of the above.
type Status struct{ Code int }

func (s *Status) Error() string { return fmt.Sprintf("the server answered %d", s.Code) }

// ProblemOf returns the error as it is kept and shown.
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
