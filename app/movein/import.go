package movein

import (
	"cmp"
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

const (
	importStep   = 20 // the most rows in one transaction
	shownRows    = 5
	shownOverlap = 200
)

// Preview says what importing a table would do, or what was done.
type Preview struct {
	Read
	Upcoming  int           // new bookings that are to come
	Past      int           // new bookings that were
	NoShows   int           // of those
	Moved     int           // known ones that moved there
	Same      int           // known ones that are as they were
	Reminded  int           // of Upcoming, those whose reminders could be sent
	Overlaps  []Overlap     // what is to come and meets something
	Listed    []LineProblem // known ones that moved there, but were changed here
	Rows      []Shown       // the first
	StoppedAt int           // the first line that was not imported, if the import was interrupted
	Undecided int           // lines of services or people of whom nothing is chosen yet
}

// Overlap is a line whose time is taken.
type Overlap struct {
	Line          int
	Name, Service string
	Start         when.Instant
	Host          catalog.HostID
	Choice        Row // that was made, and does not help
}

// Shown is a line as it would be saved.
type Shown struct {
	Line                  int
	Name, Service, Person string
	Start, End            when.Instant
}

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

// PreviewAppointments returns what ImportAppointments would do, without doing it. If no column says when an appointment
// starts or who comes, it returns the columns along with the error. Errors: forbidden, bad_request (the file as a whole).
func (s *Service) PreviewAppointments(ctx context.Context, a app.Actor, in Input) (p Preview, err error) {
	if err := May(a); err != nil {
		return p, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return p, err
	}
	now := when.At(s.Now())
	if err := p.read(&in, setup, now); err != nil {
		return p, err
	}
	p.resolve(&in, setup)
	r := s.Reader(ctx)
	taken := spans{}
	for i := range p.rows {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		x := &p.rows[i]
		e, out := p.choose(&in, setup, x)
		if out {
			continue
		}
		if len(p.Rows) < shownRows {
			p.Rows = append(p.Rows, Shown{x.line, x.person.Name, p.called(p.Services, x.service),
				p.called(p.People, x.member), x.in.Start, x.in.End})
		}
		var except booking.BookingID
		if e != nil {
			known, err := r.ImportedBooking(a.Workspace, p.source, x.key())
			if err == nil {
				switch b, err := r.Booking(a.Workspace, known.Booking); {
				case err != nil && !errors.Is(err, fault.ErrNotFound):
					return p, err
				case err == nil && known.same(&x.in):
					p.Same++
					continue
				case err == nil && !known.untouched(&b):
					p.list(x)
					continue
				case err == nil:
					except = b.ID
				}
			} else if !errors.Is(err, fault.ErrNotFound) {
				return p, err
			}
		}
		if x.in.End > now {
			err := error(nil)
			if e != nil {
				err = s.Core.ImportFits(ctx, a, x.in, except)
			}
			if fault.As(err) != nil || taken.meets(x, e) {
				if len(p.Overlaps) < shownOverlap {
					p.Overlaps = append(p.Overlaps, Overlap{x.line, x.person.Name, p.called(p.Services, x.service), x.in.Start, x.in.Host,
						in.Rows[x.line]})
				}
				continue
			}
			if err != nil {
				return p, err
			}
			taken.add(x, e)
		}
		switch {
		case except != 0:
			p.Moved++
		case x.in.End > now:
			p.Upcoming++
			if x.person.Email != "" && (e == nil || len(e.ReminderMinutes) > 0) {
				p.Reminded++
			}
		default:
			if p.Past++; x.in.NoShow {
				p.NoShows++
			}
		}
	}
	return p, nil
}

func (p *Preview) list(x *row) {
	p.Listed = append(p.Listed, LineProblem{x.line, x.person.Name, fault.Textf("it was changed here since"), x.cells})
}

// called returns what the table calls a name.
func (p *Preview) called(all []Named, key string) string {
	for i := range all {
		if all[i].Key == key {
			return all[i].Name
		}
	}
	return ""
}

func meant(all []Named, key string) string {
	for i := range all {
		if all[i].Key == key {
			return all[i].Is
		}
	}
	return ""
}

// choose gives a row its event type and host. A service that is yet to be made has none. out says that the row is left
// out, or that it isn't decided yet.
func (p *Preview) choose(in *Input, setup *catalog.Setup, x *row) (e *catalog.EventType, out bool) {
	service, person, choice := meant(p.Services, x.service), meant(p.People, x.member), in.Rows[x.line]
	if choice.Host != 0 {
		person = choice.Host.String()
	}
	switch {
	case choice.Out || service == Out || person == Out:
		p.leave(x.line, x.cells, x.person.Name, fault.Textf("it was to be left out"))
		return nil, true
	case service == "" || person == "":
		p.Undecided++
		return nil, true
	}
	if choice.At != "" {
		at, err := when.ParseWall("2006-01-02T15:04", choice.At, setup.Zone)
		if err != nil {
			p.leave(x.line, x.cells, x.person.Name, fault.Textf("no date and time that can be read: %q", choice.At))
			return nil, true
		}
		length := x.in.End - x.in.Start
		x.in.Start = when.At(at)
		x.in.End = x.in.Start + length
	}
	x.in.Host, _ = setup.HostRef(person)
	if service != Make {
		e = setup.EventType(service)
		x.in.EventType = e.ID
	}
	if in.Remind {
		x.in.Marks |= booking.ImportReminds
	}
	if in.Calendar {
		x.in.Marks |= booking.ImportCalendar
	}
	x.in.Tell = in.Tell
	return e, false
}

// key returns by what the appointment is known.
func (x *row) key() string {
	if x.foreign != "" {
		return x.foreign
	}
	return "~" + x.in.Start.String() + "~" + x.in.EventType.String() + "~" + x.in.Host.String() + "~" +
		booking.Identity{Email: x.person.Email, Phone: x.person.Phone}.Key()
}

func (k *Known) same(in *booking.ImportInput) bool {
	return k.Host == in.Host && k.EventType == in.EventType && k.Start == in.Start && k.End == in.End
}

// untouched reports whether the booking is still as the other program had it.
func (k *Known) untouched(b *booking.Booking) bool {
	return b.Status.Stands() && k.Host == b.Host.ID && k.EventType == b.EventTypeID && k.Start == b.Start && k.End == b.End
}

// spans are the times of the rows before, by host. Rows of one session, of a service with seats, don't meet.
type spans map[catalog.HostID][]taking

type taking struct {
	start, end when.Instant
	service    string
	seats      int // left
}

func (s spans) meets(x *row, e *catalog.EventType) bool {
	for i := range s[x.in.Host] {
		t := &s[x.in.Host][i]
		if t.start < x.in.End && x.in.Start < t.end &&
			!(t.start == x.in.Start && t.end == x.in.End && t.service == x.service && t.seats > 0) {
			return true
		}
	}
	return false
}

func (s spans) add(x *row, e *catalog.EventType) {
	all := s[x.in.Host]
	for i := range all {
		if all[i].start == x.in.Start && all[i].service == x.service {
			all[i].seats--
			return
		}
	}
	seats := 1
	if e != nil {
		seats = e.Seats
	}
	s[x.in.Host] = append(all, taking{x.in.Start, x.in.End, x.service, seats - 1})
}

// ImportAppointments reads appointments from a table and saves each as a booking. Customers are found as an import of
// customers finds them, or made; one that is there stays as it is. Nobody is told: no mail is written, no endpoint called
// unless Input.Tell says so. What meets something live is left out and listed; what was is kept in any case. Lines that
// were imported before change nothing, or move their booking if they say something else by now and nobody has changed it
// here. It writes in small steps, so that it delays nobody; interrupted, it returns the error along with what was done, and
// the same file again does the rest. Errors: forbidden, bad_request (the file as a whole; services and people of whom
// nothing is chosen), conflict import_running.
func (s *Service) ImportAppointments(ctx context.Context, a app.Actor, in Input) (p Preview, err error) {
	if err := May(a); err != nil {
		return p, err
	}
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return p, err
	}
	if err := p.read(&in, setup, when.At(s.Now())); err != nil {
		return p, err
	}
	p.resolve(&in, setup)
	if p.makes() {
		if setup, err = s.makeServices(ctx, a, setup, &p, &in); err != nil {
			return p, err
		}
	}
	var rows []*row
	for i := range p.rows {
		x := &p.rows[i]
		if _, out := p.choose(&in, setup, x); !out {
			rows = append(rows, x)
		}
	}
	if p.Undecided > 0 {
		return p, fault.Invalid("file", "%d lines have a service or a person that is not chosen yet", p.Undecided)
	}
	lines := len(rows)
	err = s.people.Alone(ctx, a, func(step func(app.Tx) error) error {
		for len(rows) > 0 {
			n := min(len(rows), importStep)
			part := rows[:n]
			before, err := s.hostsBefore(ctx, a, p.source, part)
			if err != nil {
				return err
			}
			var done Preview
			first := p.Upcoming+p.Past+p.Moved == 0
			err = s.Write(ctx, func(tx Tx) error {
				done = Preview{}
				if err := s.importRows(ctx, tx, a, p.source, part, before, step, &done); err != nil {
					return err
				}
				if !first || done.Upcoming+done.Past+done.Moved == 0 { // it is logged with the first change
					return nil
				}
				return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.BookingsImported, Count: lines})
			})
			if err != nil {
				p.StoppedAt = rows[0].line
				return err
			}
			p.Upcoming, p.Past, p.NoShows = p.Upcoming+done.Upcoming, p.Past+done.Past, p.NoShows+done.NoShows
			p.Moved, p.Same = p.Moved+done.Moved, p.Same+done.Same
			p.Left, p.Listed = append(p.Left, done.Left...), append(p.Listed, done.Listed...)
			rows = rows[n:]
		}
		return nil
	})
	slices.SortStableFunc(p.Left, func(a, b LineProblem) int { return a.Line - b.Line })
	return p, err
}

