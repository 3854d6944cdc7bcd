package movein

import (
	"cmp"
	"context"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/contact"
)

// makes reports whether a service or a person is to be made.
func (r *Read) makes() bool {
	return slices.ContainsFunc(slices.Concat(r.Services, r.People), func(n Named) bool { return n.Is == Make })
}

// makePeople adds those to the team who are chosen to be made and do any of the rows: without hours, and uninvited. It
// returns the set-up with them.
func (s *Service) makePeople(ctx context.Context, a app.Actor, setup *catalog.Setup, run *contact.Run, p *Preview,
	rows []*row) (*catalog.Setup, error) {
	needed := map[int]bool{}
	for _, x := range rows {
		if x.in.Host < 0 {
			needed[int(-1-x.in.Host)] = true
		}
	}
	for i := range p.People {
		n := &p.People[i]
		if n.Is != Make {
			continue
		}
		if h := setup.HostByEmail(n.Email); h != nil { // another name has the same e-mail
			n.Is = h.ID.String()
			continue
		}
		if !needed[i] {
			continue
		}
		made, err := s.makeHost(ctx, a, run, catalog.Host{Name: n.Name, Email: n.Email, TimeZone: setup.Workspace.TimeZone,
			EventTypes: []catalog.Terms{}, Hours: catalog.Hours{Weekly: map[string][]string{}}}, nil)
		if err != nil {
			return nil, err
		}
		n.Is = made.String()
		if setup, err = s.Core.SetupFor(a); err != nil {
			return nil, err
		}
	}
	return setup, nil
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
		made, err := s.makeService(ctx, a, run, e, nil)
		if err != nil {
			return nil, err
		}
		n.Is = made.String()
		if setup, err = s.Core.SetupFor(a); err != nil {
			return nil, err
		}
	}
	return setup, nil
}

// makeHost adds somebody to the team, as something that the import did. also, if not nil, is done with it.
func (s *Service) makeHost(ctx context.Context, a app.Actor, run *contact.Run, h catalog.Host,
	also func(Tx, catalog.HostID) error) (made catalog.HostID, err error) {
	return made, s.making(ctx, run, func(tx Tx) error {
		saved, err := s.shop.In(tx).SaveHost(ctx, a, h)
		if err != nil {
			return err
		}
		made = saved.ID
		if err := tx.InsertImportedHost(a.Workspace, run.ID(), made); err != nil || also == nil {
			return err
		}
		return also(tx, made)
	}, func(im *contact.Import) { im.People++ })
}

// makeService makes a service, as something that the import did. also, if not nil, is done with it.
func (s *Service) makeService(ctx context.Context, a app.Actor, run *contact.Run, e catalog.EventType,
	also func(Tx, catalog.EventTypeID) error) (made catalog.EventTypeID, err error) {
	return made, s.making(ctx, run, func(tx Tx) error {
		saved, err := s.shop.In(tx).SaveEventType(ctx, a, e)
		if err != nil {
			return err
		}
		made = saved.ID
		if err := tx.InsertImportedService(a.Workspace, run.ID(), made); err != nil || also == nil {
			return err
		}
		return also(tx, made)
	}, func(im *contact.Import) { im.Services++ })
}

// making has the import do something and count it, in one transaction.
func (s *Service) making(ctx context.Context, run *contact.Run, do func(Tx) error, count func(*contact.Import)) error {
	return s.Write(ctx, func(tx Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		im, err := run.Lock(tx) // after the locks of what it does
		if err != nil {
			return err
		}
		count(&im)
		return run.Note(tx, im)
	})
}

func hostOf(h catalog.HostID) string {
	if h == 0 {
		return ""
	}
	return h.String()
}
