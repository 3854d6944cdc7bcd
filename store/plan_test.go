package store

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/webhook"
)

var scans = regexp.MustCompile(`(?m)^SCAN (\w+)$|TEMP B-TREE`)

// A follower of the history reads on from its place: neither table is searched, however long the history is.
func TestTheHistoryIsFollowedByNumber(t *testing.T) {
	got := plan(t, open(t), historyAfter, []any{5, 10})
	if scans.MatchString(got) || !strings.HasPrefix(got, "SEARCH h USING INTEGER PRIMARY KEY (rowid>?)") {
		t.Error(got)
	}
}

// The events of a workspace are read on from a number by one index, whether the event before them is known or not.
func TestEventsAreFollowedByNumber(t *testing.T) {
	s := open(t)
	all, allArgs := listEvents(1, webhook.EventFilter{Limit: 10}, 5)
	newest, newestArgs := listEvents(1, webhook.EventFilter{Kinds: catalog.CommonKinds[:1], Descending: true, Limit: 10}, 5)
	for query, args := range map[string][]any{all: allArgs, newest: newestArgs, nextEvent: {1, 5}} {
		got := plan(t, s, query, args)
		if scans.MatchString(got) || !strings.Contains(got, "INDEX events_of (workspace_id=? AND number") {
			t.Errorf("%s\n%s", query, got)
		}
	}
	query, args := listEvents(1, webhook.EventFilter{Booking: 3, Limit: 10}, 5)
	if got := plan(t, s, query, args); strings.Contains(got, "SCAN") || !strings.Contains(got, "INDEX events_by_booking (booking_id=?)") ||
		!strings.Contains(got, "INDEX events_gone (gone_booking=?)") {
		t.Errorf("%s\n%s", query, got)
	}
}

// The bookings of visitors are counted without reading those of other workspaces, or old ones.
func TestVisitorsAreCountedByIndex(t *testing.T) {
	got := plan(t, open(t), visitorsBooked, []any{1, 2, 3, 4, "invitee"})
	if scans.MatchString(got) || !strings.Contains(got, "INDEX bookings_list (workspace_id=? AND start_ms>?)") {
		t.Error(got)
	}
}

