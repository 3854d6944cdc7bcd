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

func (p *planner) applyEventTypes() error {
	names := namesOf(p.hosts, p.resources)
	was := idsOf(p.types)
	named := map[catalog.EventTypeID]int{}
	order := make([]catalog.EventTypeID, 0, len(p.file.eventTypes)) // of the file
	changed, made := map[catalog.EventTypeID]bool{}, map[catalog.EventTypeID]bool{}
	renamed := 0
	for i := range p.file.eventTypes {
		f, field := &p.file.eventTypes[i], fmt.Sprintf("eventTypes[%d]", i)
		e, isNew, err := p.eventTypeOf(f, field)
		if err != nil {
			p.wrong.add(err)
			continue
		}
		if before, twice := named[e.ID]; twice {
			return fault.Invalid(field, "is the same event type as eventTypes[%d]", before)
		}
		named[e.ID] = i
		order = append(order, e.ID)
		before, slug := eventTypeObject(e, names), e.Slug
		if err := p.changeEventType(f, field, e, isNew); err != nil {
			p.wrong.add(err)
			continue
		}
		p.warnOf(f, field, e)
		after := eventTypeObject(e, names)
		switch {
		case isNew:
			made[e.ID] = true
			p.create("eventType", e.Slug, after)
		case p.compare("eventType", slug, before, after):
			changed[e.ID] = true
			if slug != e.Slug {
				renamed++
			}
		}
	}
	p.wrong.add(p.checkEventTypes(named))
	p.wrong.add(p.workspace.Settings.CheckConsentsUsed("workspace.consents", p.types))
	if err := p.wrong.err(); err != nil {
		return err
	}
	p.left(named)
	p.arrange(was, order, changed)
	return p.writeEventTypes(renamed, changed, made)
}

// eventTypeOf finds the event type by the file's id or slug, or adds a new one.
func (p *planner) eventTypeOf(f *patch[catalog.EventType], field string) (e *catalog.EventType, isNew bool, err error) {
	given, err := givenID[catalog.EventTypeIDKind](f.id, field)
	if err != nil {
		return nil, false, err
	}
	if f.id == "" && f.key == "" {
		return nil, false, fault.Invalid(field+".slug", "is required: it says which event type this is")
	}
	if at := p.findEventType(given, f.key); at >= 0 {
		return &p.types[at], false, nil
	}
	now := p.s.Core.Now()
	if given == 0 {
		given = id.New[catalog.EventTypeIDKind](now)
	}
	fresh := catalog.NewEventType()
	fresh.ID, fresh.WorkspaceID, fresh.CreatedAt = given, p.workspace.ID, when.At(now)
	p.types = append(p.types, fresh)
	return &p.types[len(p.types)-1], true, nil
}

func (p *planner) findEventType(id catalog.EventTypeID, slug string) int {
	at := slices.IndexFunc(p.types, func(e catalog.EventType) bool { return id != 0 && e.ID == id })
	if at < 0 && slug != "" {
		at = slices.IndexFunc(p.types, func(e catalog.EventType) bool { return e.Slug == slug })
	}
	return at
}

// changeEventType changes e as the file says.
func (p *planner) changeEventType(f *patch[catalog.EventType], field string, e *catalog.EventType, isNew bool) error {
	was := e.Picture
	if err := p.fill(f, field, e, isNew); err != nil {
		return err
	}
	if err := checkPicture(p, f, field, was, &e.Picture); err != nil {
		return err
	}
	if err := p.serve(f, field, e, isNew); err != nil {
		return err
	}
	if err := p.need(f, field, e); err != nil {
		return err
	}
	if err := fault.Join(e.Check(field), e.CheckRequires(field, &p.workspace)); err != nil {
		return err
	}
	if _, given := f.given["redirectUrl"]; !given {
		return nil
	}
	return p.workspace.CheckRedirect(field+".redirectUrl", e.RedirectURL)
}

// serve sets the hosts of the event type that the file lists. A new one without a list gets the first host.
func (p *planner) serve(f *patch[catalog.EventType], field string, e *catalog.EventType, isNew bool) error {
	v, given := f.given["hosts"]
	if !given {
		if isNew && len(p.hosts) > 0 {
			e.Hosts = []catalog.HostRef{p.firstHost()}
		}
		return nil
	}
	refs, err := readTexts(v)
	if err != nil {
		return err
	}
	e.Hosts = []catalog.HostRef{}
	for i, ref := range refs {
		at := slices.IndexFunc(p.hosts,
			func(h catalog.Host) bool { return fault.SameEmail(h.Email, ref) || h.ID.String() == ref })
		where := fmt.Sprintf("%s.hosts[%d]", field, i)
		if at < 0 {
			return fault.Invalid(where, "%q is no host of this workspace; expected the e-mail of one", ref)
		}
		if h := &p.hosts[at]; !e.ServedBy(h.ID) {
			e.Hosts = append(e.Hosts, catalog.HostRef{ID: h.ID, Name: h.Name})
		} else {
			return fault.Invalid(where, "%s stands twice", ref)
		}
	}
	return nil
}

