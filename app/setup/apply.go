package setup

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
)

// errDryRun rolls back a dry run.
var errDryRun = errors.New("dry run")

// ApplySetup changes the workspace to match the file, in one transaction, and reports the differences. It creates what
// is missing and changes what differs; bookings, and things that the file does not name, stay as they are. The event
// types in the file take its order; a new one follows the one before it in the file. With dryRun it only reports. A field
// of contacts that the file leaves out is removed with its values, where there are some only after File.DeleteFieldValues;
// a warning says how many.
//
// Errors: forbidden, bad_request, conflict slug_taken, conflict field_values. Errors in the file name the line and the path; one error lists
// several mistakes.
func (s *Service) ApplySetup(ctx context.Context, a app.Actor, file File, dryRun bool) (Report, error) {
	if err := a.May(app.MayOperate); err != nil {
		return Report{}, err
	}
	if err := s.checkTextHost(ctx, &file); err != nil {
		return Report{}, file.located(err)
	}
	var p *planner
	err := s.Write(ctx, func(tx Tx) error {
		p = &planner{s: s, tx: tx, file: file, dryRun: dryRun}
		p.report = Report{Differences: []Difference{}, Left: []Unnamed{}, Warnings: []Warning{}}
		if err := p.run(); err != nil {
			return err
		}
		if dryRun {
			return errDryRun
		}
		return p.note(a)
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
	dryRun bool
	report Report
	wrong  mistakes // those in hosts, resources, event types and products

	workspace catalog.Workspace
	cards     bool                        // Stripe is connected
	hosts     []catalog.Host              // of the workspace, as changed so far; new ones at the end
	resources []catalog.Resource          // likewise
	types     []catalog.EventType         // likewise, in their order
	products  []catalog.Product           // likewise, where the file has some
	starts    map[catalog.EventTypeID]int // starts a day of the existing event types, before the change
}

func (p *planner) run() error {
	for _, part := range []func() error{p.applyWorkspace, p.load, p.applyHosts, p.applyResources, p.applyEventTypes,
		p.applyProducts, p.applyTerms, p.applyCalendars, p.applyTextSender} {
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
	w, err := findWorkspace(p.tx, id, f.key)
	if errors.Is(err, fault.ErrNotFound) {
		return p.createWorkspace(id)
	}
	if err != nil {
		return err
	}
	if err := p.tx.LockWorkspace(w.ID); err != nil { // what it has is compared behind this
		return err
	}
	if w, err = p.tx.Workspace(w.ID); err != nil {
		return err
	}
	before, was, slug := workspaceObject(&w), w.Settings, w.Slug
	if err := f.apply(&w); err != nil {
		return err
	}
	if f.key != "" {
		w.Slug = f.key
	}
	if err := checkWorkspace(&w); err != nil {
		return err
	}
	if err := p.keepFields(&was, &w); err != nil {
		return err
	}
	p.workspace = w
	if !p.compare("workspace", slug, before, workspaceObject(&w)) {
		return nil
	}
	err = p.tx.UpdateWorkspace(&w)
	if errors.Is(err, fault.ErrTaken) {
		return fault.Conflictf("slug_taken", "there is another workspace %q already; choose another slug", w.Slug).
			At("workspace.slug")
	}
	return err
}

// findWorkspace returns the workspace with the id, else the one with the slug. Errors: ErrNotFound.
func findWorkspace(r Reader, id catalog.WorkspaceID, slug string) (catalog.Workspace, error) {
	w, err := r.Workspace(id)
	if errors.Is(err, fault.ErrNotFound) {
		return r.WorkspaceBySlug(slug)
	}
	return w, err
}

// checkWorkspace checks a workspace and its settings, which stand beside its other fields in the file.
func checkWorkspace(w *catalog.Workspace) error {
	if err := w.Check(); err != nil {
		return err
	}
	err := w.Settings.Check()
	if wrong := fault.As(err); wrong != nil {
		name, of := strings.CutPrefix(wrong.Field, "settings.")
		if of {
			own := *wrong
			own.Field = "workspace." + name
			return &own
		}
	}
	return err
}

// keepFields does with the fields of contacts what app.Service.KeepFields says, and warns of values that go.
func (p *planner) keepFields(before *catalog.Settings, w *catalog.Workspace) error {
	lost, err := p.s.Core.KeepFields(p.tx, "workspace.contactFields", before, w,
		func(*app.LostField) (bool, error) { return p.dryRun || p.file.deletesValues, nil })
	if err != nil {
		return err
	}
	v, given := p.file.workspace.given["contactFields"]
	if !given {
		v = p.file.workspace.at
	}
	for _, f := range lost {
		if f.Values == 0 {
			continue
		}
		text := fmt.Sprintf("removing %q deletes %d values, of contacts and from bookings", f.Key, f.Values)
		if !p.file.deletesValues {
			text += ", and needs --delete-field-values"
		}
		p.report.Warnings = append(p.report.Warnings, Warning{v.node.Line, "workspace.contactFields", text})
	}
	return nil
}

func (p *planner) createWorkspace(id catalog.WorkspaceID) error {
	f := &p.file.workspace
	var w catalog.Workspace
	if err := f.apply(&w); err != nil {
		return err
	}
	closures, settings, pages := w.Closures, w.Settings, w.Pages
	in := catalog.WorkspaceInput{ID: id, Slug: f.key, Name: w.Name, TimeZone: w.TimeZone, Currency: w.Currency,
		Country: w.Country, Tax: w.Tax, AssistantsMayBook: w.AssistantsMayBook}
	if f.key == "" {
		return fault.Invalid("workspace.slug", "is required: this database has no workspace %s", f.id)
	}
	for _, name := range catalog.WorkspaceFields.Required() {
		if _, given := f.given[name]; !given {
			return fault.Invalid("workspace."+name, "is required: there is no workspace %q yet", f.key)
		}
	}
	err := p.tx.Try(func() (err error) {
		w, err = p.s.Core.InsertWorkspace(p.tx, in)
		return err
	})
	if fault.Is(err, fault.Conflict) && id != 0 { // the slug is free, so another workspace has the id
		in.ID = 0
		w, err = p.s.Core.InsertWorkspace(p.tx, in)
	}
	if err != nil {
		return err
	}
	if len(closures.TimeOff) > 0 || closures.Holidays != nil || !reflect.ValueOf(settings).IsZero() ||
		!reflect.ValueOf(pages).IsZero() {
		w.Closures, w.Settings, w.Pages = closures, settings, pages
		if err := checkWorkspace(&w); err != nil {
			return err
		}
		if err := p.keepFields(&catalog.Settings{}, &w); err != nil {
			return err
		}
		if err := p.tx.UpdateWorkspace(&w); err != nil {
			return err
		}
	}
	p.workspace = w
	p.create("workspace", w.Slug, workspaceObject(&w))
	return nil
}

// load reads the workspace's hosts, resources and event types, and whether it takes payments.
func (p *planner) load() error {
	setup, err := p.tx.Setup(p.workspace.ID)
	if err != nil {
		return err
	}
	p.hosts, p.resources, p.types = setup.Hosts, setup.Resources, setup.EventTypes
	p.starts = map[catalog.EventTypeID]int{}
	for i := range setup.EventTypes {
		e := &setup.EventTypes[i]
		p.starts[e.ID] = e.StartsPerDay(setup, nil, e.SlotStepMinutes)
	}
	p.cards, err = p.s.Core.TakesMoney(p.tx, p.workspace.ID)
	return err
}

// givenID parses the id in the file, if there is one.
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
