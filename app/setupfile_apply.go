package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// errDryRun undoes what a dry run did.
var errDryRun = errors.New("dry run")

// ApplySetup makes the workspace what the file says, in one transaction, and tells what differed. It creates what is
// missing and changes what differs; it touches no booking, and nothing that the file does not name. Event types that
// the file names stand in its order; a new one follows the one before it in the file. With dryRun it only tells.
//
// The errors name the line and the path: bad_request, conflict slug_taken.
func (s *Service) ApplySetup(ctx context.Context, file SetupFile, dryRun bool) ([]Difference, error) {
	var p *planner
	err := s.write(ctx, func(tx Tx) error {
		p = &planner{s: s, tx: tx, file: file, diffs: []Difference{}}
		if err := p.run(); err != nil {
			return err
		}
		if dryRun {
			return errDryRun
		}
		return nil
	})
	if err == errDryRun {
		err = nil
	}
	if err != nil {
		return nil, file.located(err)
	}
	return p.diffs, nil
}

// planner applies one file within one transaction.
type planner struct {
	s     *Service
	tx    Tx
	file  SetupFile
	diffs []Difference

	workspace Workspace
	hosts     []Host      // of the workspace, as they will be; new ones at the end
	types     []EventType // likewise, in their order
}

func (p *planner) run() error {
	for _, part := range []func() error{p.applyWorkspace, p.load, p.applyHosts, p.applyEventTypes} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) applyWorkspace() error {
	f := &p.file.workspace
	if f.id == "" && f.key == "" {
		return Invalid("workspace.slug", "is required: it says which workspace this is")
	}
	id, err := givenID[workspaceKind](f.id, "workspace")
	if err != nil {
		return err
	}
	w, err := p.tx.Workspace(id)
	if err == ErrNotFound {
		w, err = p.tx.WorkspaceBySlug(f.key)
	}
	if err == ErrNotFound {
		return p.createWorkspace(id)
	}
	if err != nil {
		return err
	}
	before := workspaceDocument(&w)
	f.apply(&w)
	if f.key != "" {
		w.Slug = f.key
	}
	if err := w.check(); err != nil {
		return err
	}
	p.workspace = w
	if !p.compare("workspace", before.Slug, before, workspaceDocument(&w)) {
		return nil
	}
	err = p.tx.UpdateWorkspace(&w)
	if err == ErrTaken {
		e := conflict("slug_taken", "workspace.slug: there is another workspace %q already; choose another slug", w.Slug)
		e.Field = "workspace.slug"
		return e
	}
	return err
}

func (p *planner) createWorkspace(id WorkspaceID) error {
	f := &p.file.workspace
	var w Workspace
	f.apply(&w)
	in := WorkspaceInput{ID: id, Slug: f.key, Name: w.Name, TimeZone: w.TimeZone, Currency: w.Currency}
	if f.key == "" {
		return Invalid("workspace.slug", "is required: this database has no workspace %s", f.id)
	}
	for _, name := range []string{"name", "timeZone"} {
		if _, given := f.given[name]; !given {
			return Invalid("workspace."+name, "is required: there is no workspace %q yet", f.key)
		}
	}
	err := p.tx.Try(func() (err error) {
		w, err = p.s.insertWorkspace(p.tx, in)
		return err
	})
	if IsCode(err, Conflict) && id != 0 { // not the slug, that was looked for: the id
		in.ID = 0
		w, err = p.s.insertWorkspace(p.tx, in)
	}
	p.workspace = w
	p.create("workspace", w.Slug, workspaceDocument(&w))
	return err
}

// load reads what there is besides the workspace.
func (p *planner) load() error {
	setup, err := p.tx.Setup(p.workspace.ID)
	if err != nil {
		return err
	}
	p.hosts, p.types = setup.Hosts, setup.EventTypes
	return nil
}

