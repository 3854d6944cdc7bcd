package app

import (
	"slices"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/app/money"
)

// chosen returns the event type as the correction chooses it: with other add-ons, with other seats, or another one, of
// which what must be chosen is chosen. anew says that its length and price are those of now, with the host who has the
// booking then; otherwise the booking keeps its own. It writes the seats into the booking.
func (c *correction) chosen(e *catalog.EventType, other bool) (_ *catalog.EventType, anew bool, err error) {
	b := c.Booking
	choice := catalog.Choice{Seats: b.Seats}
	for _, a := range b.AddOns {
		choice.AddOns = append(choice.AddOns, a.ID)
	}
	anew = other || c.in.AddOns != nil && !sameAddOns(*c.in.AddOns, choice.AddOns)
	if c.in.Seats != nil {
		choice.Seats = *c.in.Seats
	}
	switch {
	case c.in.AddOns != nil:
		choice.AddOns = *c.in.AddOns
	case other:
		choice.AddOns = e.Fit(catalog.Choice{}).AddOns
	}
	if !anew && choice.Seats == b.Seats {
		return e, false, nil
	}
	if !anew { // what was chosen stays, whether or not it can be chosen now
		return e, false, c.seats(e, choice.Seats)
	}
	own, err := e.Chosen(choice)
	if err != nil {
		return nil, false, err
	}
	b.Seats = choice.Seats
	host := b.Host.ID
	if c.in.Host != nil {
		if named, err := id.Parse[catalog.HostIDKind](*c.in.Host); err == nil {
			host = named
		}
	}
	return own.With(host), true, nil
}

// seats gives the booking other seats; each costs what it did.
func (c *correction) seats(e *catalog.EventType, n int) error {
	if err := e.CheckSeats(n); err != nil {
		return err
	}
	b := c.Booking
	n = max(1, n)
	if b.Price != nil {
		total := b.Price.Amount / int64(max(1, b.Seats)) * int64(n)
		if err := catalog.CheckTotal(total, n); err != nil {
			return err
		}
		b.Price = &money.Money{Amount: total, Currency: b.Price.Currency}
	}
	b.Seats = n
	return nil
}

func sameAddOns(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// participants changes the names of those who come. It reports whether they differ.
func (c *correction) participants() (bool, error) {
	b := c.Booking
	names := b.Participants[:min(len(b.Participants), b.Seats)] // with fewer seats the last ones don't come
	if c.in.Participants != nil {
		names = *c.in.Participants
	}
	names, err := booking.CheckParticipants(names, b.Seats)
	if err != nil || slices.Equal(names, b.Participants) {
		return false, err
	}
	b.Participants = names
	return true, nil
}
