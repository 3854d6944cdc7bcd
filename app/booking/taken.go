package booking

import (
	"daybook/app/catalog"
	"daybook/app/slot"
	"daybook/app/when"
)

// Taken is what a booking takes, and nobody else can have: its time. A search finds it, and bookings and holds keep it
// as it was found, so what is added here needs no line where a booking is made, moved, edited or brought back after it has lapsed; an undone
// no-show is checked in app/mark_noshow.go. Place is
// the exception: a booking that gets another event type gets its place by TakePlace, as a place like no other is the
// booking's id.
type Taken struct {
	Start     when.Instant `json:"start"`
	End       when.Instant `json:"end"`
	BusyStart when.Instant `json:"-"` // Start less the buffer before
	BusyEnd   when.Instant `json:"-"` // End and the buffer after
	Place     slot.Place   `json:"-"` // see PlaceOf
	// Arounds are the resources and people beside the host that are taken longer or shorter than from BusyStart to BusyEnd.
	Arounds []Around `json:"-"`
	// Resources are the rooms and things that it takes besides its host, one for each need of the event type.
	// Those of a session are taken once, by all its bookings.
	Resources []catalog.ResourceRef `json:"resources,omitempty"`
	// Parts are those of a service in parts: the host is taken only while there is work. None is work all the while.
	Parts []BookedPart `json:"parts,omitempty"`
	// Hosts are all who do it, the one who leads first, or nobody where that is one. The others are taken as the one who
	// leads is, while there is work and with the service's buffers; those of a session once, by all its bookings.
	Hosts []catalog.HostRef `json:"hosts,omitempty"`
	// Untimed is a booking that was over when it was imported, and takes nobody's time: another one was then, too.
	Untimed bool `json:"-"`
}

// Others returns the hosts beside the one who leads.
func (t *Taken) Others() []catalog.HostRef {
	if len(t.Hosts) == 0 {
		return nil
	}
	return t.Hosts[1:]
}