func (p *planner) applyHosts() error {
	var renamed, changed, made []int // indexes in p.hosts
	named := map[HostID]int{}        // index in the file
	old := len(p.hosts)
	for i := range p.file.hosts {
		f, field := &p.file.hosts[i], fmt.Sprintf("hosts[%d]", i)
		id, err := givenID[hostKind](f.id, field)
		if err != nil {
			return err
		}
		if f.id == "" && f.key == "" {
			return Invalid(field+".email", "is required: it says which host this is")
		}
		at := p.findHost(id, f.key)
		if at < 0 {
			at = len(p.hosts)
			p.hosts = append(p.hosts, Host{WorkspaceID: p.workspace.ID, TimeZone: p.workspace.TimeZone, Active: true, CreatedAt: At(p.s.clock())})
			if p.hosts[at].ID = id; id == 0 {
				p.hosts[at].ID = NewID[hostKind](p.s.clock())
			}
		}
		h := &p.hosts[at]
		if before, twice := named[h.ID]; twice {
			return Invalid(field, "is the same host as hosts[%d]", before)
		}
		named[h.ID] = i
		before := hostDocument(h)
		f.apply(h)
		if f.key != "" {
			h.Email = f.key
		}
		if err := f.require(field, at >= old, "email", "name"); err != nil {
			return err
		}
		if err := h.check(field); err != nil {
			return err
		}
		switch {
		case at >= old:
			made = append(made, at)
			p.create("host", h.Email, hostDocument(h))
		case p.compare("host", before.Email, before, hostDocument(h)):
			changed = append(changed, at)
			if !sameEmail(before.Email, h.Email) {
				renamed = append(renamed, at)
			}
		}
	}
	if err := p.checkHosts(named); err != nil {
		return err
	}
	return p.writeHosts(renamed, changed, made)
}

func (p *planner) findHost(id HostID, email string) int {
	at := slices.IndexFunc(p.hosts, func(h Host) bool { return id != 0 && h.ID == id })
	if at < 0 && email != "" {
		at = slices.IndexFunc(p.hosts, func(h Host) bool { return sameEmail(h.Email, email) })
	}
	return at
}

// checkHosts holds the hosts against each other.
func (p *planner) checkHosts(named map[HostID]int) error {
	if len(p.hosts) > maxHosts {
		return Invalid("hosts", "at most %d in a workspace; this would be the %dth", maxHosts, len(p.hosts))
	}
	seen := map[string]HostID{}
	for i := range p.hosts {
		h := &p.hosts[i]
		other, twice := seen[EmailKey(h.Email)]
		if !twice {
			seen[EmailKey(h.Email)] = h.ID
			continue
		}
		at, ok := named[h.ID]
		if !ok {
			at = named[other]
		}
		return Invalid(fmt.Sprintf("hosts[%d].email", at), "another host has the address %s already", h.Email)
	}
	return nil
}

