package catalog

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"daybook/app/field"
)

// A description has a row for each field that its type has in JSON, and no other.
func TestDescriptions(t *testing.T) {
	for of, d := range map[any]field.Resource{new(EventType): EventTypeFields, new(Question): QuestionFields} {
		var has, told []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(of).Elem()) {
			if name, _ := field.Name(f); name != "" {
				has = append(has, name)
			}
		}
		for i := range d.Fields {
			f := &d.Fields[i]
			told = append(told, f.Name)
			if !strings.HasSuffix(f.Text, ".") || !strings.HasSuffix(f.Told(), ".") && !strings.HasSuffix(f.Told(), "…") {
				t.Errorf("%T.%s is said to be %q and %q, want sentences", of, f.Name, f.Text, f.Told())
			}
		}
		slices.Sort(has)
		slices.Sort(told)
		if !slices.Equal(has, told) {
			t.Errorf("%T has %v, its description %v", of, has, told)
		}
	}
}

// A rule of event types is named where it is described and in the owner's form; the API's document, the tools and the
// set-up file take it from there.
func TestRulesInOnePlace(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, rule := range []string{"minimumNoticeMinutes", "bookingWindowDays", "mailsOff", "cancellationNoticeMinutes"} {
			if strings.Contains(string(text), `"`+rule+`"`) && !slices.Contains([]string{"eventtype.go", "eventtype_fields.go", "typeform.go"}, d.Name()) {
				t.Errorf("%s names %s: take it from catalog.EventTypeFields", path, rule)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
