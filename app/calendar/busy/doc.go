// Package busy reads from calendars in iCalendar form (RFC 5545) when somebody is busy. It knows neither where a
// calendar comes from nor where its busy times are kept, and has no clock: the same bytes and options always give the
// same spans.
//
// # What is busy
//
// Every event is, except: STATUS:CANCELLED; TRANSP:TRANSPARENT; X-MICROSOFT-CDO-BUSYSTATUS of FREE or WORKINGELSEWHERE
// (Outlook offers the times of a person who works elsewhere, too); an invitation that one of Options.Self declined; all
// of a calendar with METHOD:CANCEL; and an event without length. Of VFREEBUSY all periods are busy but those of
// FBTYPE=FREE. To-dos, journals and alarms keep nobody busy.
//
// Where a file can be read in two ways, the way with more busy time is taken, and where it can't be read, Read says so:
// nobody is free because a line was odd.
//
// # Times
//
// All arithmetic is on the wall clock, in seconds of 64 bits, and each instance is then put on the time line by its
// zone: a time that the clocks skip is read with the offset before the skip (02:30 is 03:30), of a time that they show
// twice it is the first (RFC 5545 §3.3.5). The length of an event with DTEND is exact, that of one with DURATION is
// nominal in its days and exact in the rest (§3.8.5.3, §3.3.6); all-day events last from midnight to midnight.
//
// A TZID is an IANA name, one with a prefix (/mozilla.org/20050126_1/Europe/Berlin), a name of Windows, or else what
// the VTIMEZONE of the same file says.
//
// # Recurrence
//
// Rules are expanded here, by the table of §3.3.10, and not by a library, so that the work is bounded: rules without
// COUNT begin near the window, and those with COUNT are counted by whole days. DTSTART is always an instance and the
// first of COUNT, as in the RFC's example of Friday the 13th.
//
// # Dates
//
// Dates says of the same files when each event takes place, for programs that take appointments over: by the same rules, but also what
// keeps nobody busy, and by which day of its rule each date is known. It stops as soon as it has enough.
//
// # Bounds
//
// read.go and line.go bound what one calendar costs: the length of a line, and how many events, instances and days are
// looked at. More fails; it is not cut off. How many bytes a calendar may have is its caller's: calsync.MaxResponse.
package busy
