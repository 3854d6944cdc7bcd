package movein

import (
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

const (
	importStep   = 20 // the most rows in one transaction
	shownRows    = 5
	shownOverlap = 200
)

// Preview says what importing a table would do, or what was done.
type Preview struct {
	Read
	Upcoming  int              // new bookings that are to come
	Waiting   int              // of those, what waits for approval
	Past      int              // new bookings that were
	NoShows   int              // of those
	Moved     int              // known ones that moved there
	Same      int              // known ones that are as they were
	Reminded  int              // of Upcoming, those whose reminders could be sent
	Overlaps  []Overlap        // what is to come and meets something
	Ended     []Ended          // known ones that are cancelled there, and would take place here
	Ending    int              // those of Ended that are cancelled
	Listed    []LineProblem    // known ones that moved there, but were changed here
	Rows      []Shown          // the first
	StoppedAt int              // the first line that was not imported, if the import was interrupted
	Undecided int              // lines of services or people of whom nothing is chosen yet
	ID        contact.ImportID // to undo it; 0 if there is nothing to undo
}

// Overlap is a line whose time is taken.
type Overlap struct {
	Line          int
	Name, Service string
	Person        string // as the table names them
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
	if err := p.read(&in, setup, now, s.numbered(ctx, a)); err != nil {
		return p, err
	}
	p.resolve(&in, setup)
	rows := p.each(&in, setup)
	if err := s.endedThere(ctx, a, &p, &in, setup, rows); err != nil {
		return p, err
	}
	var ending []booking.BookingID // whose times are free by then
	for _, e := range p.Ended {
		if e.Ticked {
			ending = append(ending, e.row.ends)
		}
	}
	return p, s.previewRows(ctx, a, &p, &in, setup, rows, ending)
}

// previewRows notes in p what importing the rows would do, once the bookings of ending have given their time.
func (s *Service) previewRows(ctx context.Context, a app.Actor, p *Preview, in *Input, setup *catalog.Setup, rows []*row,
	ending []booking.BookingID) error {
	r, now := s.Reader(ctx), when.At(s.Now())
	taken := spans{}
	for i, x := range rows {
		come(ctx, OfBooking, i, len(rows))
		if err := ctx.Err(); err != nil {
			return err
		}
		e := setup.EventTypeByID(x.in.EventType) // nil is yet to be made
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
					return err
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
				return err
			}
		}
		if x.in.End > now {
			err := error(nil)
			if x.in.Host > 0 { // nothing is in the way of who is new
				err = s.Core.ImportFits(ctx, a, x.in, append(slices.Clip(ending), except)...)
			}
			if fault.As(err) != nil || taken.meets(x) {
				if len(p.Overlaps) < shownOverlap {
					p.Overlaps = append(p.Overlaps, Overlap{x.line, x.person.Name, p.called(p.Services, x.service),
						p.called(p.People, x.member), x.in.Start, x.in.Host, in.Rows[x.line]})
				}
				continue
			}
			if err != nil {
				return err
			}
			taken.add(x, p.seats(x, e))
		}
		switch {
		case except != 0:
			p.Moved++
		case x.in.End > now:
			p.Upcoming++
			if x.in.Pending {
				p.Waiting++
			}
			if x.person.Email != "" && (e == nil || len(e.ReminderMinutes) > 0) {
				p.Reminded++
			}
		default:
			if p.Past++; x.in.NoShow {
				p.NoShows++
			}
		}
	}
	return nil
}

