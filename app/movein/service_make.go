package movein

import (
	"cmp"
	"context"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/contact"
)

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
