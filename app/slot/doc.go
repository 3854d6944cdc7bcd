// Package slot turns weekly hours, overrides, bookings, time off, busy times and the rules of an event type into the
// starts that can be booked, and says why any other start can't be. It owns the arithmetic of wall clocks and daylight
// saving.
//
// The package is pure: it uses only the standard library, no clock ("now" is an argument), no I/O and no state, and
// never writes to its input. It never imports the rest of Daybook and knows nothing of databases, HTTP or people: a
// host is an index.
//
//	hours.go   what a week, overrides and absences leave of a day
//	clock.go   wall clocks and daylight saving
//	limits.go  notice, booking window, how often a day and week
//	judge.go   what takes time: bookings, holds, busy times, buffers
//
// # Time
//
// Instants are Unix milliseconds UTC, and spans are half-open. For each request a wall clock is looked up as the few
// eras of constant UTC offset around it, taken from the IANA data by time.Time.ZoneBounds (RFC 9636 files). A wall time
// in an era is an instant of that era; a wall time in none of them lies in a gap. This is exact for every change of the
// clocks, of 30 minutes, 2 hours or a whole day, at midnight too, where time.Date does not say which side of a gap it
// picks.
//
// # Method
//
// For each host, three sorted lists are walked together: the ranges of the days as instants, merged into windows in
// which each range keeps its own grid; the starts on the grid; and what takes time. Find merges everything that takes
// time into one list of disjoint spans and walks it once beside the starts (sort, merge and sweep over intervals):
//
//	O(B log B + D + C)   B bookings and busy spans, D days, C grid starts
//
// The B log B falls to B when the lists arrive sorted. Explain, and Find with several seats, must know what takes a
// start, so they keep bookings, time off and busy times apart, each with a cursor that only moves forward; the order of
// work is the same. The hosts are then merged by start in O(C × hosts).
//
// against (judge.go) is the only statement of the rules: it gives all that stands against a start. Check applies it to
// one start, and Waiving passes over some of it. The sweep is a shortcut for one seat, and FindMinutes has one for starts
// at every minute. The tests compare all of them with an oracle that walks every minute.
package slot
