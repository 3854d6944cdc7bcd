// package slot turns weekly hours, overrides, bookings, time off, busy times and
// an event type's rules into the starts that can be booked, and says why any
// other start can't. It owns the arithmetic of wall clocks and daylight saving.
//
// It is pure: the standard library only, no clock ("now" is an argument), no I/O,
// no state; it never writes to what it is given. It never imports the rest of
// Daybook and knows nothing of databases, HTTP or people: a host is an index.
//
// # Time
//
// Instants are Unix milliseconds UTC, spans are half-open. A wall clock is looked
// up per request as a clock: the few eras of constant UTC offset around it, taken
// from the IANA data by time.Time.ZoneBounds (RFC 9636 files). A wall time that
// an era holds is an instant of that era; one that none holds lies in a gap. This
// is exact for every change, of 30 minutes, of 2 hours, at midnight or of a whole
// day, where time.Date leaves the side of a gap open.
//
// # Method
//
// Per host, three sorted lists are walked together: the ranges of the days as
// instants, merged into windows of which each range keeps its own grid; the grid's
// starts; and what takes them. Find merges everything that takes time into one
// list of disjoint spans and walks it once beside the starts, the usual sort, merge
// and sweep over intervals:
//
//	O(B log B + D + C)   B bookings and busy spans, D days, C grid starts
//
// B log B falls to B when the lists arrive sorted. Explain, and Find with several
// seats, need to know what takes a start, so they keep bookings, time off and busy
// apart, each with a cursor that only moves forward: the same order of work. Hosts
// are then merged by start in O(C × hosts).
//
// judge (judge.go) is the one statement of the rules; Check asks it of one start.
// The sweep is its shortcut for one seat; the tests hold both against an oracle
// that walks every minute.
package slot
