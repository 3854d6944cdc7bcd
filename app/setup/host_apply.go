package setup

import (
	"errors"
	"fmt"
	"slices"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

func (p *planner) applyHosts() error {
	var renamed, changed, made []int  // indexes in p.hosts
	named := map[catalog.HostID]int{} // index in the file
	for i := range p.file.hosts {
		f, field := &p.file.hosts[i], fmt.Sprintf("hosts[%d]", i)
		at, isNew, err := p.hostOf(f, field)
		if err != nil {
			p.wrong.add(err)
			continue
		}
		h := &p.hosts[at]
		if before, twice := named[h.ID]; twice {
			return fault.Invalid(field, "is the same host as hosts[%d]", before)
		}
		named[h.ID] = i
		before, email := hostObject(h), h.Email
		if err := p.changeHost(f, field, h, isNew); err != nil {
			p.wrong.add(err)
			continue
		}
		switch {
		case isNew:
			made = append(made, at)
			p.create("host", h.Email, hostObject(h))
		case p.compare("host", email, before, hostObject(h)):
			changed = append(changed, at)
			if !fault.SameEmail(email, h.Email) {
				renamed = append(renamed, at)
			}
		}
	}
	p.wrong.add(p.checkHosts(named))
	if p.wrong.err() != nil {
		return nil // applyEventTypes reports them with its own
	}
	return p.writeHosts(renamed, changed, made)
}

// hostOf finds the host by the file's id or e-mail, or adds a new one.
func (p *planner) hostOf(f *patch[catalog.Host], field string) (at int, isNew bool, err error) {
	given, err := givenID[catalog.HostIDKind](f.id, field)
	if err != nil {
		return 0, false, err
	}
	if f.id == "" && f.key == "" {
		return 0, false, fault.Invalid(field+".email", "is required: it says which host this is")
	}
	if at := p.findHost(given, f.key); at >= 0 {
		return at, false, nil
	}
	now := p.s.Core.Now()
	if given == 0 {
		given = id.New[catalog.HostIDKind](now)
	}
	p.hosts = append(p.hosts,
		catalog.Host{ID: given, WorkspaceID: p.workspace.ID, TimeZone: p.workspace.TimeZone, Active: true,
			CreatedAt: when.At(now)})
	return len(p.hosts) - 1, true, nil
}

// changeHost changes h as the file says.
func (p *planner) changeHost(f *patch[catalog.Host], field string, h *catalog.Host, isNew bool) error {
	old := *h
	if err := f.apply(h); err != nil {
		return err
	}
	if err := checkPicture(p, f, field, old.Picture, &h.Picture); err != nil {
		return err
	}
	if f.key != "" {
		h.Email = f.key
	}
	p.withCurrency(h.EventTypes)
	var wrong mistakes
	if isNew {
		wrong.add(f.require(field, &catalog.HostFields))
	}
	if wrong.err() == nil {
		wrong.add(h.Check(field))
	}
	wrong.add(h.CheckNights(field, &old))
	return wrong.err()
}

func (p *planner) findHost(id catalog.HostID, email string) int {
	at := slices.IndexFunc(p.hosts, func(h catalog.Host) bool { return id != 0 && h.ID == id })
	if at < 0 && email != "" {
		at = slices.IndexFunc(p.hosts, func(h catalog.Host) bool { return fault.SameEmail(h.Email, email) })
	}
	return at
}

// checkHosts checks the number of hosts and that their addresses differ.
func (p *planner) checkHosts(named map[catalog.HostID]int) error {
	if len(p.hosts) > catalog.MaxHosts {
		return fault.Invalid("hosts", "at most %d in a workspace; this would be the %dth", catalog.MaxHosts, len(p.hosts))
	}
	key := func(h *catalog.Host) (string, catalog.HostID) { return fault.EmailKey(h.Email), h.ID }
	if i, at := secondOf(p.hosts, named, key); i > 0 {
		return fault.Invalid(fmt.Sprintf("hosts[%d].email", at), "another host has the address %s already", p.hosts[i].Email)
	}
	return nil
}

func (p *planner) writeHosts(renamed, changed, made []int) error {
	if len(renamed) > 1 { // they may swap addresses
		for _, at := range renamed {
			h := p.hosts[at]
			h.Email = h.ID.String()
			if err := p.tx.UpdateHost(&h); err != nil {
				return err
			}
		}
	}
	for _, at := range changed {
		if err := p.tx.UpdateHost(&p.hosts[at]); err != nil {
			return err
		}
	}
	for _, at := range made {
		h := &p.hosts[at]
		err := p.tx.Try(func() error { return p.tx.InsertHost(h) })
		if errors.Is(err, fault.ErrTaken) { // the address is free, so another workspace has the id
			h.ID = id.New[catalog.HostIDKind](p.s.Core.Now())
			err = p.tx.InsertHost(h)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
