package calsync

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Copy is the copy of a booking in a calendar: what has been written there, and what should be.
type Copy struct {
	Booking     booking.BookingID
	Calendar    CalendarID
	WorkspaceID catalog.WorkspaceID
	UID         string
	Key, ETag   string // of what was last written; "" if nothing is there
	Start, End  when.Instant
	Remove      bool         // it is to be removed
	DueAt       when.Instant // when it is written next; 0: nothing is to be done. Of a claim: when its lease ends
	Tries       int
	Problem     Problem
	// Wish says what somebody did to the copy in the calendar: "" for nothing, moved (to WishStart and WishEnd), or
	// deleted.
	Wish               Wish
	WishStart, WishEnd when.Instant
}

// Wish says what somebody did to a copy in the calendar.
type Wish string

const (
	WishMoved   Wish = "moved"
	WishDeleted Wish = "deleted"
)
