package movein

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/fault"
	"daybook/app/when"
)

// MoveBusiness takes over what a business has in another program. Whoever and whatever an import made or found before is known by
// its id there, and stays as it is, as do a host with the same e-mail address and a customer who is found by theirs; what is new is
// made. Bookings are imported as ImportAppointments imports those of a table: nothing live overlaps, nobody is mailed, one that was
// moved there is moved here unless somebody changed it here. Interrupted, it returns the error along with what was done, and the same
// again does the rest. contact.Service.UndoImport undoes it. Errors: forbidden, conflict import_running.
func (s *Service) MoveBusiness(ctx context.Context, a app.Actor, b Business) (MovedBusiness, error) {
	if err := MayMove(a); err != nil {
		return MovedBusiness{}, err
	}
	m, err := s.mover(ctx, a, b)
	if err != nil {
		return MovedBusiness{}, err
	}
	err = s.people.Alone(ctx, a, func(run *contact.Run) error {
		m.run = run
		return m.move(ctx)
	})
	if err == nil && m.did {
		m.ID = m.run.ID()
	}
	return m.MovedBusiness, err
}

// PreviewBusiness returns what MoveBusiness would do, without doing it. Errors: forbidden.
func (s *Service) PreviewBusiness(ctx context.Context, a app.Actor, b Business) (MovedBusiness, error) {
	if err := MayMove(a); err != nil {
		return MovedBusiness{}, err
	}
	m, err := s.mover(ctx, a, b)
	if err != nil {
		return MovedBusiness{}, err
	}
	return m.MovedBusiness, m.move(ctx)
}

// MayMove returns an error unless the actor may take over a business: import appointments, and make hosts and services.
func MayMove(a app.Actor) error {
	return cmp.Or(May(a), a.May(app.MayManageHosts), a.May(app.MayManageEventTypes))
}

// mover takes over a business, or says what that would do.
type mover struct {
	MovedBusiness
	s        *Service
	a        app.Actor
	b        Business
	run      *contact.Run // nil of a preview
	setup    *catalog.Setup
	slugs    catalog.Setup // has the event types whose slugs are taken, and nothing else
	known    Parts
	hosts    map[string]catalog.HostID      // by their ids there; in a preview a negative one is yet to be made
	services map[string]catalog.EventTypeID // by their ids there; in a preview 0 is yet to be made
	moves    map[string]booking.BookingID   // those that were moved there, by their ids there
	did      bool
}

func (s *Service) mover(ctx context.Context, a app.Actor, b Business) (*mover, error) {
	setup, err := s.Core.SetupFor(a)
	if err != nil {
		return nil, err
	}
	m := &mover{s: s, a: a, b: b, setup: setup, hosts: map[string]catalog.HostID{}, services: map[string]catalog.EventTypeID{},
		moves: map[string]booking.BookingID{}}
	m.slugs.EventTypes = slices.Clone(setup.EventTypes)
	m.known, err = s.Reader(ctx).ImportedParts(a.Workspace, b.Source)
	m.Left, m.Webhooks = slices.Clone(b.Left), b.Webhooks
	return m, err
}

