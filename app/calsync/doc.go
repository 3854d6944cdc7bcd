// Package calsync holds the rules of hosts' other calendars: it reads when a host is busy there, and writes bookings
// into them.
//
// A host has any number of connections, each to one account (an address of an iCalendar file, CalDAV, Google Calendar,
// Microsoft 365), and an account has calendars. The busy times of each calendar may block or not, as the host chooses,
// and at most one of a host's calendars gets the bookings. What was read is stored as items: the key, version (ETag),
// UID and busy spans of each event, and nothing else. The items of all calendars that block are merged into the host's
// busy times (SetBusyTimes in read.go). They come with the host's set-up to the search for open times, which merges
// them with bookings and holds (availability/search_run.go).
//
// Reading: a loop reads each connection every few minutes, a lease lets only one server read it, and failures make the
// pauses longer. Before a booking or a move, calendars that were read more than a minute ago are read again (Ask). A
// connection that can't be read keeps its last known busy times and says how old they are. When its sign-in is refused
// or revoked, its host is told once, and again only after a reading has succeeded in between.
//
// Watches: where servers can tell of changes (Google's channels, Microsoft's subscriptions), a calendar that is used is
// watched after its first reading. A call is only a hint: the connection is read at once rather than within minutes,
// and anything else in the call is ignored. Nothing is watched unless the server's base URL is https and looks public.
// Of the token that a call must carry only a hash is stored.
//
// Writing: the history's follower queues a copy for each booking that changes, one row a booking and calendar; a loop
// claims due rows and makes the calendar agree with the booking. If somebody has changed or deleted a copy in the
// calendar, this is a wish that the business sees; it is neither applied to the booking nor overwritten.
package calsync