// makes reports whether a service is to be made.
func (r *Read) makes() bool {
	return slices.ContainsFunc(r.Services, func(n Named) bool { return n.Is == Make })
}

// makeServices makes the services that are chosen to be made: hidden, of the commonest length and price, done by those who
// do them in the table. It returns the set-up with them.
func (s *Service) makeServices(ctx context.Context, a app.Actor, setup *catalog.Setup, p *Preview,
	in *Input) (*catalog.Setup, error) {
	for i := range p.Services {
		n := &p.Services[i]
		if n.Is != Make {
			continue
		}
		e := catalog.NewEventType()
		e.Title, e.Slug, e.Hidden = n.Name, setup.FreeSlug(n.Name), true
		e.DurationMinutes, e.Price, e.AsksFor, e.MinimumNoticeMinutes = n.Minutes, n.Price, catalog.AskEither, 0
		for j := range p.rows {
			x := &p.rows[j]
			person := cmp.Or(hostOf(in.Rows[x.line].Host), meant(p.People, x.member))
			if h, err := setup.HostRef(person); x.service == n.Key && err == nil &&
				!slices.ContainsFunc(e.Hosts, func(ref catalog.HostRef) bool { return ref.ID == h }) {
				e.Hosts = append(e.Hosts, catalog.HostRef{ID: h})
			}
		}
		if len(e.Hosts) == 0 { // nobody is chosen for its lines
			continue
		}
		made, err := s.shop.SaveEventType(ctx, a, e)
		if err != nil {
			return nil, err
		}
		n.Is = made.ID.String()
		if setup, err = s.Core.SetupFor(a); err != nil {
			return nil, err
		}
	}
	return setup, nil
}