// Every list is read by an index, in the order of the answer: no scan of a table, no sorting.
func TestListsUseTheirIndex(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		name  string
		f     booking.BookingFilter
		index string
	}{
		{"upcoming", booking.BookingFilter{EndsAfter: 1000, LongestLookup: 10}, "bookings_list"},
		{"past", booking.BookingFilter{EndsBy: 1000, Descending: true}, "bookings_list"},
		{"from to", booking.BookingFilter{From: 1, To: 2}, "bookings_list"},
		{"next page", booking.BookingFilter{From: 1, To: 9, After: 3, AfterID: 4}, "bookings_list"},
		{"next page back", booking.BookingFilter{EndsBy: 9, Descending: true, After: 3, AfterID: 4}, "bookings_list"},
		{"status", booking.BookingFilter{EndsAfter: 1, Statuses: []booking.Status{booking.Pending, booking.Confirmed}}, "bookings_list"},
		{"event type", booking.BookingFilter{EndsAfter: 1, EventType: 1}, "bookings_by_event_type"},
		{"host", booking.BookingFilter{EndsAfter: 1, Host: 1}, "bookings_by_host"},
		{"contact", booking.BookingFilter{EndsAfter: 1, Contact: 1}, "bookings_by_contact"},
		{"changed", booking.BookingFilter{ChangedSince: 1}, "bookings_changed (workspace_id=? AND <expr>>?)"},
		{"changed, next page", booking.BookingFilter{ChangedSince: 1, Contact: 1, Host: 2, EventType: 3, From: 4, HasOthers: true,
			Statuses: booking.LiveStatuses, After: 3, AfterID: 4}, "bookings_changed (workspace_id=? AND <expr>>?)"},
		{"beside a host", booking.BookingFilter{EndsAfter: 1, Host: 1, HasOthers: true, Statuses: booking.LiveStatuses}, "booking_others_start"},
		{"beside a host, next page", booking.BookingFilter{EndsBy: 9, Host: 1, Hosts: []catalog.HostID{1, 2}, HasOthers: true, Descending: true, After: 3, AfterID: 4},
			"booking_others_start"},
		{"of hosts", booking.BookingFilter{From: 1, Hosts: []catalog.HostID{1, 2}, HasOthers: true}, "bookings_list"},
		{"all filters", booking.BookingFilter{From: 1, Contact: 1, Host: 2, EventType: 3, Statuses: []booking.Status{booking.NoShow}, After: 3, AfterID: 4}, "bookings_by_contact"},
	} {
		c.f.Limit = 51
		query, args := listBookings(1, c.f, c.index == "booking_others_start")
		got := plan(t, s, query, args)
		if scans.MatchString(got) || !strings.Contains(got, "INDEX "+c.index) {
			t.Errorf("%s: want %s\n%s\n%s", c.name, c.index, query, got)
		}
	}
	for _, f := range []booking.BookingFilter{{Series: 5, Limit: 53}, {Series: 5, EndsAfter: 1, Contact: 1, EventType: 3, Host: 2, Statuses: booking.LiveStatuses, Limit: 53}} {
		query, args := listBookings(1, f, false)
		if got := plan(t, s, query, args); strings.Contains(got, "SCAN") || !strings.Contains(got, "SEARCH bookings USING INTEGER PRIMARY KEY (rowid=?)") ||
			!strings.Contains(got, "SEARCH series_bookings USING ") {
			t.Errorf("of a series:\n%s\n%s", query, got)
		}
	}
	query, args := listBookings(1, booking.BookingFilter{Series: 5, ChangedSince: 1, Limit: 53}, false)
	if got := plan(t, s, query, args); !strings.Contains(got, "INDEX bookings_changed") {
		t.Errorf("changed, of a series:\n%s", got)
	}
	if got := plan(t, s, pruneEventsQuery, []any{1, 2}); strings.Contains(got, "SCAN events") || strings.Contains(got, "TEMP B-TREE") {
		t.Errorf("old events:\n%s", got)
	}
	if got := plan(t, s, sameStart, []any{1, 2}); !strings.Contains(got, "USING INDEX bookings_by_event_type (event_type_id=? AND start_ms=?)") {
		t.Errorf("bookings of one start:\n%s", got)
	}
	for name, search := range map[string]string{"contacts": "", "one word": "an", "two words": "an ke"} {
		query, args := listContacts(1, search, nil, contact.Missing{}, 5, 51)
		if got := plan(t, s, query, args); strings.Contains(got, "SCAN") && !strings.Contains(got, "SCAN c USING") {
			t.Errorf("%s:\n%s\n%s", name, query, got)
		}
	}
	query, args = listContacts(1, "", nil, contact.Missing{Least: 2, Since: 1}, 5, 51)
	if got := plan(t, s, query, args); !strings.Contains(got, "SEARCH bookings USING INDEX bookings_list (workspace_id=? AND start_ms>?)") {
		t.Errorf("who did not come:\n%s", got)
	}
}

// What is asked of live bookings, or of those in one state, has the words of the index that holds only them.
func TestStatusTermsAreThoseOfTheIndexes(t *testing.T) {
	s := open(t)
	for name, c := range map[string]struct {
		query string
		args  int
		index string
	}{
		"duplicate": {sameContact, 4, "bookings_by_contact (contact_id=? AND start_ms=?)"},
		"starts":    {liveStarts, 3, "bookings_by_host (host_id=? AND start_ms>? AND start_ms<?)"},
		"lapsing":   {lapsing, 2, "bookings_lapsing (expires_ms<?)"},
	} {
		args := make([]any, c.args)
		for i := range args {
			args[i] = 1
		}
		if got := plan(t, s, c.query, args); !strings.Contains(got, c.index) {
			t.Errorf("%s: want %s, got\n%s", name, c.index, got)
		}
	}
	var end int
	if _, err := fmt.Sscanf(live, "status < %d", &end); err != nil {
		t.Fatal(err)
	}
	for code, status := range statuses {
		if status.Live() != (code < end) {
			t.Errorf("%s is %d, and the live ones are those of %s", status, code, live)
		}
	}
}
