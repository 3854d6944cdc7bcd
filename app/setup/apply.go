package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
)

// errDryRun undoes what a dry run did.
var errDryRun = errors.New("dry run")

// ApplySetup makes the workspace what the file says, in one transaction, and tells what differed. It creates what is
// missing and changes what differs; it touches no booking, and nothing that the file does not name. Event types that
// the file names stand in its order; a new one follows the one before it in the file. With dryRun it only tells.
//
// Errors: forbidden, bad_request, conflict slug_taken. Those of the file name the line and the path, and one error
// lists several mistakes.
func (s *Service) ApplySetup(ctx context.Context, a app.Actor, file File, dryRun bool) (Report, error) {
	if err := a.May(app.MayOperate); err != nil {
		return Report{}, err
	}
	var p *planner
	err := s.Write(ctx, func(tx Tx) error {
		p = &planner{s: s, tx: tx, file: file}
		p.report = Report{Differences: []Difference{}, Left: []Unnamed{}, Warnings: []Warning{}}
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
		return Report{}, file.located(err)
	}
	return p.report, nil
}

// planner applies one file within one transaction.
type planner struct {
	s      *Service
	tx     Tx
	file   File
	report Report
	wrong  mistakes // in hosts and event types

	workspace catalog.Workspace
	cards     bool                        // Stripe is connected
	hosts     []catalog.Host              // of the workspace, as they will be; new ones at the end
	types     []catalog.EventType         // likewise, in their order
	starts    map[catalog.EventTypeID]int // how many starts a day those had that there are already
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
		return fault.Invalid("workspace.slug", "is required: it says which workspace this is")
	}
	id, err := givenID[catalog.WorkspaceIDKind](f.id, "workspace")
	if err != nil {
		return err
	}
	w, err := p.tx.Workspace(id)
	if err == fault.ErrNotFound {
		w, err = p.tx.WorkspaceBySlug(f.key)
	}
	if err == fault.ErrNotFound {
		return p.createWorkspace(id)
	}
	if err != nil {
		return err
	}
	before := workspaceDocument(&w)
	if err := f.apply(&w); err != nil {
		return err
	}
	if f.key != "" {
		w.Slug = f.key
	}
	if err := w.Check(); err != nil {
		return err
	}
	p.workspace = w
	if !p.compare("workspace", before.Slug, before, workspaceDocument(&w)) {
		return nil
	}
	err = p.tx.UpdateWorkspace(&w)
	if err == fault.ErrTaken {
		e := fault.Conflictf("slug_taken", "workspace.slug: there is another workspace %q already; choose another slug",
			w.Slug)
		e.Field = "workspace.slug"
		return e
	}
	return err
}