func (m *mover) move(ctx context.Context) error {
	for _, part := range []func(context.Context) error{m.moveMembers, m.moveOffers, m.moveCustomers, m.moveAppointments} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (m *mover) leave(kind Kind, id, name, format string, args ...any) {
	m.Left = append(m.Left, Left{Kind: kind, ID: id, Name: name, Why: fault.Textf(format, args...)})
}

// unless reports whether err only stands against one thing, which is then left out with why.
func (m *mover) unless(err error, kind Kind, id, name string) bool {
	wrong := fault.As(err)
	if wrong == nil || errors.Is(err, context.Canceled) || wrong.Reason == "import_running" {
		return false
	}
	m.leave(kind, id, name, "%s", textOf(err))
	return true
}

func (m *mover) moveMembers(ctx context.Context) error {
	for i := range m.b.Members {
		come(ctx, OfHost, i, len(m.b.Members))
		x := &m.b.Members[i]
		if id := m.known.Hosts[x.ID]; m.setup.Host(id) != nil {
			m.hosts[x.ID] = id
			m.Hosts.Known++
			continue
		}
		if h := m.setup.HostByEmail(x.Host.Email); h != nil {
			m.hosts[x.ID] = h.ID
			m.Hosts.Known++
			m.leave(OfHours, x.ID, x.Host.Name, "%s is in Daybook already, with hours that stay as they are", h.Email)
			if err := m.remember(ctx, func(tx Tx) error {
				return tx.SaveImportedHost(m.a.Workspace, m.b.Source, x.ID, h.ID)
			}); err != nil {
				return err
			}
			continue
		}
		h := x.Host
		h.EventTypes, h.Active = []catalog.Terms{}, true
		if m.run == nil {
			if err := h.CheckChange("host", nil); err != nil {
				if !m.unless(err, OfHost, x.ID, x.Host.Name) {
					return err
				}
				continue
			}
			m.hosts[x.ID] = catalog.HostID(-1 - i)
			m.Hosts.New++
			continue
		}
		made, err := m.s.makeHost(ctx, m.a, m.run, h, func(tx Tx, made catalog.HostID) error {
			return tx.SaveImportedHost(m.a.Workspace, m.b.Source, x.ID, made)
		})
		if err != nil {
			if !m.unless(err, OfHost, x.ID, x.Host.Name) {
				return err
			}
			continue
		}
		m.hosts[x.ID], m.did = made, true
		m.Hosts.New++
	}
	return m.again()
}

// again reads the set-up again, with what was made.
func (m *mover) again() (err error) {
	if m.run != nil {
		m.setup, err = m.s.Core.SetupFor(m.a)
	}
	return err
}

func (m *mover) remember(ctx context.Context, do func(Tx) error) error {
	if m.run == nil {
		return nil
	}
	return m.s.Write(ctx, do)
}

func (m *mover) moveOffers(ctx context.Context) error {
	for i := range m.b.Offers {
		come(ctx, OfService, i, len(m.b.Offers))
		x := &m.b.Offers[i]
		if id, known := m.known.Services[x.ID]; known && m.setup.EventTypeByID(id) != nil {
			m.services[x.ID] = id
			m.Services.Known++
			continue
		}
		e, looser, notes := m.offered(x)
		if len(e.Hosts) == 0 {
			m.leave(OfService, x.ID, e.Title, "nobody who does it was taken over")
			continue
		}
		made, err := catalog.EventTypeID(0), error(nil)
		if m.run == nil {
			err = e.Problems()
		} else {
			made, err = m.s.makeService(ctx, m.a, m.run, e, func(tx Tx, made catalog.EventTypeID) error {
				return tx.SaveImportedService(m.a.Workspace, m.b.Source, x.ID, made)
			})
		}
		if err != nil {
			if !m.unless(err, OfService, x.ID, e.Title) {
				return err
			}
			continue
		}
		for _, why := range slices.Concat(looser, notes) {
			m.leave(OfService, x.ID, e.Title, "%s", why)
		}
		if len(looser) > 0 {
			m.leave(OfService, x.ID, e.Title, "it is hidden, so that nobody books what was not on offer: look at it, then show it")
		}
		m.services[x.ID], m.did = made, m.did || made != 0
		m.Services.New++
		m.slugs.EventTypes = append(m.slugs.EventTypes, catalog.EventType{Slug: e.Slug})
	}
	return m.again()
}

// offered returns the event type of an offer, the rules that it lacks, and what else is not as it was there.
func (m *mover) offered(x *Offer) (e catalog.EventType, looser, notes []fault.Text) {
	e, looser, notes = x.EventType, slices.Clone(x.Looser), slices.Clone(x.Notes)
	slug := cmp.Or(e.Slug, e.Title)
	if e.Slug = m.slugs.FreeSlug(slug); e.Slug != catalog.SlugOf(slug) {
		notes = append(notes, fault.Textf("its address is %s: %s is taken", e.Slug, catalog.SlugOf(slug)))
	}
	ids := func(of []string) (all []catalog.HostID) {
		for _, id := range of {
			if h, there := m.hosts[id]; there && !slices.Contains(all, h) {
				all = append(all, h)
			}
		}
		return all
	}
	lead, together := ids(x.Members), ids(x.Together)
	if len(together) < len(x.Together) {
		looser = append(looser, fault.Textf("not all who do it together were taken over"))
	}
	n := len(together) + 1
	if len(lead) == 0 {
		lead, n = together, len(together)
	}
	if n > catalog.MaxTogether {
		looser = append(looser, fault.Textf("%d people do it together, and %d are the most here", n, catalog.MaxTogether))
	} else if n > 1 && len(together) > 0 {
		e.Needs = []catalog.Need{{Hosts: n, Of: together}}
	}
	e.Hosts = []catalog.HostRef{}
	for _, id := range lead {
		e.Hosts = append(e.Hosts, catalog.HostRef{ID: id})
	}
	e.Hidden = e.Hidden || len(looser) > 0
	return e, looser, notes
}

func (m *mover) moveCustomers(ctx context.Context) error {
	country := m.setup.Workspace.PhoneCountry()
	for i, some := range slices.Collect(slices.Chunk(m.b.Customers, importStep)) {
		come(ctx, OfCustomer, i*importStep, len(m.b.Customers))
		for i := range some {
			some[i], _ = personOf(some[i], country)
		}
		if m.run == nil {
			for i := range some {
				_, err := m.s.Reader(ctx).ContactOf(m.a.Workspace, booking.Identity{Email: some[i].Email, Phone: some[i].Phone, Country: country})
				switch {
				case err == nil:
					m.Customers.Known++
				case !errors.Is(err, fault.ErrNotFound):
					return err
				case some[i].Check(1, country) != nil:
					m.unless(some[i].Check(1, country), OfCustomer, "", some[i].Name)
				default:
					m.Customers.New++
				}
			}
			continue
		}
		var n Count
		var left []Left
		err := m.s.Write(ctx, func(tx Tx) error {
			n, left = Count{}, nil
			im, err := m.run.Lock(tx)
			if err != nil {
				return err
			}
			for i := range some {
				c, made, err := m.s.people.In(tx).CreateContact(ctx, m.a, some[i])
				switch {
				case fault.As(err) != nil:
					left = append(left, Left{Kind: OfCustomer, Name: cmp.Or(some[i].Name, some[i].Email), Why: textOf(err)})
				case err != nil:
					return err
				case !made:
					n.Known++
				default:
					n.New++
					im.Created++
					if err := m.run.Met(tx, &c, true); err != nil {
						return err
					}
				}
			}
			if n.New > 0 && m.Customers.New == 0 {
				err := audit.Note(tx, m.s.Now(), m.a, audit.Entry{Action: audit.ContactsImported, Subject: m.run.ID().String(), Count: len(m.b.Customers)})
				if err != nil {
					return err
				}
			}
			return m.run.Note(tx, im)
		})
		if err != nil {
			return err
		}
		m.Customers.New, m.Customers.Known, m.did = m.Customers.New+n.New, m.Customers.Known+n.Known, m.did || n.New > 0
		m.Left = append(m.Left, left...)
	}
	return nil
}

// personOf returns somebody as contacts are kept, and what of theirs no contact can have.
func personOf(in booking.ContactInput, country string) (booking.ContactInput, []string) {
	var dropped []string
	in.Name = cut(strings.Join(strings.Fields(in.Name), " "), fault.MaxName)
	if in.Name == "" {
		in.Name, _, _ = strings.Cut(cmp.Or(in.Email, in.Phone), "@")
	}
	if in.TimeZone != "" {
		if _, err := catalog.CheckZone("timeZone", in.TimeZone); err != nil {
			in.TimeZone = ""
		}
	}
	if in.Phone != "" && in.Email != "" {
		if _, err := fault.CheckPhone("phone", in.Phone); err != nil && (&booking.ContactInput{Name: in.Name, Phone: in.Phone}).Check(1, country) != nil {
			dropped, in.Phone = append(dropped, in.Phone), ""
		}
	}
	return in, dropped
}

// cut returns at most so many characters of a text.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
}

