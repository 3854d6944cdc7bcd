package calsync

import (
	"context"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/address"
	"daybook/app/catalog"
	"daybook/app/when"
	"daybook/app/work"
)

// Watch is what is kept of the watch of a calendar.
type CalendarWatch struct {
	Calendar    CalendarID
	WorkspaceID catalog.WorkspaceID
	Connection  ConnectionID
	Name        string // what the account calls the calendar
	Used        bool   // the calendar blocks, or bookings are written into it

	Remote   string       // what the account calls the watch; "" while there is none
	Resource string       // see calsync.Watch
	Hash     []byte       // of the token
	Ends     when.Instant // 0 while there is none
	DueAt    when.Instant // when it is made or renewed next; of a claim: when its lease ends
	Tries    int          // failures in a row
}

// Reads are the room's own reads.
type WatchReads interface {
	HasCalendarConnections() (bool, error)
	CalendarConnection(ws catalog.WorkspaceID, id ConnectionID) (Connection, error)
	// HasDueCalendarWatches reports whether any of workspaces in those buckets is due.
	HasDueCalendarWatches(of work.Buckets, now when.Instant) (bool, error)
	// CalendarWatch is the one that the accounts of that kind call so. The error is ErrNotFound.
	CalendarWatch(k Kind, remote string) (CalendarWatch, error)
	// CalendarWatches are those of a connection.
	CalendarWatches(c ConnectionID) ([]CalendarWatch, error)
}

// Writes are the room's own writes.
type WatchWrites interface {
	// PlanCalendarWatches makes rows, due now, for at most limit calendars that are used and were read, of connections of
	// those kinds; and those of calendars that aren't used any more due.
	PlanCalendarWatches(kinds []Kind, now when.Instant, limit int) error
	// ClaimCalendarWatches takes at most limit due ones for a server until lease.
	ClaimCalendarWatches(by work.Share, now, lease when.Instant, limit int) ([]CalendarWatch, error)
	// SettleCalendarWatch saves Remote, Resource, Hash, Ends, DueAt and Tries; it reports false when the lease was lost.
	SettleCalendarWatch(w *CalendarWatch, lease when.Instant) (bool, error)
	// HastenCalendarWatch makes one due that nobody has claimed; gone says that the account has ended it.
	HastenCalendarWatch(w *CalendarWatch, now when.Instant, gone bool) error
	DeleteCalendarWatch(w *CalendarWatch) error
	// HintCalendarConnection has a connection that was read well be due, at most once in a pause. It reports false while
	// somebody reads it: then nothing was changed.
	HintCalendarConnection(c ConnectionID, now when.Instant, pause time.Duration) (bool, error)
}

// Reader is what the room reads from the store.
type WatchReader interface {
	app.Reader
	WatchReads
}

// Tx is the room's view of a transaction.
type WatchTx interface {
	app.Tx
	WatchReads
	WatchWrites
}

// Service holds the room's rules.
type Watches struct {
	app.Room[WatchReader, WatchTx]
	calendars *Service
	*watchShared
}

// shared is what all Services of one server share.
type watchShared struct {
	base    string // of the addresses that are called; "" where nobody can call
	mu      sync.Mutex
	planned when.Instant                  // when it was last looked which calendars are to be watched
	waiting map[ConnectionID]when.Instant // hints that came while the connection was read
}

// New makes the room beside the one of calendars.
func NewWatches(core *app.Service, calendars *Service) *Watches {
	s := &Watches{app.Room[WatchReader, WatchTx]{Core: core}, calendars,
		&watchShared{base: public(core.BaseURL()), waiting: map[ConnectionID]when.Instant{}}}
	calendars.BeforeDisconnect(s.end)
	return s
}

// In is the room within a transaction, see app.Service.In.
func (s *Watches) In(tx app.Tx, calendars *Service) *Watches {
	return &Watches{app.Room[WatchReader, WatchTx]{Core: s.Core.In(tx)}, calendars, s.watchShared}
}

// private are the ends of names that nobody in the public internet finds.
var private = []string{".local", ".localhost", ".internal", ".lan", ".home", ".home.arpa"}

// public is base if others can call it: by https, at a name or an address of the public internet as far as its form
// tells. Else it is "".
func public(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" {
		return ""
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if a, err := netip.ParseAddr(host); err == nil {
		if new(address.Law).Check(a, true) != nil {
			return ""
		}
		return base
	}
	for _, end := range private {
		if strings.HasSuffix(host, end) {
			return ""
		}
	}
	if !strings.Contains(host, ".") {
		return ""
	}
	return base
}

// end ends what is watched of a connection that is disconnected. What can't be ended there is over within days, and is
// not listened to.
func (s *Watches) end(ctx context.Context, c *Connection, source Source) {
	watcher, ok := source.(Watcher)
	if !ok {
		return
	}
	all, err := s.Reader(ctx).CalendarWatches(c.ID)
	if err != nil {
		s.Core.Log().Error("watches of calendars could not be read", "connection", c.ID, "error", err)
		return
	}
	ctx, stop := context.WithTimeout(ctx, endTime)
	defer stop()
	for i := range all {
		if all[i].Remote != "" {
			s.unwatch(ctx, watcher, &all[i])
		}
	}
}