func (p *planner) createWorkspace(id catalog.WorkspaceID) error {
	f := &p.file.workspace
	var w catalog.Workspace
	if err := f.apply(&w); err != nil {
		return err
	}
	in := app.WorkspaceInput{ID: id, Slug: f.key, Name: w.Name, TimeZone: w.TimeZone, Currency: w.Currency}
	if f.key == "" {
		return fault.Invalid("workspace.slug", "is required: this database has no workspace %s", f.id)
	}
	for _, name := range []string{"name", "timeZone"} {
		if _, given := f.given[name]; !given {
			return fault.Invalid("workspace."+name, "is required: there is no workspace %q yet", f.key)
		}
	}
	err := p.tx.Try(func() (err error) {
		w, err = p.s.Core.InsertWorkspace(p.tx, in)
		return err
	})
	if fault.Is(err, fault.Conflict) && id != 0 { // not the slug, that was looked for: the id
		in.ID = 0
		w, err = p.s.Core.InsertWorkspace(p.tx, in)
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
	p.hosts, p.types, p.starts = setup.Hosts, setup.EventTypes, map[catalog.EventTypeID]int{}
	for i := range setup.EventTypes {
		e := &setup.EventTypes[i]
		p.starts[e.ID] = e.StartsPerDay(setup, nil, e.SlotStepMinutes)
	}
	p.cards, err = p.s.Core.TakesMoney(p.tx, p.workspace.ID)
	return err
}

// givenID reads an id of the file, if there is one.
func givenID[K id.Kind](text, field string) (id.ID[K], error) {
	if text == "" {
		return 0, nil
	}
	id, err := id.Parse[K](text)
	if err != nil || id == 0 {
		return 0, fault.Invalid(field+".id", "%q is no id such as export writes; leave it out for something new", text)
	}
	return id, nil
}

// require names the first field that a new thing lacks.
func (f *patch[T]) require(field string, isNew bool, names ...string) error {
	for _, name := range names {
		if _, given := f.given[name]; isNew && !given {
			return fault.Invalid(field+"."+name, "is required: this one is new")
		}
	}
	return nil
}

// Report is what became of a set-up file, or would.
type Report struct {
	Differences []Difference `json:"differences"`
	Left        []Unnamed    `json:"left"` // what the workspace has and the file doesn't name; it stays as it is
	Warnings    []Warning    `json:"warnings"`
}

// Unnamed is a host or an event type that the file doesn't name.
type Unnamed struct {
	Kind   string `json:"kind"` // host or eventType
	Name   string `json:"name"` // e-mail or slug
	Active bool   `json:"active"`
}

// Warning is what can be set so but is probably not meant. Path and line say where in the file.
type Warning struct {
	Line    int    `json:"line,omitempty"`
	Path    string `json:"path"`
	Message string `json:"message"`
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
	p.report.Differences = append(p.report.Differences,
		Difference{Change: "create", Kind: kind, Name: name, To: rawJSON(fields)})
}

// compare notes the fields in which two documents differ, and tells whether any do.
func (p *planner) compare(kind, name string, from, to any) bool {
	old, now := fieldsOf(from), fieldsOf(to)
	differ := false
	for _, field := range slices.Sorted(maps.Keys(now)) {
		if a, b := old[field], now[field]; !bytes.Equal(a, b) {
			differ = true
			if field == "weekly" {
				p.compareDays(kind, name, a, b)
				continue
			}
			p.report.Differences = append(p.report.Differences,
				Difference{Change: "update", Kind: kind, Name: name, Field: field, From: a, To: b})
		}
	}
	return differ
}

// compareDays notes the days of the week that differ, each alone.
func (p *planner) compareDays(kind, name string, from, to json.RawMessage) {
	old, now := fieldsOf(from), fieldsOf(to)
	for i := range catalog.Weekdays {
		day := catalog.Weekdays[(i+1)%len(catalog.Weekdays)] // from Monday on
		if a, b := old[day], now[day]; !bytes.Equal(a, b) {
			p.report.Differences = append(p.report.Differences,
				Difference{Change: "update", Kind: kind, Name: name, Field: "weekly." + day, From: a, To: b})
		}
	}
}

// left notes what the file doesn't name; named are the event types that it does.
func (p *planner) left(named map[catalog.EventTypeID]int) {
	for i := range p.hosts {
		h := &p.hosts[i]
		if !slices.ContainsFunc(p.file.hosts,
			func(f patch[catalog.Host]) bool { return f.id == h.ID.String() || fault.SameEmail(f.key, h.Email) }) {
			p.report.Left = append(p.report.Left, Unnamed{"host", h.Email, h.Active})
		}
	}
	for i := range p.types {
		if e := &p.types[i]; !hasKey(named, e.ID) {
			p.report.Left = append(p.report.Left, Unnamed{"eventType", e.Slug, e.Active})
		}
	}
}

func hasKey[K comparable, V any](m map[K]V, key K) bool {
	_, ok := m[key]
	return ok
}

// warnOf warns of what the file sets for an event type and is probably not meant.
func (p *planner) warnOf(f *patch[catalog.EventType], field string, e *catalog.EventType) {
	warn := func(name, format string, args ...any) {
		v, given := f.given[name]
		if !given {
			v = f.at
		}
		p.report.Warnings = append(p.report.Warnings, Warning{v.node.line, field + "." + name, fmt.Sprintf(format, args...)})
	}
	for _, m := range []struct {
		name  string
		money *catalog.Money
	}{{"price", e.Price}, {"noShowFee", e.NoShowFee}} {
		if m.money != nil && m.money.Currency != p.workspace.Currency && hasKey(f.given, m.name) {
			warn(m.name, "the currency is %s, but the workspace's is %s", m.money.Currency, p.workspace.Currency)
		}
	}
	given := hasKey(f.given, "payment") || hasKey(f.given, "price") || hasKey(f.given, "noShowFee")
	if given && !p.cards {
		switch {
		case e.NoShowFee != nil:
			warn("noShowFee",
				"Stripe isn't connected, so no card is asked for and no fee charged; connect it by: daybook payments connect "+
					"--workspace %s", p.workspace.Slug)
		case e.Price != nil && e.Payment == catalog.PayOnline:
			warn("payment",
				"Stripe isn't connected, so nobody is asked to pay online; connect it by: daybook payments connect --workspace %s",
				p.workspace.Slug)
		}
	}
	if text := e.StepAdvice(); text != "" && (hasKey(f.given, "slotStepMinutes") || hasKey(f.given, "durationMinutes") ||
		hasKey(f.given, "bufferAfterMinutes") || hasKey(f.given, "bufferBeforeMinutes")) {
		warn("slotStepMinutes", "%s", text)
	}
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
