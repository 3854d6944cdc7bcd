package right

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

// Limits says what a restricted API key may do at most. Nil limits nothing, nor does a field that is empty.
type Limits struct {
	Rights     Set                   `json:"rights,omitempty"`
	EventTypes []catalog.EventTypeID `json:"eventTypes,omitempty"` // what is of others doesn't exist for the key
	Hosts      []catalog.HostID      `json:"hosts,omitempty"`
	Until      when.Instant          `json:"until,omitzero"`
	Addresses  []netip.Prefix        `json:"addresses,omitempty"` // from which it may call
	Origins    []string              `json:"origins,omitempty"`   // of the pages that may use a public key
}

// Most is the most event types, hosts or addresses that a key may list.
const Most = 100

// Check checks the limits of a key that may change things or not, and that has these areas; it lists the rights where
// services or hosts need them. Errors: bad_request.
func (l *Limits) Check(reads bool, areas Areas, now time.Time) error {
	narrow := len(l.EventTypes) > 0 || len(l.Hosts) > 0
	if narrow && l.Rights == 0 {
		if l.Rights = ofBookings; reads {
			l.Rights &^= writing
		}
	}
	switch {
	case len(l.Origins) > 0:
		return fault.Invalid("origins", "are for public keys only")
	case narrow && l.Rights&^ofBookings != 0:
		return fault.Invalid("rights", "%s reach the whole workspace, so they don't go with services or hosts",
			l.Rights&^ofBookings)
	case reads && l.Rights&writing != 0:
		return fault.Invalid("rights", "%s need the scope full", l.Rights&writing)
	case narrow && areas != 0:
		return fault.Invalid("areas", "reach the whole workspace, so they don't go with services or hosts")
	case areas&(Keys|Members) != 0:
		return fault.Invalid("areas", "keys and members are for keys without limits only")
	case l.Until != 0 && l.Until <= when.At(now):
		return fault.Invalid("until", "must lie in the future")
	case len(l.EventTypes) > Most || len(l.Hosts) > Most || len(l.Addresses) > Most:
		return fault.Invalid("rights", "at most %d services, hosts and addresses each", Most)
	}
	return nil
}

// String returns the names.
func (s Set) String() string { return strings.Join(s.List(), ", ") }

// None reports whether nothing is limited.
func (l *Limits) None() bool {
	return l == nil ||
		l.Rights == 0 && len(l.EventTypes)+len(l.Hosts)+len(l.Addresses)+len(l.Origins) == 0 && l.Until == 0
}

// May reports whether the key has the right; 0 means no particular right.
func (l *Limits) May(s Set) bool { return l == nil || l.Rights == 0 || s == 0 || l.Rights&s == s }

// Narrows reports whether the key is limited to some services or hosts.
func (l *Limits) Narrows() bool { return l != nil && len(l.EventTypes)+len(l.Hosts) > 0 }

// Sees reports whether the key may see bookings of the event type.
func (l *Limits) Sees(e catalog.EventTypeID) bool {
	return l == nil || len(l.EventTypes) == 0 || slices.Contains(l.EventTypes, e)
}

// SeesHost reports whether the key may see the host's calendar.
func (l *Limits) SeesHost(h catalog.HostID) bool {
	return l == nil || len(l.Hosts) == 0 || slices.Contains(l.Hosts, h)
}

// Knows reports whether the key may know of the host: one that it lists or, if it lists event types only, one who
// serves any of these. setup may be the whole set-up or what Setup returned.
func (l *Limits) Knows(setup *catalog.Setup, h catalog.HostID) bool {
	if !l.Narrows() || len(l.Hosts) > 0 {
		return l.SeesHost(h)
	}
	return slices.ContainsFunc(setup.EventTypes, func(e catalog.EventType) bool { return l.Sees(e.ID) && e.ServedBy(h) })
}

// Of returns the event type with only the hosts that the key may book; nil if the key may not know of the event type.
func (l *Limits) Of(e *catalog.EventType) *catalog.EventType {
	if e == nil || !l.Sees(e.ID) {
		return nil
	}
	if l == nil || len(l.Hosts) == 0 {
		return e
	}
	known := *e
	known.Hosts = slices.DeleteFunc(slices.Clone(e.Hosts), func(h catalog.HostRef) bool { return !l.SeesHost(h.ID) })
	if len(known.Hosts) == 0 {
		return nil
	}
	// Who is taken beside the host stays as it is, see EventType.Others. What is left of a list may be empty, but is never
	// nil, which would mean all hosts.
	known.Needs = slices.Clone(e.Needs)
	for i := range known.Needs {
		n := &known.Needs[i]
		n.Of = slices.DeleteFunc(slices.Clone(n.Of), func(h catalog.HostID) bool { return !l.SeesHost(h) })
	}
	return &known
}

// Setup returns the set-up as the key may see it: with the event types that Of returns. It returns err unchanged.
func (l *Limits) Setup(s *catalog.Setup, err error) (*catalog.Setup, error) {
	if err != nil || l == nil || len(l.EventTypes) == 0 && len(l.Hosts) == 0 {
		return s, err
	}
	known := *s
	known.EventTypes = nil
	for i := range s.EventTypes {
		if e := l.Of(&s.EventTypes[i]); e != nil {
			known.EventTypes = append(known.EventTypes, *e)
		}
	}
	return &known, nil
}

// Narrow adds the limits to the filter of a list of bookings.
func (l *Limits) Narrow(f booking.BookingFilter) booking.BookingFilter {
	if l != nil {
		f.EventTypes, f.Hosts = l.EventTypes, l.Hosts
	}
	return f
}

// Over returns unauthorized for a key that has expired.
func (l *Limits) Over(now time.Time) error {
	if l == nil || l.Until == 0 || when.At(now) < l.Until {
		return nil
	}
	return fault.New(fault.Unauthorized, "key_expired", "This API key expired at %s. Use another one.", l.Until)
}

// From returns forbidden for a call from an address that the key doesn't list.
func (l *Limits) From(a netip.Addr) error {
	if l == nil || len(l.Addresses) == 0 || slices.ContainsFunc(l.Addresses, func(p netip.Prefix) bool {
		return p.Contains(a.Unmap())
	}) {
		return nil
	}
	return fault.New(fault.Forbidden, "address_not_allowed", "This API key may not be used from the address %s.", a.Unmap())
}

// ParseAddresses reads addresses and ranges such as 203.0.113.0/24. The error is bad_request for the field addresses.
func ParseAddresses(texts []string) (all []netip.Prefix, err error) {
	for _, text := range texts {
		p, err := netip.ParsePrefix(text)
		if a, single := netip.ParseAddr(text); single == nil {
			p, err = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()), nil
		}
		if err != nil {
			return nil, fault.Invalid("addresses", "%q is no address and no range such as 203.0.113.0/24", text)
		}
		all = append(all, p.Masked())
	}
	return all, nil
}
