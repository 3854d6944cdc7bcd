package movein

import (
	"context"
	"errors"
	"io"
	"slices"
	"strconv"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/when"
)

// May returns an error unless the actor may import appointments: as customers are imported, and booked against the rules.
func May(a app.Actor) error {
	for _, c := range []app.Command{app.MayManageContacts, app.MayBook, app.MayWaive} {
		if err := a.May(c); err != nil {
			return err
		}
	}
	if a.Own() {
		return a.May(app.MayManageContacts)
	}
	return nil
}

// timeTaken is why what meets something live is left out.
var timeTaken = fault.Textf("its time is taken")

func (k *Known) same(in *booking.ImportInput) bool {
	return k.Host == in.Host && k.EventType == in.EventType && k.Start == in.Start && k.End == in.End
}

// untouched reports whether the booking is still as the other program had it.
func (k *Known) untouched(b *booking.Booking) bool {
	return b.Status.Stands() && k.Host == b.Host.ID && k.EventType == b.EventTypeID && k.Start == b.Start && k.End == b.End
}

// ImportAppointments reads appointments from a table and saves each as a booking. Customers are found as an import of
// customers finds them, or made; one that is there stays as it is. Nobody is told: no mail is written, no endpoint called
// unless Input.Tell says so. What meets something live is left out and listed; what was is kept in any case. Lines that
// were imported before change nothing, or move their booking if they say something else by now and nobody has changed it
// here. It writes in small steps, so that it delays nobody; interrupted, it returns the error along with what was done, and
// the same file again does the rest. contact.Service.UndoImport undoes it. Errors: forbidden, bad_request (the file as a whole;
// services and people of whom nothing is chosen), conflict import_running.
func (s *Service) ImportAppointments(ctx context.Context, a app.Actor, in Input) (p Preview, err error) {
	if err := May(a); err != nil {
		return p, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return p, err
	}
	if err := p.read(&in, setup, when.At(s.Now()), s.numbered(ctx, a)); err != nil {
		return p, err
	}
	leftAlready := len(p.Left)
	p.resolve(&in, setup)
	err = s.people.Alone(ctx, a, func(run *contact.Run) error {
		if in.Begun != nil {
			in.Begun(run.ID())
		}
		if p.makes() {
			rows := p.each(&in, setup) // nothing is made where something is to be chosen yet
			if err := p.decided(); err != nil {
				return err
			}
			if setup, err = s.makePeople(ctx, a, setup, run, &p, rows); err != nil {
				return err
			}
			if setup, err = s.makeServices(ctx, a, setup, run, &p, &in); err != nil {
				return err
			}
		}
		p.Left = p.Left[:leftAlready]
		rows := p.each(&in, setup)
		if err := p.decided(); err != nil {
			return err
		}
		if err := s.endedThere(ctx, a, &p, &in, setup, rows); err != nil {
			return err
		}
		p.Ending = 0     // those that were cancelled are counted
		var first []*row // what ends gives its time to the others
		for i := range p.Ended {
			if e := &p.Ended[i]; e.Ticked {
				first = append(first, e.row)
			}
		}
		return s.importAll(ctx, a, run, &p, append(first, rows...))
	})
	slices.SortStableFunc(p.Left, func(a, b LineProblem) int { return a.Line - b.Line })
	return p, err
}

// numbered returns what finds customers by their numbers in another program.
func (s *Service) numbered(ctx context.Context, a app.Actor) func(string) ([]booking.Contact, error) {
	return func(number string) ([]booking.Contact, error) { return s.people.WithNumber(ctx, a, number) }
}

// importAll imports the rows in steps, and notes in p what was done.
func (s *Service) importAll(ctx context.Context, a app.Actor, run *contact.Run, p *Preview, rows []*row) error {
	for lines := len(rows); len(rows) > 0; {
		come(ctx, OfBooking, lines-len(rows), lines)
		n := min(len(rows), importStep)
		part := rows[:n]
		before, err := s.hostsBefore(ctx, a, p.source, part)
		if err != nil {
			return err
		}
		var done Preview
		did := 0
		first := p.Upcoming+p.Past+p.Moved+p.Ending == 0
		err = s.Write(ctx, func(tx Tx) error {
			done = Preview{}
			im, err := s.importRows(ctx, tx, a, p.source, part, before, run, &done)
			if err != nil {
				return err
			}
			did = im.Did()
			im.Lines, im.Come = lines, lines-len(rows)+n
			im.LeftOut = len(p.Left) + len(p.Listed) + len(done.Left) + len(done.Listed)
			if err := run.Note(tx, im); err != nil {
				return err
			}
			if !first || done.Upcoming+done.Past+done.Moved+done.Ending == 0 { // it is logged with the first change
				return nil
			}
			return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.BookingsImported, Subject: run.ID().String(), Count: lines})
		})
		if err != nil {
			p.StoppedAt = rows[0].line
			return err
		}
		p.Upcoming, p.Past, p.NoShows = p.Upcoming+done.Upcoming, p.Past+done.Past, p.NoShows+done.NoShows
		p.Waiting += done.Waiting
		p.Moved, p.Same, p.Ending = p.Moved+done.Moved, p.Same+done.Same, p.Ending+done.Ending
		p.Left, p.Listed = append(p.Left, done.Left...), append(p.Listed, done.Listed...)
		if did > 0 {
			p.ID = run.ID()
		}
		rows = rows[n:]
	}
	return nil
}

