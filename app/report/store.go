package report

import (
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/when"
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
