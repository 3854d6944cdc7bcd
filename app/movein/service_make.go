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
		var made catalog.Host
		err := s.Write(ctx, func(tx Tx) (err error) {
			made, err = s.shop.In(tx).SaveHost(ctx, a, catalog.Host{Name: n.Name, Email: n.Email,
				TimeZone:   setup.Workspace.TimeZone,
				EventTypes: []catalog.Terms{}, Hours: catalog.Hours{Weekly: map[string][]string{}}})
			if err != nil {
				return err
			}
			im, err := run.Lock(tx)
			if err != nil {
				return err
			}
			if err := tx.InsertImportedHost(a.Workspace, run.ID(), made.ID); err != nil {
				return err
			}
			im.People++
			return run.Note(tx, im)
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
			return noteService(tx, run, a, made.ID)
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

// noteService remembers that the import made a service.
func noteService(tx Tx, run *contact.Run, a app.Actor, made catalog.EventTypeID) error {
	im, err := run.Lock(tx)
	if err != nil {
		return err
	}
	if err := tx.InsertImportedService(a.Workspace, run.ID(), made); err != nil {
		return err
	}
	im.Services++
	return run.Note(tx, im)
}

func hostOf(h catalog.HostID) string {
	if h == 0 {
		return ""
	}
	return h.String()
}
