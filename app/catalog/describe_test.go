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
	for of, d := range map[any]field.Resource{
		new(EventType): EventTypeFields, new(Question): QuestionFields, new(Host): HostFields, new(Workspace): WorkspaceFields,
	} {
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

// A field of event types and of hosts is named where it is described, where its rules are checked and in the owner's
// form; the API's document, the tools and the set-up file take it from the description.
func TestRulesInOnePlace(t *testing.T) {
	places := map[string][]string{
		// paths.go is the set-up file of a test of the server.
		"minimumNoticeMinutes": {"typeform.go", "paths.go"}, "bookingWindowDays": {"typeform.go", "paths.go"}, "mailsOff": {"typeform.go"},
		"cancellationNoticeMinutes": {"typeform.go"},
		"overrides":                 {"value.go", "tool_hosts.go"}, // what people call them otherwise, and what the tool of hosts leaves to that of hours
		// And the hours that explain a search, and the tools that show and set them by day.
		"weekly": {"value.go", "paths.go", "result.go", "tool_check_availability.go", "tool_hosts.go", "tool_hours.go"},
	}
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") ||
			filepath.Base(filepath.Dir(path)) == "catalog" || filepath.Base(filepath.Dir(path)) == "movetest" { // other products' fields
			return err
		}
		text, err := os.ReadFile(path)
		for rule, allowed := range places {
			if strings.Contains(string(text), `"`+rule+`"`) && !slices.Contains(allowed, d.Name()) {
				t.Errorf("%s names %s: take it from its description in app/catalog", path, rule)
			}
		}
		if strings.Contains(string(text), ".TakesFee()") && d.Name() != "deposit.go" { // the booking page, which shows the fee
			t.Errorf("%s says itself for whom there is a fee: Setup.AsksForFee does", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
