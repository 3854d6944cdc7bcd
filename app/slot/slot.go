package slot

import "time"

// Span is the half-open time [Start, End) in Unix milliseconds UTC.
type Span struct{ Start, End int64 }

// Meets reports whether the two spans overlap. Spans that only touch don't, and an empty or reversed span overlaps
// nothing.
func (s Span) Meets(o Span) bool {
	return max(s.Start, o.Start) < min(s.End, o.End)
}

// Schedule is when a host works, in wall-clock time of Zone (nil is UTC).
type Schedule struct {
	Zone      *time.Location
	Weekly    [7][]Range       // by time.Weekday: the ranges that begin on that day
	Overrides map[Date][]Range // replaces the ranges that begin on that day; an empty list means closed
}

// Booking is one live booking of a host.
type Booking struct {
	Occupied   Span  // with the buffers that applied when it was booked
	Start, End int64 // without buffers, Unix milliseconds UTC
	Same       bool  // of the event type that is asked for
	Alone      bool  // nobody joins it, whatever seats there are: it is in parts, of which this is one
	Held       bool  // it is no booking yet: somebody holds the time for a while
	Offered    bool  // it is held for somebody to whom it is offered
	Seats      int   // how many it takes; below 1 counts as 1
	Place      Place
	Travel     time.Duration // between this booking and one at another place; see Place
}

// Place is where a booking takes place, as a number that is equal for equal places. Between the end of a booking and
// the start of another one of the same host at another place lies at least the longer Travel of the two, buffers
// included. 0 is no place, such as a call: nobody travels to it.
type Place int64

// Rules are the rules of the event type. Durations count in whole milliseconds.
type Rules struct {
	Duration      time.Duration // of a new session; nothing can be booked when it isn't positive
	Step          time.Duration // of the grid; Duration when it isn't positive
	BufferBefore  time.Duration
	BufferAfter   time.Duration
	MinimumNotice time.Duration // a start exactly that far ahead is allowed
	Window        time.Duration // a start exactly that far ahead is allowed
	MaxPerDay     int           // sessions that start on one local day of the host; 0 is no cap
	Seats         int           // of one session; below 1 counts as 1
	Party         int           // seats that one booking takes; below 1 counts as 1
	Inactive      bool          // nothing can be booked
	// Works are when the host is taken, by start, where that is not all the while; none meets another, and the last ends
	// with the Duration. The buffers are those of the whole, which needs of all the time take. Seats are then 1.
	Works []Work
	// Dates are the only starts, ascending, in place of the hosts' hours and of the grid; with nil those apply.
	Dates  []int64
	Place  Place
	Travel time.Duration // between a new booking and one at another place; see Place
	Joins  Joins         // of the host
}

// Joins says at which ends of a session something that it takes has no buffer, because it goes on with what is there.
type Joins struct{ Before, After bool }

// Host is a person or room and what already takes its time. The lists may be in any order; sorted ones are faster.
// TimeOff, Absences, Holidays and Busy may overlap. When the rules have a MaxPerDay, Booked must cover the whole local
// days asked about.
type Host struct {
	Schedule *Schedule // nil has no hours
	Booked   []Booking
	TimeOff  []Span
	Absences []Absence // time off that comes again
	Holidays []Span    // whole days off, in order, none of which overlap
	Busy     []Span
	Full     []Span // weeks in which the host may have no more sessions of it: none begins in them
	// Duration is how long this host takes for a new session; if it is not positive, that of the Rules applies.
	Duration time.Duration
	Works    []Work // likewise, with the Duration
	// Other is the place of this host among Request.Others, counted from 1, 0 for none: nobody stands beside themselves.
	Other int
	Joins Joins // of one of Request.Others
}

// Request asks for the starts in [From, To), as of Now. Nothing in it is changed, so requests may share their parts
// between goroutines.
type Request struct {
	Now, From, To int64 // Unix milliseconds UTC
	Rules         Rules
	Hosts         []Host
	Needs         []Need     // what a booking takes besides its host
	Resources     []Resource // that Needs name
	// Beside is how many of Others a booking takes beside its host: the first who are free while the host works, by their
	// own hours too.
	Beside int
	Others []Host
	Full   []Span // weeks in which all hosts together may have no more sessions of it
	Limit  int    // stop after that many open starts; 0 is all
	// MaxClosed ends Explain once there are more closed starts than that, for callers that refuse so large an answer
	// and want to spend no memory on it. The result is then incomplete. 0 is no limit.
	MaxClosed int
}

// Slot is an open start.
type Slot struct {
	Start int64
	// End is Start plus the duration, the shortest of its hosts', or the end of a begun session with a free seat: that
	// of the first host that has one, because it is filled first.
	End   int64
	Hosts []int // indexes into Request.Hosts that are free, ascending; read-only, slots share memory
	// Ends is the end with each of Hosts; nil if it is End with all of them. Read-only.
	Ends           []int64
	SeatsRemaining int // sum over Hosts, each of which has enough for the booking
}

// Closed is a start on a host's grid that can't be booked.
type Closed struct {
	Start, End int64 // End is Start plus the host's duration
	Host       int   // index into Request.Hosts
	Reason     Reason
	Part       int  // the first of Works, counted from 1, against which the reason stands; 0 for none of them
	Need       int  // with ResourceTaken and Things the index of the first of Request.Needs that can't be met beside those before it
	Things     bool // with Busy: it isn't the host who is busy, but what meets the need
}

// Verdict is the decision on one start and host.
type Verdict struct {
	Reason   Reason  // the first that stands against the start and is not waived
	Against  Reasons // all that stand against it, waived or not
	Waived   Reasons // of an open start: what it took to be open
	Seats    int     // remaining before the booking; 0 unless open
	Begun    bool    // the booking would join a begun session with a free seat
	End      int64   // of the session that is joined, else by the rules
	Occupied Span    // what the booking would occupy, likewise
	// Works are the host's parts of an open start of a new session, as spans of time; nil without Rules.Works. Check and
	// Waiving fill it in.
	Works []Work
	// Resources has, for each of Request.Needs, the index of the resource that an open start of a new session takes.
	// Check and Waiving fill it in.
	Resources []int
	// Others are the indexes into Request.Others of those whom it takes, likewise.
	Others []int
}
