package setup

import (
	"daybook/app/catalog"
	"daybook/app/fault"
)

// File is a parsed set-up file of a workspace, ready to be applied: the workspace itself, hosts
// with their hours, resources, event types and products. It holds only what the file says; ApplySetup fills in the rest.
type File struct {
	root       *node
	workspace  patch[catalog.Workspace]
	hosts      []patch[catalog.Host]
	resources  []patch[catalog.Resource]
	eventTypes []patch[catalog.EventType]
	products   []patch[catalog.Product]
	secrets    map[string]secret // what references lead to

	deletesValues bool
}

// DeleteFieldValues lets the file remove fields of contacts that have values, which are deleted.
func (f *File) DeleteFieldValues() { f.deletesValues = true }

// MaxBytes is the size limit of a set-up file.
const MaxBytes = 4 << 20

// maxSetupValues limits how many values a file has once its aliases are expanded.
const maxSetupValues = 1_000_000

// Parse reads a set-up file, YAML or JSON, of at most 4 MiB. Its error is a bad_request that names the line and the
// path of each mistake, and what was expected there.
//
// The document is
//
//	workspace: {id, slug, name, timeZone, currency, country, tax, …, textSender: {preset, …}}
//	hosts: [{id, name, email, timeZone, active, weekly: {mon … sun: [ranges]}, overrides, timeOff, …,
//	  calendars: [{name, kind, address, …}]}]
//	resources: [{id, name, kind, active, shown, timeZone, weekly, overrides, timeOff, …, calendars}]
//	eventTypes: [{id, slug, title, …}] with the names of the API
//	products: [{id, name, number, price, taxRate, picture, stock, active}]
//
// that is, the fields that catalog.WorkspaceFile, HostFields, ResourceFields, EventTypeFields, ProductFields and
// LinkedCalendarFields, and text.ListedSenderFields, mark as InFile.
//
// A field that is left out keeps its value, or gets its default if the thing is new; this includes the days of weekly
// and the currency of a price. A list in the file replaces the old one. null clears a price, a fee, a cap, a text that
// may be empty, a day, a list of hours; slotStepMinutes: null makes the step the duration.
//
// A workspace is found by its id, else by its slug; a host by id, else e-mail; a resource by id, else name; an event
// type by id, else slug; a product by id, else name. An id that this database doesn't have is not an error, so that a file can be applied to another
// database: what it creates there keeps the id if it is free. To copy a workspace within a database, remove the ids.
func Parse(text []byte) (File, error) {
	if len(text) > MaxBytes {
		return File{}, fault.Invalid("file", "must have at most %d MiB", MaxBytes>>20)
	}
	root, err := readYAML(text)
	if err != nil {
		return File{}, err
	}
	f := File{root: root}
	left := maxSetupValues
	err = at{node: root, left: &left}.object(map[string]field{
		"workspace": func(v at) error { return f.workspace.read(v, &catalog.WorkspaceFile) },
		"hosts":     func(v at) error { return readPatches(v, catalog.MaxHosts, &f.hosts, &catalog.HostFields) },
		"resources": func(v at) error {
			return readPatches(v, catalog.MaxResources, &f.resources, &catalog.ResourceFields)
		},
		"eventTypes": func(v at) error {
			return readPatches(v, catalog.MaxEventTypes, &f.eventTypes, &catalog.EventTypeFields)
		},
		"products": func(v at) error { return readPatches(v, catalog.MaxProducts, &f.products, &catalog.ProductFields) },
	})
	return f, err
}
