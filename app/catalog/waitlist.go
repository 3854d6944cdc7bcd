package catalog

// WaitlistMode says how those who wait for an event type learn of a time that came free.
type WaitlistMode string

const (
	WaitlistOffer WaitlistMode = "offer" // it is held and offered to one after the other
	WaitlistTell  WaitlistMode = "tell"  // all are told at once, and it is held for nobody
)

// TellsAll reports whether all who wait for the event type are told at once of what comes free. It is false for one that is
// hidden: no page is there to book it from.
func (e *EventType) TellsAll() bool { return e.Waitlist == WaitlistTell && !e.Hidden }