// firstHost returns the first host of the file, or else of the workspace.
func (p *planner) firstHost() catalog.HostRef {
	h := &p.hosts[0]
	if len(p.file.hosts) > 0 {
		f := &p.file.hosts[0]
		id, _ := id.Parse[catalog.HostIDKind](f.id)
		if at := p.findHost(id, f.key); at >= 0 {
			h = &p.hosts[at]
		}
	}
	return catalog.HostRef{ID: h.ID, Name: h.Name}
}

func (p *planner) checkEventTypes(named map[catalog.EventTypeID]int) error {
	if len(p.types) > catalog.MaxEventTypes {
		return fault.Invalid("eventTypes", "at most %d in a workspace; this would be the %dth", catalog.MaxEventTypes,
			len(p.types))
	}
	now := &catalog.Setup{Hosts: p.hosts}
	for i := range p.types {
		e := &p.types[i]
		field := "hosts"
		if at, ok := named[e.ID]; ok {
			field = fmt.Sprintf("eventTypes[%d].slotStepMinutes", at)
		}
		if err := e.CheckSize(field, now, nil, p.starts[e.ID]); err != nil {
			return err
		}
	}
	key := func(e *catalog.EventType) (string, catalog.EventTypeID) { return e.Slug, e.ID }
	if i, at := secondOf(p.types, named, key); i > 0 {
		return fault.Invalid(fmt.Sprintf("eventTypes[%d].slug", at), "another event type has the slug %s already",
			p.types[i].Slug)
	}
	return nil
}

// secondOf finds the first of all whose key one before it has, and the place in the file that is to blame: its own, or
// that of the other where the file does not name it. i is 0 when all keys differ. named are the places by id.
func secondOf[T any, ID comparable](all []T, named map[ID]int, of func(*T) (key string, id ID)) (i, at int) {
	seen := map[string]ID{}
	for i := range all {
		key, id := of(&all[i])
		other, twice := seen[key]
		if !twice {
			seen[key] = id
			continue
		}
		at, ok := named[id]
		if !ok {
			at = named[other]
		}
		return i, at
	}
	return 0, 0
}

// arrange puts the event types of the file into the file's order, in the places that they have among the others. A new
// one follows the one before it in the file.
func (p *planner) arrange(was, order []catalog.EventTypeID, changed map[catalog.EventTypeID]bool) {
	known := slices.DeleteFunc(slices.Clone(order), func(id catalog.EventTypeID) bool { return !slices.Contains(was, id) })
	now, next := make([]catalog.EventTypeID, 0, len(p.types)), known
	for _, id := range was {
		if slices.Contains(known, id) {
			id, next = next[0], next[1:]
		}
		now = append(now, id)
	}
	if !slices.Equal(was, now) {
		slugs := func(ids []catalog.EventTypeID) (all []string) {
			for _, id := range ids {
				all = append(all, p.eventType(id).Slug)
			}
			return all
		}
		p.report.Differences = append(p.report.Differences,
			Difference{Change: "update", Kind: "workspace", Name: p.workspace.Slug, Field: "eventTypes",
				From: rawJSON(slugs(was)), To: rawJSON(slugs(now))})
	}
	for i, id := range order {
		if slices.Contains(was, id) {
			continue
		}
		at := len(now)
		if i > 0 {
			at = slices.Index(now, order[i-1]) + 1
		} else if len(known) > 0 {
			at = slices.Index(now, known[0])
		}
		now = slices.Insert(now, at, id)
	}
	if slices.Equal(was, now) {
		return
	}
	for i, id := range now {
		if e := p.eventType(id); e.Position != i {
			e.Position, changed[id] = i, true
		}
	}
}

func (p *planner) eventType(id catalog.EventTypeID) *catalog.EventType {
	return &p.types[slices.IndexFunc(p.types, func(e catalog.EventType) bool { return e.ID == id })]
}

func (p *planner) writeEventTypes(renamed int, changed, made map[catalog.EventTypeID]bool) error {
	for i := range p.types {
		if e := p.types[i]; renamed > 1 && changed[e.ID] && !made[e.ID] { // they may swap slugs
			e.Slug = e.ID.String()
			if err := p.tx.UpdateEventType(&e); err != nil {
				return err
			}
		}
	}
	for i := range p.types {
		e := &p.types[i]
		var err error
		switch {
		case made[e.ID]:
			err = p.tx.Try(func() error { return p.tx.InsertEventType(e) })
			if errors.Is(err, fault.ErrTaken) { // another workspace has the id
				e.ID = id.New[catalog.EventTypeIDKind](p.s.Core.Now())
				err = p.tx.InsertEventType(e)
			}
		case changed[e.ID]:
			err = p.tx.UpdateEventType(e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func idsOf(types []catalog.EventType) (all []catalog.EventTypeID) {
	for _, e := range types {
		all = append(all, e.ID)
	}
	return all
}
