package agent

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"

	"daybook/app/booking"
	"daybook/app/field"
	"daybook/app/when"
)

// inputs are the descriptions of the types that arguments are read into.
var inputs = map[reflect.Type]*field.Resource{
	reflect.TypeFor[booking.BookInput]():       &booking.BookInputFields,
	reflect.TypeFor[booking.Invitee]():         &booking.InviteeInputFields,
	reflect.TypeFor[booking.PayWith]():         &booking.PayWithFields,
	reflect.TypeFor[booking.ContactInput]():    &booking.ContactInputFields,
	reflect.TypeFor[booking.RescheduleInput](): &booking.RescheduleInputFields,
	reflect.TypeFor[booking.CancelInput]():     &booking.CancelInputFields,
	reflect.TypeFor[booking.EditInput]():       &booking.EditInputFields,
	reflect.TypeFor[booking.EditInvitee]():     &booking.EditInviteeFields,
}

// arguments returns one argument for each field of the type.
func arguments(t reflect.Type) (all []property) {
	d := inputs[t]
	for _, f := range reflect.VisibleFields(t) {
		name, _ := field.Name(f)
		about := d.Field(name)
		switch {
		case name == "" || about != nil && about.NotForAgents:
			continue
		case about == nil:
			panic(fmt.Sprintf("nothing describes %s of %s", name, t))
		}
		all = append(all, property{name, argument(f.Type, about), !about.Required})
	}
	return all
}

// argument returns the schema of one argument.
func argument(t reflect.Type, about *field.Field) *schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if inputs[t] != nil {
		return object(about.Told(), arguments(t)...)
	}
	s := &schema{Type: "string", Description: about.Told(), Format: formatOf(about), Pattern: about.Pattern,
		Default: about.Default}
	if about.ExampleForAgents {
		s.such(about.Example)
	}
	if about.Pattern == booking.HostPattern {
		s.Pattern = "" // a name will do
	}
	switch t {
	case reflect.TypeFor[bool](), reflect.TypeFor[*bool]():
		s.Type = "boolean"
	case reflect.TypeFor[int]():
		s.Type = "integer"
		s.between(about.Least, about.Most)
	case reflect.TypeFor[[]string]():
		s.Type, s.Items = "array", (&schema{Type: "string", Description: about.Each, Enum: about.Enum})
	case reflect.TypeFor[map[string]string](), reflect.TypeFor[map[string]*string]():
		s.Type, s.MaxEntries = "object", about.Entries
		s.Additional = (&schema{Type: []string{"string"}}).length(0, about.Most)
	case reflect.TypeFor[map[string]any](): // answers to questions
		s.Type, s.MaxEntries = "object", about.Entries
		s.Additional = &schema{Type: []string{"string", "number", "boolean"}}
	default:
		s.length(about.Least, about.Most)
	}
	return s
}

// describe returns the schema of a type that has a description, its fields in the order of the type. text says what the
// value is where it stands; "" takes what the description says of the type.
func describe(t reflect.Type, text string) *schema {
	d := booking.Described[t]
	var fields []property
	for _, f := range reflect.VisibleFields(t) {
		name, optional := field.Name(f)
		if name == "" {
			continue
		}
		about := d.Field(name)
		switch {
		case name == "" || about != nil && about.NotForAgents:
			continue
		case about == nil:
			panic(fmt.Sprintf("nothing describes %s of %s", name, t))
		}
		if about.NotForAgents {
			continue
		}
		s := valueOf(f.Type, about)
		if about.Unknown || about.Null || f.Type.Kind() == reflect.Pointer && !optional {
			s = s.orNull()
		}
		fields = append(fields, property{name, s, optional})
	}
	return object(cmp.Or(text, d.Told()), fields...)
}

// valueOf returns the schema of a field's value where it is not null.
func valueOf(t reflect.Type, about *field.Field) *schema {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[when.Instant]() {
		return instant(about.Told())
	}
	if booking.Described[t] != nil {
		return describe(t, about.Told())
	}
	s := &schema{Type: "string", Description: about.Told(), Format: formatOf(about), Pattern: about.Pattern,
		Enum: about.Enum}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) { // such as an id
		return s
	}
	switch t.Kind() {
	case reflect.Slice:
		return list(about.Told(), valueOf(t.Elem(), &field.Field{Text: about.Each, Enum: about.Enum}))
	case reflect.Map:
		if t.Elem().Kind() == reflect.String {
			return values(about.Told(), "string")
		}
		s.Type = "object"
	case reflect.Bool:
		s.Type = "boolean"
	case reflect.Int, reflect.Int64:
		s.Type = "integer"
		if about.Least > 0 || about.Counts {
			s.atLeast(about.Least)
		}
	}
	return s
}

// formatOf returns the format that agents are told. Their programs refuse an answer with a text that hasn't got it.
func formatOf(about *field.Field) string {
	if about.Blank {
		return ""
	}
	return about.Format
}
