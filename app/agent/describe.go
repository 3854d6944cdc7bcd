package agent

import (
	"fmt"
	"reflect"

	"daybook/app/catalog"
	"daybook/app/field"
	"daybook/app/record"
	"daybook/app/when"
)

// described are the types whose description stands beside them.
var described = map[reflect.Type]*field.Resource{
	reflect.TypeFor[catalog.EventType](): &catalog.EventTypeFields,
	reflect.TypeFor[catalog.Question]():  &catalog.QuestionFields,
	reflect.TypeFor[record.Contact]():    &record.ContactFields,
}

// describe is the schema of a type that has a description, its fields in the order of the type.
func describe(t reflect.Type) *schema {
	d := described[t]
	var fields []property
	for _, f := range reflect.VisibleFields(t) {
		name, optional := field.Name(f)
		if name == "" {
			continue
		}
		about := d.Field(name)
		if about == nil {
			panic(fmt.Sprintf("nothing describes %s of %s", name, t))
		}
		s := valueOf(f.Type, about)
		if about.Unknown || about.Null {
			s = s.orNull()
		}
		fields = append(fields, property{name, s, optional})
	}
	return object(d.Told(), fields...)
}

// valueOf is the schema of a field's value.
func valueOf(t reflect.Type, about *field.Field) *schema {
	switch t {
	case reflect.TypeFor[*catalog.Money]():
		return money(about.Told()).orNull()
	case reflect.TypeFor[catalog.HostRef]():
		return hostRef(about.Told())
	case reflect.TypeFor[when.Instant]():
		return instant(about.Told())
	}
	if described[t] != nil {
		return describe(t)
	}
	s := &schema{Type: "string", Description: about.Told(), Format: about.Format, Enum: about.Enum}
	switch t.Kind() {
	case reflect.Slice:
		return list(about.Told(), valueOf(t.Elem(), &field.Field{Text: about.Each, Enum: about.Enum}))
	case reflect.Bool:
		s.Type = "boolean"
	case reflect.Int:
		s.Type = "integer"
		if about.Least > 0 || about.Counts {
			s.atLeast(about.Least)
		}
	}
	return s
}
