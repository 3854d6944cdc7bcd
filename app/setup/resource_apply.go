package setup

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

func (p *planner) applyResources() error {
	var renamed, changed, made []int      // indexes in p.resources
	named := map[catalog.ResourceID]int{} // index in the file
	for i := range p.file.resources {
		f, field := &p.file.resources[i], fmt.Sprintf("resources[%d]", i)
		at, isNew, err := p.resourceOf(f, field)
		if err != nil {
			p.wrong.add(err)
			continue
		}
		r := &p.resources[at]
		if before, twice := named[r.ID]; twice {
			return fault.Invalid(field, "is the same resource as resources[%d]", before)
		}
		named[r.ID] = i
		before, name := resourceObject(r), r.Name
		if err := p.changeResource(f, field, r, isNew); err != nil {
			p.wrong.add(err)
			continue
		}
		switch {
		case isNew:
			made = append(made, at)
			p.create("resource", r.Name, resourceObject(r))
		case p.compare("resource", name, before, resourceObject(r)):
			changed = append(changed, at)
			if catalog.ResourceKey(name) != catalog.ResourceKey(r.Name) {
				renamed = append(renamed, at)
			}
		}
	}
	p.wrong.add(p.checkResources(named))
	if p.wrong.err() != nil {
		return nil // applyEventTypes reports them with its own
	}
	return p.writeResources(renamed, changed, made)
}

// resourceOf finds the resource by the file's id or name, or adds a new one.
func (p *planner) resourceOf(f *patch[catalog.Resource], field string) (at int, isNew bool, err error) {
	given, err := givenID[catalog.ResourceIDKind](f.id, field)
	if err != nil {
		return 0, false, err
	}
	if f.id == "" && f.key == "" {
		return 0, false, fault.Invalid(field+".name", "is required: it says which resource this is")
	}
	if at := p.findResource(given, f.key); at >= 0 {
		return at, false, nil
	}
	now := p.s.Core.Now()
	if given == 0 {
		given = id.New[catalog.ResourceIDKind](now)
	}
	fresh := newResource(&p.workspace)
	fresh.ID, fresh.WorkspaceID, fresh.CreatedAt = given, p.workspace.ID, when.At(now)
	p.resources = append(p.resources, fresh)
	return len(p.resources) - 1, true, nil
}

// newResource returns a resource with the defaults.
func newResource(w *catalog.Workspace) catalog.Resource {
	return catalog.Resource{Kind: catalog.Room, Active: true, TimeZone: w.TimeZone}
}

// changeResource changes r as the file says.
func (p *planner) changeResource(f *patch[catalog.Resource], field string, r *catalog.Resource, isNew bool) error {
	old := *r
	if err := f.apply(r); err != nil {
		return err
	}
	if f.key != "" {
		r.Name = f.key
	}
	var wrong mistakes
	if isNew {
		wrong.add(f.require(field, &catalog.ResourceFields))
	}
	if wrong.err() == nil {
		zone, err := catalog.CheckZone("workspace.timeZone", p.workspace.TimeZone)
		if err != nil {
			return err
		}
		wrong.add(r.Check(field, zone))
	}
	if wrong.err() == nil {
		wrong.add(r.CheckNights(field, &old))
	}
	return wrong.err()
}

func (p *planner) findResource(id catalog.ResourceID, name string) int {
	at := slices.IndexFunc(p.resources, func(r catalog.Resource) bool { return id != 0 && r.ID == id })
	if at < 0 && name != "" {
		at = slices.IndexFunc(p.resources, func(r catalog.Resource) bool { return catalog.ResourceKey(r.Name) == catalog.ResourceKey(name) })
	}
	return at
}

// checkResources checks the number of resources and that their names differ.
func (p *planner) checkResources(named map[catalog.ResourceID]int) error {
	if len(p.resources) > catalog.MaxResources {
		return fault.Invalid("resources", "at most %d in a workspace; this would be the %dth", catalog.MaxResources,
			len(p.resources))
	}
	key := func(r *catalog.Resource) (string, catalog.ResourceID) { return catalog.ResourceKey(r.Name), r.ID }
	if i, at := secondOf(p.resources, named, key); i > 0 {
		return fault.Invalid(fmt.Sprintf("resources[%d].name", at), "another resource has the name %s already",
			p.resources[i].Name)
	}
	return nil
}

func (p *planner) writeResources(renamed, changed, made []int) error {
	for _, some := range [][]int{renamed, changed} { // as bookings lock them
		slices.SortFunc(some, func(a, b int) int { return cmp.Compare(p.resources[a].ID, p.resources[b].ID) })
	}
	if len(renamed) > 1 { // they may swap names
		for _, at := range renamed {
			r := p.resources[at]
			r.Name = r.ID.String()
			if err := p.tx.UpdateResource(&r); err != nil {
				return err
			}
		}
	}
	for _, at := range changed {
		if err := p.tx.UpdateResource(&p.resources[at]); err != nil {
			return err
		}
	}
	for _, at := range made {
		r := &p.resources[at]
		err := p.tx.Try(func() error { return p.tx.InsertResource(r) })
		if errors.Is(err, fault.ErrTaken) { // the name is free, so another workspace has the id
			r.ID = id.New[catalog.ResourceIDKind](p.s.Core.Now())
			err = p.tx.InsertResource(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
