package record_test

import (
	"reflect"
	"slices"
	"testing"

	"daybook/app/field"
	"daybook/app/record"
)

// A description has a row for each field that its type has in JSON, and no other.
func TestDescriptions(t *testing.T) {
	for of, d := range map[reflect.Type]field.Resource{reflect.TypeFor[record.Contact](): record.ContactFields} {
		var has, told []string
		for _, f := range reflect.VisibleFields(of) {
			if name, _ := field.Name(f); name != "" {
				has = append(has, name)
			}
		}
		for i := range d.Fields {
			told = append(told, d.Fields[i].Name)
		}
		if !slices.Equal(has, told) {
			t.Errorf("%s has %v, its description %v", of, has, told)
		}
	}
}
