package report

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/app/work"
)

// FigureReader reads the sums of bookings.
type FigureReader interface {
	// BookingSums counts the bookings that start in [from, to) by status and currency; host 0 is all hosts.
	BookingSums(ws catalog.WorkspaceID, host catalog.HostID, from, to when.Instant) ([]BookingSum, error)
	// Tally calls add for each booking that starts in [from, to), the earliest first; to 0 means no end. add must not
	// keep the booking.
	Tally(ws catalog.WorkspaceID, from, to when.Instant, add func(*Tallied)) error
	// Revenue calls add with the revenue of each booking that starts in [from, to), online and at the counter; to 0
	// means no end.
	Revenue(ws catalog.WorkspaceID, from, to when.Instant, add func(*Earned)) error
	// Received calls add with what was received, or at the counter given back, in [from, to), for bookings and without one;
	// to 0 means no end. What was given back online lowers the payment. add must not keep what it is given.
	Received(ws catalog.WorkspaceID, from, to when.Instant, add func(*Received)) error
}

// HostDayReader reads the days of hosts that are written down.
type HostDayReader interface {
	// HostDays lists the days of one host from the day from to the day to.
	HostDays(ws catalog.WorkspaceID, host catalog.HostID, from, to int64) ([]HostDay, error)
	// AllHostDays lists the days behind that one, by host and day.
	AllHostDays(ws catalog.WorkspaceID, host catalog.HostID, after int64, limit int) ([]HostDay, error)
	// HostDaySums calls add for each host with the sums of the known days from from to to, but for those that ChangedHostDays
	// lists, and the first of them; in milliseconds.
	HostDaySums(ws catalog.WorkspaceID, from, to int64, add func(host catalog.HostID, first, open, booked, outside int64)) error
	// ChangedHostDays lists the known days whose bookings have changed since they were counted.
	ChangedHostDays(ws catalog.WorkspaceID) ([]HostDay, error)
	ChangedHostDaysOf(ws catalog.WorkspaceID, host catalog.HostID, limit int) ([]HostDay, error)
	// LastHostDay returns the last day of the host that is written. Errors: ErrNotFound.
	LastHostDay(ws catalog.WorkspaceID, host catalog.HostID) (int64, error)
	// HostWork lists when the host works for the bookings that stand, start at or after since and meet [from, to): whoever
	// leads them. The spans may meet.
	HostWork(ws catalog.WorkspaceID, host catalog.HostID, since, from, to when.Instant) ([]slot.Span, error)
	// HostsDue lists hosts, of the workspaces in some buckets, of whom a day is to be written; where there is none, those
	// with days that are to be counted again.
	HostsDue(of work.Buckets, now when.Instant, limit int) ([]HostOf, error)
}

// HostDayWriter writes days of hosts. The host must be locked.
type HostDayWriter interface {
	// InsertHostDay writes a day, unless it is written already.
	InsertHostDay(ws catalog.WorkspaceID, d HostDay) error
	// CountHostDay saves what was booked of a day.
	CountHostDay(ws catalog.WorkspaceID, d HostDay) error
	// NextHostDay says when the next day of the host is to be written.
	NextHostDay(ws catalog.WorkspaceID, host catalog.HostID, at when.Instant) error
}

// SumReader reads the stored sums of days. The sums of a day are those of the bookings that start in it, and they are
// exact unless a UTC day that overlaps it is marked.
type SumReader interface {
	// DaySums calls add with the stored sums of the days in [from, to), the earliest first; to 0 means no end. The days
	// don't overlap, and some may be missing.
	DaySums(ws catalog.WorkspaceID, from, to when.Instant, add func(DaySums)) error
	// DayMarks lists the UTC days, as days since 1970, whose bookings have changed since they were summed.
	DayMarks(ws catalog.WorkspaceID) ([]int64, error)
	// FirstStart returns the start of the first booking from then on. Errors: ErrNotFound.
	FirstStart(ws catalog.WorkspaceID, from when.Instant) (when.Instant, error)
	// SumsUnasked lists workspaces whose sums have not been asked for since then.
	SumsUnasked(before when.Instant, limit int) ([]catalog.WorkspaceID, error)
	// MarksUnsummed lists workspaces that have marks and no sums.
	MarksUnsummed(limit int) ([]catalog.WorkspaceID, error)
}

// SumWriter stores the sums of days.
type SumWriter interface {
	// TakeSums makes the transaction the only one that writes the workspace's sums. It must be called first.
	TakeSums(ws catalog.WorkspaceID, asked when.Instant) error
	// ForgetMarks deletes the marks of the UTC days from to to and returns their days. Reads after that in the
	// transaction see all changes that were marked.
	ForgetMarks(ws catalog.WorkspaceID, from, to int64) ([]int64, error)
	// ForgetSums deletes the sums of all days that overlap [from, to).
	ForgetSums(ws catalog.WorkspaceID, from, to when.Instant) error
	InsertSums(ws catalog.WorkspaceID, d DaySums) error
	// DropSums deletes up to limit days and, when no more are left, the marks and what TakeSums wrote.
	DropSums(ws catalog.WorkspaceID, limit int) (more bool, err error)
}

// DaySums are the sums of one day, or of [From, To): Sums is how sums.go writes them.
type DaySums struct {
	From, To when.Instant
	Sums     []byte
}

// BookingSum is one row of FigureReader.BookingSums. Currency is "" for free bookings.
type BookingSum struct {
	Status   booking.Status
	Currency string
	Count    int
	Amount   int64
}
