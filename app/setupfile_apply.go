package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