// hostsBefore returns who does the bookings that the rows are already.
func (s *Service) hostsBefore(ctx context.Context, a app.Actor, source string, rows []*row) (before []catalog.HostID, err error) {
	for _, x := range rows {
		known, err := s.Reader(ctx).ImportedBooking(a.Workspace, source, x.key())
		if err == nil {
			before = append(before, known.Host)
		} else if !errors.Is(err, fault.ErrNotFound) {
			return nil, err
		}
	}
	return before, nil
}

// importRows imports some rows in a transaction, and returns what the import has done with them.
func (s *Service) importRows(ctx context.Context, tx Tx, a app.Actor, source string, rows []*row,
	before []catalog.HostID, run *contact.Run, done *Preview) (im contact.Import, err error) {
	all := make([]booking.ImportInput, len(rows))
	for i, x := range rows {
		all[i] = x.in
	}
	to, err := s.Core.In(tx).Importing(ctx, a, all, before...)
	if err != nil {
		return im, err
	}
	if im, err = run.Lock(tx); err != nil {
		return im, err
	}
	for _, x := range rows {
		err := s.importRow(ctx, tx, a, to, source, x, before, run, &im, done)
		if e := fault.As(err); e != nil && e.Reason == "slot_taken" {
			done.Left = append(done.Left, x.problem(timeTaken))
		} else if e != nil {
			done.Left = append(done.Left, x.problem(e.Text()))
		} else if err != nil {
			return im, err
		}
	}
	return im, nil
}

// importRow imports a row. An error with a text leaves it out.
func (s *Service) importRow(ctx context.Context, tx Tx, a app.Actor, to *app.Importing, source string, x *row,
	before []catalog.HostID, run *contact.Run, im *contact.Import, done *Preview) error {
	if x.ends != 0 {
		return s.end(tx, a, to, x, run, im, done)
	}
	known, err := tx.ImportedBooking(a.Workspace, source, x.key())
	if errors.Is(err, fault.ErrNotFound) {
		return s.importNew(ctx, tx, a, to, source, x, run, im, done)
	}
	if err != nil {
		return err
	}
	b, err := tx.Booking(a.Workspace, known.Booking)
	switch {
	case err != nil:
		return err
	case known.same(&x.in):
		done.Same++
		return nil
	case !known.untouched(&b) || !slices.Contains(before, b.Host.ID):
		done.list(x)
		return nil
	}
	moved, err := to.Move(b.ID, x.in)
	if err != nil {
		return err
	}
	if err := run.Met(tx, &booking.Contact{ID: b.ContactID, WorkspaceID: a.Workspace}, false); err != nil {
		return err
	}
	item := Item{Import: run.ID(), Workspace: a.Workspace, Booking: b.ID, Updated: moved.UpdatedAt, Found: b.UpdatedAt,
		Before: Place{known.Host, known.EventType, known.Start, known.End}}
	if err := tx.InsertImportedBooking(&item); err != nil {
		return err
	}
	im.Booked++
	done.Moved++
	return tx.SaveImportedBooking(x.remembered(&known))
}

// importNew makes a booking of a row.
func (s *Service) importNew(ctx context.Context, tx Tx, a app.Actor, to *app.Importing, source string, x *row,
	run *contact.Run, im *contact.Import, done *Preview) error {
	c, made, err := s.people.In(tx).CreateContact(ctx, a, x.person)
	if err != nil {
		return err
	}
	x.in.Contact = c.ID
	b, err := to.Book(x.in)
	if fault.As(err) == nil && err != nil {
		return err
	}
	if made { // who has no appointment stays a customer until the import is undone
		im.Created++
	}
	if made || err == nil {
		if err := run.Met(tx, &c, made); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	item := Item{Import: run.ID(), Workspace: a.Workspace, Booking: b.ID, Updated: b.UpdatedAt}
	if err := tx.InsertImportedBooking(&item); err != nil {
		return err
	}
	im.Booked++
	if b.End > when.At(s.Now()) {
		if done.Upcoming++; b.Status == booking.Pending {
			done.Waiting++
		}
	} else if done.Past++; x.in.NoShow {
		done.NoShows++
	}
	return tx.SaveImportedBooking(x.remembered(&Known{Workspace: a.Workspace, Source: source, Foreign: x.key(), Booking: b.ID}))
}

// remembered returns what is to be remembered of the row's appointment.
func (x *row) remembered(k *Known) *Known {
	k.Host, k.EventType, k.Start, k.End = x.in.Host, x.in.EventType, x.in.Start, x.in.End
	return k
}

// WriteLeftOut writes the lines that PreviewAppointments would leave out as CSV, with the headings of the file and a last
// column "why"; words puts the reasons in words. Errors: those of PreviewAppointments.
func (s *Service) WriteLeftOut(ctx context.Context, a app.Actor, in Input, to io.Writer,
	words func(fault.Text) string) error {
	p, err := s.PreviewAppointments(ctx, a, in)
	if err != nil {
		return err
	}
	out := contact.NewCSV(to)
	headings := make([]string, len(p.Columns), len(p.Columns)+1)
	for i := range p.Columns {
		headings[i] = p.Columns[i].Heading
	}
	out.Write(append(headings, "why"))
	for _, l := range slices.Concat(p.Left, p.Listed) {
		cells := slices.Clone(l.cells)
		for len(cells) < len(headings) {
			cells = append(cells, "")
		}
		out.Write(append(cells, strconv.Itoa(l.Line)+": "+words(l.Text)))
	}
	return out.Flush()
}
