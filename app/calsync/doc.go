// Package calsync holds the rules of hosts' other calendars: it reads when a host is busy there, and writes bookings into
// them.
//
// A host has any number of connections, each to one account (an address of an iCalendar file, CalDAV, Google Calendar,
// Microsoft 365), and an account has calendars. Of each calendar it is chosen whether its busy times block, and of all
// of a host's at most one gets the bookings. What was read is kept as items: the key, version (ETag), UID and busy
// spans of an event, and nothing else of it. The items of all calendars that block are merged into the host's busy
// times, which the search for open times reads as it reads bookings.
//
// Reading: a loop reads each connection every few minutes, a lease keeps it to one server, failures back off. Booking
// and moving ask for what is older than a minute (Ask). A connection that can't be read keeps its last known busy times
// and says how old they are. When its sign-in is refused or revoked, its host is told once, until it was read again.
//
// Watches: where servers can tell of changes (Google's channels, Microsoft's subscriptions), a calendar that is used is
// watched after its first reading. A call is a hint and nothing more: the connection is read at once rather than within
// minutes, and whatever else the call says is not believed. Nothing is watched unless the server's base URL is https and
// looks public. The token that a call must carry is kept as a hash only.
//
// Writing: the history's follower queues a copy for each booking that changes, one row a booking and calendar; a loop
// claims due rows and makes the calendar hold what the booking says. A copy that somebody changed or deleted in the
// calendar is a wish that the business sees; it is neither taken over nor overwritten.
package calsync
