package calsync

import (
	"strings"

	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/record"
	"daybook/app/when"
)

// Copy is a booking in a calendar: what is written there, and what is to be.
type Copy struct {
	Booking     record.BookingID
	Calendar    CalendarID
	WorkspaceID catalog.WorkspaceID
	UID         string
	Key, ETag   string // of what was last written; "" if nothing is there
	Start, End  when.Instant
	Remove      bool         // it is to be removed
	DueAt       when.Instant // when it is written next; 0: nothing is to be done. Of a claim: when its lease ends
	Tries       int
	Problem     Problem
	// Wish is what somebody did to the copy in the calendar: "" nothing, moved (to WishStart, WishEnd), or deleted.
	Wish               Wish
	WishStart, WishEnd when.Instant
}

// Wish is what somebody did to a copy.
type Wish string

const (
	WishMoved   Wish = "moved"
	WishDeleted Wish = "deleted"
)

// CopyUID is the UID of a booking's copies.
func CopyUID(b *record.Booking, domain string) string { return copyPrefix + b.CalendarUID(0, domain) }

const copyPrefix = "daybook-"

// BookingOf is the booking that a UID says it is of: of a copy, or of an event of our invitations and feeds, which a
// host may have taken into a calendar. Whether there is such a booking the caller must look up.
func BookingOf(uid string) (record.BookingID, bool) {
	name, _, ok := strings.Cut(strings.TrimPrefix(uid, copyPrefix), "@")
	if !ok {
		return 0, false
	}
	name, _, _ = strings.Cut(name, "-")
	b, err := id.Parse[record.BookingIDKind](name)
	return b, err == nil
}