func (p *planner) writeHosts(renamed, changed, made []int) error {
	if len(renamed) > 1 { // they may take each other's addresses
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
		if err == ErrTaken { // not the address, that was looked for: the id, by another workspace
			h.ID = NewID[hostKind](p.s.clock())
			err = p.tx.InsertHost(h)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) applyEventTypes() error {
	emails := emailsOf(p.hosts)
	was := idsOf(p.types)
	named := map[EventTypeID]int{}
	order := make([]EventTypeID, 0, len(p.file.eventTypes)) // of the file
	changed, made := map[EventTypeID]bool{}, map[EventTypeID]bool{}
	renamed := 0
	old := len(p.types)
	for i := range p.file.eventTypes {
		f, field := &p.file.eventTypes[i], fmt.Sprintf("eventTypes[%d]", i)
		id, err := givenID[eventTypeKind](f.id, field)
		if err != nil {
			return err
		}
		if f.id == "" && f.key == "" {
			return Invalid(field+".slug", "is required: it says which event type this is")
		}
		at := p.findEventType(id, f.key)
		if at < 0 {
			at = len(p.types)
			e := NewEventType()
			e.ID, e.WorkspaceID, e.CreatedAt = id, p.workspace.ID, At(p.s.clock())
			if id == 0 {
				e.ID = NewID[eventTypeKind](p.s.clock())
			}
			p.types = append(p.types, e)
		}
		e := &p.types[at]
		if before, twice := named[e.ID]; twice {
			return Invalid(field, "is the same event type as eventTypes[%d]", before)
		}
		named[e.ID] = i
		order = append(order, e.ID)
		before := eventTypeDocument(e, emails)
		if err := p.changeEventType(f, field, e, at >= old); err != nil {
			return err
		}
		after := eventTypeDocument(e, emails)
		switch {
		case at >= old:
			made[e.ID] = true
			p.create("eventType", e.Slug, after)
		case p.compare("eventType", before.Slug, before, after):
			changed[e.ID] = true
			if before.Slug != after.Slug {
				renamed++
			}
		}
	}
	if err := p.checkEventTypes(named); err != nil {
		return err
	}
	p.arrange(was, order, changed)
	return p.writeEventTypes(renamed, changed, made)
}

func (p *planner) findEventType(id EventTypeID, slug string) int {
	at := slices.IndexFunc(p.types, func(e EventType) bool { return id != 0 && e.ID == id })
	if at < 0 && slug != "" {
		at = slices.IndexFunc(p.types, func(e EventType) bool { return e.Slug == slug })
	}
	return at
}

// changeEventType makes e what the file says of it.
func (p *planner) changeEventType(f *patch[EventType], field string, e *EventType, isNew bool) error {
	f.apply(e)
	if f.key != "" {
		e.Slug = f.key
	}
	if err := f.require(field, isNew, "slug", "title", "durationMinutes"); err != nil {
		return err
	}
	for _, m := range []**Money{&e.Price, &e.NoShowFee} {
		if *m != nil && (*m).Currency == "" {
			*m = &Money{(*m).Amount, p.workspace.Currency}
		}
	}
	if err := p.serve(f, field, e, isNew); err != nil {
		return err
	}
	return e.check(field)
}

// serve finds the hosts that the file gives the event type. A new one that gives none has the first.
func (p *planner) serve(f *patch[EventType], field string, e *EventType, isNew bool) error {
	v, given := f.given["hosts"]
	if !given {
		if isNew && len(p.hosts) > 0 {
			e.Hosts = []HostRef{p.firstHost()}
		}
		return nil
	}
	refs, err := readTexts(v)
	if err != nil {
		return err
	}
	e.Hosts = []HostRef{}
	for i, ref := range refs {
		at := slices.IndexFunc(p.hosts, func(h Host) bool { return sameEmail(h.Email, ref) || h.ID.String() == ref })
		where := fmt.Sprintf("%s.hosts[%d]", field, i)
		if at < 0 {
			return Invalid(where, "%q is no host of this workspace; expected the e-mail of one", ref)
		}
		if h := &p.hosts[at]; !e.servedBy(h.ID) {
			e.Hosts = append(e.Hosts, HostRef{h.ID, h.Name})
		} else {
			return Invalid(where, "%s stands twice", ref)
		}
	}
	return nil
}

// firstHost is the file's first, else the workspace's.
func (p *planner) firstHost() HostRef {
	h := &p.hosts[0]
	if len(p.file.hosts) > 0 {
		f := &p.file.hosts[0]
		id, _ := ParseID[hostKind](f.id)
		if at := p.findHost(id, f.key); at >= 0 {
			h = &p.hosts[at]
		}
	}
	return HostRef{h.ID, h.Name}
}

func (p *planner) checkEventTypes(named map[EventTypeID]int) error {
	if len(p.types) > maxEventTypes {
		return Invalid("eventTypes", "at most %d in a workspace; this would be the %dth", maxEventTypes, len(p.types))
	}
	seen := map[string]EventTypeID{}
	for i := range p.types {
		e := &p.types[i]
		other, twice := seen[e.Slug]
		if !twice {
			seen[e.Slug] = e.ID
			continue
		}
		at, ok := named[e.ID]
		if !ok {
			at = named[other]
		}
		return Invalid(fmt.Sprintf("eventTypes[%d].slug", at), "another event type has the slug %s already", e.Slug)
	}
	return nil
}

// arrange puts those that the file names into its order, on the places that they have among the others; a new one
// follows the one before it in the file.
func (p *planner) arrange(was, order []EventTypeID, changed map[EventTypeID]bool) {
	known := slices.DeleteFunc(slices.Clone(order), func(id EventTypeID) bool { return !slices.Contains(was, id) })
	now, next := make([]EventTypeID, 0, len(p.types)), known
	for _, id := range was {
		if slices.Contains(known, id) {
			id, next = next[0], next[1:]
		}
		now = append(now, id)
	}
	if !slices.Equal(was, now) {
		slugs := func(ids []EventTypeID) (all []string) {
			for _, id := range ids {
				all = append(all, p.eventType(id).Slug)
			}
			return all
		}
		p.diffs = append(p.diffs, Difference{Change: "update", Kind: "workspace", Name: p.workspace.Slug, Field: "eventTypes", From: rawJSON(slugs(was)), To: rawJSON(slugs(now))})
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

func (p *planner) eventType(id EventTypeID) *EventType {
	return &p.types[slices.IndexFunc(p.types, func(e EventType) bool { return e.ID == id })]
}

func (p *planner) writeEventTypes(renamed int, changed, made map[EventTypeID]bool) error {
	for i := range p.types {
		if e := p.types[i]; renamed > 1 && changed[e.ID] && !made[e.ID] { // they may take each other's slugs
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
			if err = p.tx.Try(func() error { return p.tx.InsertEventType(e) }); err == ErrTaken { // by another workspace
				e.ID = NewID[eventTypeKind](p.s.clock())
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

func idsOf(types []EventType) (all []EventTypeID) {
	for _, e := range types {
		all = append(all, e.ID)
	}
	return all
}

// givenID reads an id of the file, if there is one.
func givenID[K kind](text, field string) (ID[K], error) {
	if text == "" {
		return 0, nil
	}
	id, err := ParseID[K](text)
	if err != nil || id == 0 {
		return 0, Invalid(field+".id", "%q is no id such as export writes; leave it out for something new", text)
	}
	return id, nil
}

// require names the first field that a new thing lacks.
func (f *patch[T]) require(field string, isNew bool, names ...string) error {
	for _, name := range names {
		if _, given := f.given[name]; isNew && !given {
			return Invalid(field+"."+name, "is required: this one is new")
		}
	}
	return nil
}

// Difference is one thing that a set-up file would change, or has changed.
type Difference struct {
	Change string          `json:"change"`          // create or update
	Kind   string          `json:"kind"`            // workspace, host or eventType
	Name   string          `json:"name"`            // slug or e-mail, as it was
	Field  string          `json:"field,omitempty"` // of an update
	From   json.RawMessage `json:"from,omitempty"`
	To     json.RawMessage `json:"to,omitempty"`
}

// create notes something new; To has it all but the id, which a dry run could not keep.
func (p *planner) create(kind, name string, to any) {
	fields := fieldsOf(to)
	delete(fields, "id")
	p.diffs = append(p.diffs, Difference{Change: "create", Kind: kind, Name: name, To: rawJSON(fields)})
}

// compare notes the fields in which two documents differ, and tells whether any do.
func (p *planner) compare(kind, name string, from, to any) bool {
	old, now := fieldsOf(from), fieldsOf(to)
	differ := false
	for _, field := range slices.Sorted(maps.Keys(now)) {
		if a, b := old[field], now[field]; !bytes.Equal(a, b) {
			p.diffs = append(p.diffs, Difference{Change: "update", Kind: kind, Name: name, Field: field, From: a, To: b})
			differ = true
		}
	}
	return differ
}

func fieldsOf(document any) (fields map[string]json.RawMessage) {
	if err := json.Unmarshal(rawJSON(document), &fields); err != nil {
		panic(err) // what was written just now
	}
	return fields
}

func rawJSON(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // documents hold texts, numbers and lists of them
	}
	return text
}
