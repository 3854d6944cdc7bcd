package slot

// Reason says why a start can't be booked; it is Open when it can. The values are those of the API.
type Reason string

// The reasons in order of precedence: the first that holds is given.
const (
	Open         Reason = ""
	Inactive     Reason = "inactive"
	InPast       Reason = "in_past"
	TooSoon      Reason = "too_soon"
	TooFar       Reason = "too_far"
	OutsideHours Reason = "outside_hours"
	OffGrid      Reason = "off_grid"
	Booked       Reason = "booked"   // the duration itself overlaps a booking's, or the session is full
	Buffer       Reason = "buffer"   // only the occupied spans overlap
	TimeOff      Reason = "time_off" // the occupied span overlaps time off
	Busy         Reason = "busy"     // the occupied span overlaps a busy time
	DayFull      Reason = "day_full"
)

// Taken reports whether someone or something else has the time, so that asking for it is a conflict. Otherwise the
// start was never on offer.
func (r Reason) Taken() bool {
	switch r {
	case Booked, Buffer, TimeOff, Busy:
		return true
	}
	return false
}