func (m *mover) moveAppointments(ctx context.Context) error {
	p := &Preview{}
	p.source = m.b.Source
	for i := range m.b.Offers {
		x := &m.b.Offers[i]
		p.Services = append(p.Services, Named{Name: x.EventType.Title, Key: x.ID, Class: x.EventType.Seats > 1, Together: x.EventType.Seats})
	}
	var rows, moving []*row
	order := make([]int, len(m.b.Appointments))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { // what is confirmed comes before what asks for the same time
		x, y := &m.b.Appointments[i], &m.b.Appointments[j]
		if x.Pending != y.Pending {
			return cmp.Compare(boolInt(x.Pending), boolInt(y.Pending))
		}
		return cmp.Compare(x.Start, y.Start)
	})
	for _, i := range order {
		x, err := m.row(ctx, i)
		if err != nil {
			return err
		}
		switch {
		case x == nil:
		case m.moves[x.foreign] != 0:
			moving = append(moving, x)
		default:
			rows = append(rows, x)
		}
	}
	rows = append(moving, rows...) // they give their time to the others
	var err error
	if m.run == nil {
		err = m.s.previewRows(ctx, m.a, p, &Input{}, m.setup, rows, slices.Collect(maps.Values(m.moves)))
	} else {
		err = m.s.importAll(ctx, m.a, m.run, p, rows)
	}
	m.Upcoming, m.Waiting, m.Moved, m.Same, m.did = p.Upcoming, p.Waiting, p.Moved, p.Same, m.did || p.ID != 0
	for _, l := range slices.Concat(p.Left, p.Listed) {
		x := &m.b.Appointments[l.Line-1]
		m.leaveBooking(x, "%s", l.Text)
	}
	for _, o := range p.Overlaps {
		m.leaveBooking(&m.b.Appointments[o.Line-1], "%s", timeTaken)
	}
	return err
}

func boolInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (m *mover) leaveBooking(x *Appointment, format string, args ...any) {
	m.Left = append(m.Left, Left{Kind: OfBooking, ID: x.ID, Name: x.Person.Name, Start: x.Start, Why: fault.Textf(format, args...)})
}

// row returns what is to be imported of an appointment; nil is nothing.
func (m *mover) row(ctx context.Context, i int) (*row, error) {
	x := &m.b.Appointments[i]
	r := m.s.Reader(ctx)
	known, err := r.ImportedBooking(m.a.Workspace, m.b.Source, x.ID)
	var b booking.Booking
	if err == nil {
		b, err = r.Booking(m.a.Workspace, known.Booking)
	}
	switch {
	case err != nil && !errors.Is(err, fault.ErrNotFound):
		return nil, err
	case err != nil:
	case x.CancelledThere && b.Status.Live():
		m.leaveBooking(x, "it is cancelled there, and takes place here: cancel it here, too, if nobody comes")
	case !x.CancelledThere && !x.Pending && b.Status == booking.Pending:
		m.leaveBooking(x, "it is confirmed there, and waits for approval here: confirm it here, too")
	}
	if x.CancelledThere {
		return nil, nil
	}
	host, there := m.hosts[x.Member]
	if !there {
		m.leaveBooking(x, "the person who does it was not taken over")
		return nil, nil
	}
	service, there := m.services[x.Offer]
	if !there {
		m.leaveBooking(x, "its service was not taken over")
		return nil, nil
	}
	person, dropped := personOf(x.Person, m.setup.Workspace.PhoneCountry())
	in := booking.ImportInput{EventType: service, Host: host, Start: x.Start, End: x.End, Notes: cut(x.Notes, booking.MaxNotes),
		Invitee:   booking.Invitee{Name: person.Name, Email: person.Email, Phone: person.Phone, TimeZone: person.TimeZone},
		CreatedAt: min(x.MadeAt, when.At(m.s.Now())), Imported: booking.ImportedRef{From: m.b.Source, ID: x.ID}, Pending: x.Pending}
	note := []string{}
	if x.InternalNote != "" {
		note = append(note, x.InternalNote)
	}
	for _, number := range dropped {
		note = append(note, "Phone: "+number)
	}
	e := m.eventType(x.Offer)
	if e.Price != nil {
		price := *e.Price
		in.Price = &price
	}
	in.Answers = map[string]any{}
	questions := catalog.Optional(e.Questions)
	for _, q := range questions {
		answer, given := x.Answers[q.Key]
		if !given {
			continue
		}
		if one := map[string]any{q.Key: answer}; len(in.Answers) < catalog.MaxAnswers {
			if _, err := catalog.CheckAnswers(questions, one); err == nil {
				in.Answers[q.Key] = answer
				continue
			}
		}
		note = append(note, fmt.Sprintf("%s: %v", q.Label, answer))
	}
	if in.InternalNote = cut(strings.Join(note, "\n"), booking.MaxNotes); in.Notes != x.Notes || strings.HasSuffix(in.InternalNote, "…") {
		m.leaveBooking(x, "its notes were cut to %d characters", booking.MaxNotes)
	}
	if len(x.ID) > booking.MaxRef {
		m.leaveBooking(x, "its id is longer than %d characters", booking.MaxRef)
		return nil, nil
	}
	if known.Booking != 0 && known.untouched(&b) && !known.same(&in) {
		m.moves[x.ID] = known.Booking
	}
	return &row{line: i + 1, person: person, service: x.Offer, member: x.Member, foreign: x.ID, in: in}, nil
}

// eventType returns the service of the offer with that id, as it is here or would be made.
func (m *mover) eventType(id string) *catalog.EventType {
	if e := m.setup.EventTypeByID(m.services[id]); e != nil {
		return e
	}
	for i := range m.b.Offers {
		if m.b.Offers[i].ID == id {
			return &m.b.Offers[i].EventType
		}
	}
	return &catalog.EventType{}
}
