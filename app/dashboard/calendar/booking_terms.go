package calendar

import (
	"slices"
	"time"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/when"
	"daybook/views/dash"
)

// terms say what is booked: how long it takes and what it costs, with what was chosen, and from when to when once a
// time is picked. There is a line for each host who may take it where that differs, else one.
func (c call) terms(e *catalog.EventType, in availability.Input, picked string) ([]dash.Fact, error) {
	start, err := when.Parse(picked)
	if err != nil {
		start = 0
	}
	offers, err := c.withHosts(e, in, start)
	if err != nil {
		return nil, err
	}
	lines := make([]dash.Fact, len(offers))
	for i, o := range offers {
		length := c.Length(int(time.Duration(o.End-start) * time.Millisecond / time.Minute))
		lines[i].Value = length + " · " + c.Price(o.Price)
		if start != 0 {
			lines[i].Value = c.Span(start, o.End) + " · " + lines[i].Value
		}
		if h := c.Setup.Host(o.Host); h != nil {
			lines[i].Name = h.Name
		}
	}
	return lines, nil
}

// withHosts returns what the event type takes from a start on, 0 for none: with the host who is asked for; else with
// each who is free then, or with each who serves it where none is, if it depends on them; else with anybody.
func (c call) withHosts(e *catalog.EventType, in availability.Input, start when.Instant) ([]availability.HostSlot, error) {
	slot, err := c.slotAt(in, start)
	if err != nil {
		return nil, err
	}
	if slot != nil && len(slot.ByHost) > 0 {
		return slot.ByHost, nil
	}
	var hosts []catalog.HostID
	for _, ref := range e.Hosts {
		named := in.Host == ref.ID.String()
		if h := c.Setup.Host(ref.ID); named || in.Host == "" && e.Varies() && h != nil && h.Active {
			hosts = append(hosts, ref.ID)
		}
	}
	if len(hosts) == 0 {
		hosts = append(hosts, 0)
	}
	all := make([]availability.HostSlot, len(hosts))
	for i, host := range hosts {
		own := e.With(host)
		all[i] = availability.HostSlot{Host: host, Price: own.Price,
			End: start.Add(time.Duration(own.DurationMinutes) * time.Minute)}
		if slot != nil {
			all[i].End = slot.End
		}
	}
	return all, nil
}

// slotAt returns the open time that starts then, nil for none.
func (c call) slotAt(in availability.Input, start when.Instant) (*availability.Slot, error) {
	if start == 0 {
		return nil, nil
	}
	in.From, in.To, in.TimeZone = start.String(), start.Add(time.Minute).String(), c.Setup.Workspace.TimeZone
	v, err := c.Subjects.Availability(c.Context(), c.Actor, in)
	if web.Refused(err) != nil { // the form says why
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	slots := v.Slots()
	at := slices.IndexFunc(slots, func(s availability.Slot) bool { return s.Start == start })
	if at < 0 {
		return nil, nil
	}
	return &slots[at], nil
}

// hostsWithTerms returns the hosts to choose from, each with what it takes where that depends on the host.
func (c call) hostsWithTerms(e *catalog.EventType) []dash.Option {
	all := c.typeHosts(e)
	if !e.Varies() {
		return all
	}
	for i, h := range e.Hosts {
		own := e.With(h.ID)
		all[i+1].Label += " · " + c.Length(own.DurationMinutes) + " · " + c.Price(own.Price)
	}
	return all
}

// titled returns the title of an event type with what was chosen of it.
func titled(e *catalog.EventType) string {
	var b booking.Booking
	b.SetChosen(e)
	return b.Titled(e.Title)
}
