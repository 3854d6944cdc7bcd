package movein

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/when"
)

// Ended is a line that is cancelled there, of a booking that would take place here.
type Ended struct {
	Line          int
	Name, Service string
	Start         when.Instant
	Ticked        bool // see Input.Cancel

	row *row
}

// endedThere finds the bookings that are cancelled there and would take place here. What was never imported is counted, as
// is what one of the rows that take place has again, and what goes beyond the length of the list.
func (s *Service) endedThere(ctx context.Context, a app.Actor, p *Preview, in *Input, setup *catalog.Setup, rows []*row) error {
	r, live := s.Reader(ctx), map[string]bool{}
	for _, x := range rows {
		live[x.key()] = true
	}
	for i := range p.ended {
		x := &p.ended[i]
		if x.foreign == "" { // it is known by what it is
			x.in.Host, x.in.EventType = hostNamed(setup, x.member), serviceNamed(setup, x.service)
			if x.in.Host == 0 {
				x.in.Host, _ = setup.HostRef(cmp.Or(meant(p.People, x.member), in.People[x.member]))
			}
			if e := setup.EventType(cmp.Or(meant(p.Services, x.service), in.Services[x.service])); x.in.EventType == 0 && e != nil {
				x.in.EventType = e.ID
			}
		}
		if live[x.key()] || len(p.Ended) >= shownOverlap {
			p.Cancelled++
			continue
		}
		known, err := r.ImportedBooking(a.Workspace, p.source, x.key())
		var b booking.Booking
		if err == nil {
			b, err = r.Booking(a.Workspace, known.Booking)
		}
		if errors.Is(err, fault.ErrNotFound) || err == nil && !b.Status.Live() {
			p.Cancelled++
			continue
		}
		if err != nil {
			return err
		}
		x.ends = b.ID
		x.in.Host, x.in.EventType, x.in.Start, x.in.End, x.in.Tell = b.Host.ID, b.EventTypeID, b.Start, b.End, in.Tell
		e := Ended{Line: x.line, Name: b.Invitee.Name, Start: b.Start, Ticked: slices.Contains(in.Cancel, x.line), row: x}
		if t := setup.EventTypeByID(b.EventTypeID); t != nil {
			e.Service = t.Title
		}
		if p.Ended = append(p.Ended, e); e.Ticked {
			p.Ending++
		}
	}
	return nil
}

func hostNamed(setup *catalog.Setup, key string) catalog.HostID {
	for i := range setup.Hosts {
		if h := &setup.Hosts[i]; key != "" && named(h.Name) == key {
			return h.ID
		}
	}
	return 0
}

func serviceNamed(setup *catalog.Setup, key string) catalog.EventTypeID {
	for i := range setup.EventTypes {
		if e := &setup.EventTypes[i]; key != "" && named(e.Title) == key {
			return e.ID
		}
	}
	return 0
}

// end cancels the booking of a row that is cancelled there.
func (s *Service) end(tx Tx, a app.Actor, to *app.Importing, x *row, run *contact.Run, im *contact.Import, done *Preview) error {
	b, err := tx.Booking(a.Workspace, x.ends)
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return err
	}
	if err != nil || !b.Status.Live() || !to.Holds(&b) { // somebody was faster
		done.list(x)
		return nil
	}
	ended, err := to.Cancel(b.ID, x.in.Tell)
	if err != nil {
		return err
	}
	if err := run.Met(tx, &booking.Contact{ID: b.ContactID, WorkspaceID: a.Workspace}, false); err != nil {
		return err
	}
	im.Booked++
	done.Ending++
	return tx.InsertImportedBooking(&Item{Import: run.ID(), Workspace: a.Workspace, Booking: b.ID, Updated: ended.UpdatedAt,
		Found: b.UpdatedAt, Before: Place{b.Host.ID, b.EventTypeID, b.Start, b.End}})
}
