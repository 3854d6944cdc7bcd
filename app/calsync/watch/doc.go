// Package watch has calendars tell of changes, where their servers can: Google's channels and Microsoft's subscriptions
// call this server, and the connection is read at once rather than within a few minutes.
//
// A call is a hint and nothing more: it says that a calendar should be read, and whatever it says besides is not
// believed. Calendars are read every few minutes with and without hints, and what goes wrong here stops no reading.
//
// Each calendar that is used has a row. A loop has the server watch it after its first reading, renews that before its
// end, and ends it when the calendar isn't used any more. Nothing is watched unless the server's base URL is https and
// looks public. The token that a call must carry is kept as a hash only.
package watch