func (p *Preview) list(x *row) {
	p.Listed = append(p.Listed, x.problem(fault.Textf("it was changed here since")))
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

// choose gives a row its event type and host, and reports whether it is to be imported: it may be left out, or not decided
// yet. A service that is yet to be made has no event type.
func (p *Preview) choose(in *Input, setup *catalog.Setup, x *row) bool {
	service, person, choice := meant(p.Services, x.service), meant(p.People, x.member), in.Rows[x.line]
	if choice.Host != 0 {
		person = choice.Host.String()
	}
	switch {
	case choice.Out || service == Out || person == Out:
		p.Left = append(p.Left, x.problem(fault.Textf("it was to be left out")))
		return false
	case service == "" || person == "":
		p.Undecided++
		return false
	}
	if choice.At != "" {
		at, err := when.ParseWall("2006-01-02T15:04", choice.At, setup.Zone)
		if err != nil {
			p.Left = append(p.Left, x.problem(fault.Textf("no date and time that can be read: %q", choice.At)))
			return false
		}
		length := x.in.End - x.in.Start
		x.in.Start = when.At(at)
		x.in.End = x.in.Start + length
	}
	if person == Make {
		x.in.Host = p.newcomer(x.member)
	} else {
		x.in.Host, _ = setup.HostRef(person)
	}
	if service != Make {
		x.in.EventType = setup.EventType(service).ID
	}
	if in.Remind {
		x.in.Marks |= booking.ImportReminds
	}
	if in.Calendar {
		x.in.Marks |= booking.ImportCalendar
	}
	x.in.Tell = in.Tell
	return true
}

// newcomer stands for somebody who is yet to be made: negative, and the same for all names with one e-mail.
func (p *Preview) newcomer(member string) catalog.HostID {
	of := slices.IndexFunc(p.People, func(n Named) bool { return n.Key == member })
	first := slices.IndexFunc(p.People, func(n Named) bool { return n.Is == Make && fault.SameEmail(n.Email, p.People[of].Email) })
	return catalog.HostID(-1 - first)
}

// key returns by what the appointment is known.
func (x *row) key() string {
	if x.foreign != "" {
		return x.foreign
	}
	return "~" + x.in.Start.String() + "~" + x.in.EventType.String() + "~" + x.in.Host.String() + "~" +
		booking.Identity{Email: x.person.Email, Phone: x.person.Phone}.Key()
}

// spans are the times of the rows before, by host and day. Rows of one session, of a service with seats, don't meet.
type spans map[spanDay][]*taking

type spanDay struct {
	host catalog.HostID
	day  when.Instant
}

type taking struct {
	start, end when.Instant
	service    string
	seats      int // left
}

// days are those that the row touches, in UTC.
func (x *row) days() (all []spanDay) {
	const day = 24 * 60 * 60 * 1000
	for d := x.in.Start / day; d <= x.in.End/day; d++ {
		all = append(all, spanDay{x.in.Host, d})
	}
	return all
}

func (s spans) meets(x *row) bool {
	for _, d := range x.days() {
		for _, t := range s[d] {
			if t.start < x.in.End && x.in.Start < t.end &&
				!(t.start == x.in.Start && t.end == x.in.End && t.service == x.service && t.seats > 0) {
				return true
			}
		}
	}
	return false
}

// add adds a row of a service with so many seats.
func (s spans) add(x *row, seats int) {
	days := x.days()
	for _, t := range s[days[0]] {
		if t.start == x.in.Start && t.service == x.service {
			t.seats--
			return
		}
	}
	t := &taking{x.in.Start, x.in.End, x.service, seats - 1}
	for _, d := range days {
		s[d] = append(s[d], t)
	}
}

// seats returns how many the row's service has, or will have.
func (p *Preview) seats(x *row, e *catalog.EventType) int {
	if e != nil {
		return e.Seats
	}
	for i := range p.Services {
		if n := &p.Services[i]; n.Key == x.service && n.Class {
			return n.Together
		}
	}
	return 1
}

// each gives the rows their event types and hosts, and returns those that are not left out.
func (p *Preview) each(in *Input, setup *catalog.Setup) (rows []*row) {
	p.Undecided = 0
	for i := range p.rows {
		x := &p.rows[i]
		if p.choose(in, setup, x) {
			rows = append(rows, x)
		}
	}
	return rows
}

func (p *Preview) decided() error {
	if p.Undecided > 0 {
		return fault.Invalid("file", "%d lines have a service or a person that is not chosen yet", p.Undecided)
	}
	return nil
}
