package record_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/app/field"
	"daybook/app/record"
)

// Each description has a row for each field that its type has in JSON, and no other.
func TestDescriptions(t *testing.T) {
	for of, d := range record.Described {
		var has, told []string
		for _, f := range reflect.VisibleFields(of) {
			if name, _ := field.Name(f); name != "" {
				has = append(has, name)
			}
		}
		for i := range d.Fields {
			f := &d.Fields[i]
			told = append(told, f.Name)
			if !strings.HasSuffix(f.Text, ".") || !strings.HasSuffix(f.Told(), ".") && !strings.HasSuffix(f.Told(), "…") {
				t.Errorf("%s.%s is described by %q and %q, want sentences", of, f.Name, f.Text, f.Told())
			}
		}
		slices.Sort(has) // a description may follow the order of the set-up file
		slices.Sort(told)
		if !slices.Equal(has, told) {
			t.Errorf("%s has %v, its description %v", of, has, told)
		}
	}
}
