package app

import (
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/slot"
)

// place gives the booking the event type, host and end that were asked for, if they differ from what it has.
func (c *correction) place() error {
	b := c.Booking
	e, other := c.Setup.EventTypeByID(b.EventTypeID), false
	if c.in.EventType != nil {
		wanted := c.Actor.Limits.Of(c.Setup.EventType(*c.in.EventType))
		if wanted == nil {
			return fault.Missing("event type", *c.in.EventType)
		}
		e, other = wanted, wanted.ID != b.EventTypeID
	}
	length, seats := time.Duration(b.End-b.Start)*time.Millisecond, b.Seats
	e, anew, err := c.chosen(e, other)
	if err != nil {
		return err
	}
	if anew {
		length = time.Duration(e.DurationMinutes) * time.Minute
	}
	if c.end != 0 {
		length = time.Duration(c.end-b.Start) * time.Millisecond
	}
	moved := c.in.Host != nil && *c.in.Host != b.Host.ID.String()
	if !anew && !moved && b.Seats == seats && b.Start.Add(length) == b.End {
		return nil
	}
	if err := c.mayPlace(e, other, anew, b.Seats != seats, length); err != nil {
		return err
	}
	hosts, err := c.hosts(e, other, moved)
	if err != nil {
		return err
	}
	q, err := c.Among(hosts, e, c.in.Override)
	if err != nil {
		return err
	}
	if q.Moving(b); anew {
		q.Anew()
	}
	q.Staying(b.Start, length, !other && !moved)
	was := b.Start
	if other {
		was = 0
	}
	q.For(b.ContactID, &b.Invitee, was)
	if other {
		lacks, err := Lacking(c.Tx, c.Setup, e, b.ContactID, b.Start)
		if err != nil {
			return err
		}
		q.Lacks(lacks)
	}
	var before, after *booking.Booking
	if b.Visit != nil && (other || moved) {
		if before, after, err = c.amongSiblings(q, hosts[0].ID, false); err != nil {
			return err
		}
	}
	p, err := q.Find(c.Tx, b.Start, hosts[0].ID)
	if err != nil {
		return c.say(q.WithOthers(c.Tx, err, b.Start))
	}
	if p.End != b.Start.Add(length) && (c.end != 0 || !anew) { // that of a session which others have joined
		return fault.Conflictf("slot_taken", "Others have booked the same session, which ends at %s: all its seats end "+
			"together.", p.End)
	}
	c.Waived = p.Waived
	c.put(e, p, anew)
	if err := c.goOnBeside(before, after); err != nil {
		return err
	}
	if err := c.settle(c.Change); err != nil {
		return err
	}
	return c.become()
}

// mayPlace refuses what no host and no hour could make right. anew says that the booking gets the price of e; with
// other seats alone it keeps its own price of a seat.
func (c *correction) mayPlace(e *catalog.EventType, other, anew, seated bool, length time.Duration) error {
	b := c.Booking
	last := lastBegins(b.Works())
	if anew {
		last = lastBegins(e.Works())
	}
	switch {
	case !b.Status.Live():
		return WrongState(b, "changed")
	case length < time.Minute:
		return fault.Invalid("end", "must lie after the start, %s", b.Start)
	case length <= last:
		return fault.Invalid("end", "must lie after %s, when the last part begins", b.Start.Add(last))
	case length > longestEdited:
		return fault.Invalid("end", "a booking lasts at most 7 days")
	case (anew || seated) && b.NeedsPay:
		return fault.Conflictf("payment_due", "The booking waits for its payment, which is for what was booked. Change "+
			"the event type once it is paid.").With("status", b.Status)
	case length > c.Setup.Workspace.LongestBooking:
		return tooLong(length)
	case anew && e.Price != nil:
		if err := refuseCurrency(b, e.Price.Currency); err != nil {
			return err
		}
	}
	if other {
		return c.RefuseDuplicate(e.ID, b.Start)
	}
	return nil
}