func hostOf(h catalog.HostID) string {
	if h == 0 {
		return ""
	}
	return h.String()
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

// importRows imports some rows in a transaction.
func (s *Service) importRows(ctx context.Context, tx Tx, a app.Actor, source string, rows []*row,
	before []catalog.HostID, step func(app.Tx) error, done *Preview) error {
	all := make([]booking.ImportInput, len(rows))
	for i, x := range rows {
		all[i] = x.in
	}
	im, err := s.Core.In(tx).Importing(ctx, a, all, before...)
	if err != nil {
		return err
	}
	if err := step(tx); err != nil {
		return err
	}
	now := when.At(s.Now())
	for _, x := range rows {
		left := func(err error) error {
			if fault.As(err) == nil {
				return err
			}
			done.leave(x.line, x.cells, x.person.Name, textOf(err))
			return nil
		}
		known, err := tx.ImportedBooking(a.Workspace, source, x.key())
		switch {
		case err == nil:
			b, err := tx.Booking(a.Workspace, known.Booking)
			if err != nil {
				return err
			}
			switch {
			case known.same(&x.in):
				done.Same++
				continue
			case !known.untouched(&b) || !slices.Contains(before, b.Host.ID):
				done.list(x)
				continue
			}
			if _, err = im.Move(b.ID, x.in); err != nil {
				if err = left(err); err != nil {
					return err
				}
				continue
			}
			done.Moved++
		case errors.Is(err, fault.ErrNotFound):
			c, _, err := s.people.In(tx).CreateContact(ctx, a, x.person)
			if err != nil {
				if err = left(err); err != nil {
					return err
				}
				continue
			}
			x.in.Contact = c.ID
			b, err := im.Book(x.in)
			if err != nil {
				if err = left(err); err != nil {
					return err
				}
				continue
			}
			known = Known{Workspace: a.Workspace, Source: source, Foreign: x.key(), Booking: b.ID}
			if b.End > now {
				done.Upcoming++
			} else if done.Past++; x.in.NoShow {
				done.NoShows++
			}
		default:
			return err
		}
		known.Host, known.EventType, known.Start, known.End = x.in.Host, x.in.EventType, x.in.Start, x.in.End
		if err := tx.SaveImportedBooking(&known); err != nil {
			return err
		}
	}
	return nil
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
