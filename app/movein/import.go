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
	Upcoming  int              // new bookings that are to come
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
	Start         when.Instant
	Host          catalog.HostID
	Choice        Row // that was made, and does not help
}

// Ended is a line that is cancelled there, of a booking that would take place here.
type Ended struct {
	Line          int
	Name, Service string
	Start         when.Instant
	Ticked        bool // see Input.Cancel

	row *row
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
	r := s.Reader(ctx)
	taken := spans{}
	for _, x := range rows {
		if err := ctx.Err(); err != nil {
			return p, err
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
				err = s.Core.ImportFits(ctx, a, x.in, append(slices.Clip(ending), except)...)
			}
			if fault.As(err) != nil || taken.meets(x) {
				if len(p.Overlaps) < shownOverlap {
					p.Overlaps = append(p.Overlaps, Overlap{x.line, x.person.Name, p.called(p.Services, x.service), x.in.Start, x.in.Host,
						in.Rows[x.line]})
				}
				continue
			}
			if err != nil {
				return p, err
			}
			taken.add(x, p.seats(x, e))
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
	if err := p.read(&in, setup, when.At(s.Now())); err != nil {
		return p, err
	}
	leftAlready := len(p.Left)
	p.resolve(&in, setup)
	err = s.people.Alone(ctx, a, func(run *contact.Run) error {
		if p.makes() {
			p.each(&in, setup) // nothing is made where something is to be chosen yet
			if err := p.decided(); err != nil {
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

// each gives the rows their event types and hosts, and returns those that are not left out.
func (p *Preview) each(in *Input, setup *catalog.Setup) (rows []*row) {
	p.Undecided = 0
	for i := range p.rows {
		x := &p.rows[i]
		if _, out := p.choose(in, setup, x); !out {
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

// importAll imports the rows in steps, and notes in p what was done.
func (s *Service) importAll(ctx context.Context, a app.Actor, run *contact.Run, p *Preview, rows []*row) error {
	for lines := len(rows); len(rows) > 0; {
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
			im.Lines, im.Came = lines, lines-len(rows)+n
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
		p.Moved, p.Same, p.Ending = p.Moved+done.Moved, p.Same+done.Same, p.Ending+done.Ending
		p.Left, p.Listed = append(p.Left, done.Left...), append(p.Listed, done.Listed...)
		if did > 0 {
			p.ID = run.ID()
		}
		rows = rows[n:]
	}
	return nil
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

// makes reports whether a service is to be made.
func (r *Read) makes() bool {
	return slices.ContainsFunc(r.Services, func(n Named) bool { return n.Is == Make })
}

// makeServices makes the services that are chosen to be made: hidden, of the commonest length and price, done by those who
// do them in the table. It returns the set-up with them.
func (s *Service) makeServices(ctx context.Context, a app.Actor, setup *catalog.Setup, run *contact.Run, p *Preview,
	in *Input) (*catalog.Setup, error) {
	for i := range p.Services {
		n := &p.Services[i]
		if n.Is != Make {
			continue
		}
		e := catalog.NewEventType()
		e.Title, e.Slug, e.Hidden = n.Name, setup.FreeSlug(n.Name), true
		e.DurationMinutes, e.Price, e.AsksFor, e.MinimumNoticeMinutes = n.Minutes, n.Price, catalog.AskEither, 0
		if n.Class {
			e.Seats = n.Together
		}
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
		var made catalog.EventType
		err := s.Write(ctx, func(tx Tx) (err error) {
			if made, err = s.shop.In(tx).SaveEventType(ctx, a, e); err != nil {
				return err
			}
			return noteThing(tx, run, a, Thing{AService, int64(made.ID)})
		})
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

// noteThing remembers that the import made a service or a person.
func noteThing(tx Tx, run *contact.Run, a app.Actor, x Thing) error {
	im, err := run.Lock(tx)
	if err != nil {
		return err
	}
	if err := tx.InsertImportedThing(a.Workspace, run.ID(), x); err != nil {
		return err
	}
	im.Things++
	return run.Note(tx, im)
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
		if fault.As(err) != nil {
			done.leave(x.line, x.cells, x.person.Name, textOf(err))
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
		done.Upcoming++
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