// lastBegins returns how long after the first of the works the last one begins; 0 for none, or one.
func lastBegins(works []slot.Work) time.Duration {
	if len(works) == 0 {
		return 0
	}
	return time.Duration(works[len(works)-1].Own.Start-works[0].Own.Start) * time.Millisecond
}

// refuseCurrency refuses a price in another currency than the money that the booking keeps.
func refuseCurrency(b *booking.Booking, price string) error {
	if fee := b.NoShowFee; fee != nil && fee.Currency != price {
		return fault.Invalid("eventType", "is priced in %s, but the no-show fee of this booking is in %s: cancel the "+
			"booking, and make a new one", price, fee.Currency)
	}
	if fee := b.LateFee; fee != nil && fee.Currency != price {
		return fault.Invalid("eventType", "is priced in %s, but the late cancellation fee of this booking is in %s: cancel "+
			"the booking, and make a new one", price, fee.Currency)
	}
	if p := b.Payment; p != nil && p.For() != booking.ForCard && p.Currency != price {
		return fault.Invalid("eventType", "is priced in %s, but this booking was paid online in %s: cancel the booking, "+
			"and make a new one", price, p.Currency)
	}
	for _, p := range b.Payments {
		if p.Stays() && p.Currency != price {
			return fault.Invalid("eventType", "is priced in %s, but this booking was paid in %s: give that money back first",
				price, p.Currency)
		}
	}
	return nil
}

// hosts returns who has the booking afterwards. A booking that only gets another length keeps its host, even one who
// takes no new bookings.
func (c *correction) hosts(e *catalog.EventType, other, moved bool) ([]*catalog.Host, error) {
	b := c.Booking
	if moved {
		return availability.Candidates(c.Setup, e, *c.in.Host)
	}
	host := c.Setup.Host(b.Host.ID)
	if other && host != nil && !e.ServedBy(host.ID) {
		return nil, fault.Invalid("host", "%s does not serve %s: name a host who does", host.Name, e.Title)
	}
	if host == nil {
		return nil, fault.Missing("host", b.Host.ID.String())
	}
	return []*catalog.Host{host}, nil
}

// say names the field that was asked for in the refusal of a time.
func (c *correction) say(err error) error {
	refusal := fault.As(err)
	if refusal == nil || refusal.Field != "start" {
		return err
	}
	switch {
	case c.end != 0:
		refusal.Field = "end"
	case c.in.Host != nil:
		refusal.Field = "host"
	case c.in.EventType == nil && c.in.AddOns != nil:
		refusal.Field = "addOns"
	case c.in.EventType == nil && c.in.Seats != nil:
		refusal.Field = "seats"
	default:
		refusal.Field = "eventType"
	}
	return refusal
}

// put writes the place into the booking.
func (c *correction) put(e *catalog.EventType, p availability.Place, anew bool) {
	b := c.Booking
	b.Taken = p.Taken
	if anew {
		if b.EventTypeID != e.ID {
			b.TakePlace(c.Setup, e)
		}
		b.EventTypeID, b.EventType, b.Location, b.Price = e.ID, e.Slug, e.Location, e.Price
		b.SetChosen(e)
	}
	if b.Host.ID == p.Host.ID {
		return
	}
	before := b.Host
	if h := c.Setup.Host(before.ID); h != nil {
		before.Name = h.Name
	}
	b.HostChanged, b.PreviousHost, b.HostNamed = true, &before, true
	b.Host = catalog.HostRef{ID: p.Host.ID, Name: p.Host.Name}
}

// become records a move to the same start.
func (c *correction) become() error {
	b := c.Booking
	to, known := booking.Rescheduled, b.Status != booking.Pending
	if !known {
		to = booking.Pending
	}
	b.PreviousStart = b.Start
	b.RescheduleCount++
	if err := c.Become(to, booking.ActRescheduled, ""); err != nil || !known {
		return err
	}
	return c.EmitBooking(catalog.BookingRescheduled)
}
