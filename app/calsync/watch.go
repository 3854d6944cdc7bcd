package calsync

import (
	"context"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"daybook/app/address"
	"daybook/app/catalog"
	"daybook/app/when"
)

// CalendarWatch is the watch of a calendar, as it is stored.
type CalendarWatch struct {
	Calendar    CalendarID
	WorkspaceID catalog.WorkspaceID
	Connection  ConnectionID
	Name        string // what the account calls the calendar
	Used        bool   // the calendar blocks, or bookings are written into it

	Remote   string       // what the account calls the watch; "" while there is none
	Resource string       // see Watch
	Hash     []byte       // of the token
	Ends     when.Instant // 0 while there is none
	DueAt    when.Instant // when it is made or renewed next; of a claim: when its lease ends
	Tries    int          // failures in a row
}

// watches is what all Services of one server share of them.
type watches struct {
	base    string // of the addresses that are called; "" where nobody can call
	mu      sync.Mutex
	planned when.Instant                  // when it was last looked which calendars are to be watched
	waiting map[ConnectionID]when.Instant // hints that came while the connection was read
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

// endWatches ends what is watched of a connection that is disconnected. What can't be ended there is over within days,
// and is not listened to.
func (s *Service) endWatches(ctx context.Context, c *Connection, source Source) {
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
