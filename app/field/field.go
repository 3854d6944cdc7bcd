// Package field describes the fields of a resource beyond their Go types. The API's document, the agents' tools, the
// set-up file and the checks are made from this one description, which stands beside the type: those of bookings in
// app/booking/booking_fields.go, of event types in app/catalog/eventtype_fields.go. A new field of the API is a field of
// the type with its description; Public and Guests say that strangers get it, too.
package field

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Field describes one field.
type Field struct {
	Name    string // in JSON
	Text    string // what it is, a sentence
	Agents  string // what agents are told instead; "" is Text
	Format  string // of a text: uri, email
	Lines   bool   // the text may have several lines
	Blank   bool   // the text may be empty, whatever its format; agents, whose programs check formats, aren't told that
	Pattern string // of a text; only agents are told
	Example any
	Enum    []any  // the values it takes; of a list, those of its items
	Each    string // of a list: what agents are told of an item

	Least, Most int // bounds of a number, or of a text's characters; Most 0 is unbounded. Of a map, those of its texts
	Entries     int // of a map: how many it may have; 0 is unbounded

	Default          any  // what counts when it is not given; only agents are told
	NotForAgents     bool // agents never get it
	ExampleForAgents bool // agents are given the example, too: it shows a form, and is no value to copy

	Null    bool // may be null
	Counts  bool // a number that is never below 0; only agents are told
	Unknown bool // may be null in what was stored before the field was there

	// What strangers are shown, see View: nothing that doesn't say so.
	Public bool      // stands in what programs with a public key get
	Guests string    // stands in what people's assistants get, with this JSON tag
	Of     *Resource // what its struct, or those that it points to or lists, are described by

	InFile   bool // stands in set-up files
	Key      bool // finds the thing that a set-up file means
	Required bool // must be given for a new thing
	Clears   bool // null in a set-up file makes it empty, or 0
}

// Told returns the text about the field for agents.
func (f *Field) Told() string {
	if f.Agents != "" {
		return f.Agents
	}
	return f.Text
}

// Resource describes a type: its fields in the order of a set-up file.
type Resource struct {
	Text   string // what it is, a sentence
	Agents string // what agents are told instead; "" is Text
	Fields []Field
}

// Told returns the text about the resource for agents.
func (r *Resource) Told() string {
	if r.Agents != "" {
		return r.Agents
	}
	return r.Text
}

// Field returns the description of the field, or nil.
func (r *Resource) Field(name string) *Field {
	for i := range r.Fields {
		if r.Fields[i].Name == name {
			return &r.Fields[i]
		}
	}
	return nil
}

// Required returns the names of the fields that must be given for a new resource.
func (r *Resource) Required() (names []string) {
	for i := range r.Fields {
		if r.Fields[i].Required {
			names = append(names, r.Fields[i].Name)
		}
	}
	return names
}

// Values returns values as strings, for Enum.
func Values[T ~string](values ...T) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// Name returns the name of a struct's field in JSON, and whether it is left out when empty or zero; "" for what is not in JSON.
func Name(f reflect.StructField) (name string, optional bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" || f.Anonymous || !f.IsExported() {
		return "", false
	}
	return name, strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
}

var places sync.Map // of a type's fields: reflect.Type → map[string][]int

// In returns the field of that name of the struct that of points to, or of a struct in it that is tagged
// field:"inline". It panics if there is none, since the description is then wrong.
func In(of any, name string) reflect.Value {
	v := reflect.ValueOf(of).Elem()
	known, ok := places.Load(v.Type())
	if !ok {
		at := map[string][]int{}
		for _, f := range reflect.VisibleFields(v.Type()) {
			if name, _ := Name(f); name != "" {
				at[name] = f.Index
			}
			if f.Tag.Get("field") == "inline" {
				for _, inner := range reflect.VisibleFields(f.Type) {
					if name, _ := Name(inner); name != "" {
						at[name] = append(slices.Clone(f.Index), inner.Index...)
					}
				}
			}
		}
		known, _ = places.LoadOrStore(v.Type(), at)
	}
	index, ok := known.(map[string][]int)[name]
	if !ok {
		panic(fmt.Sprintf("%s has no field %s", v.Type(), name))
	}
	return v.FieldByIndex(index)
}
