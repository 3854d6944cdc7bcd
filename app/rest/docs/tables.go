package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/mail"
	"daybook/app/rest/openapi"
)

// Known is what other parts of the program know of themselves, as tables in Markdown: see app/cli/docs.go.
type Known struct {
	Commands, ServerFlags string
	Tools, GuestTools     string // of the doors for agents
	DeskTools, OwnerTools string // besides the ten
}

// table returns a table in Markdown. A cell is text in Markdown without line breaks.
func table(head ...string) *rows {
	t := &rows{}
	t.add(head...)
	t.b.WriteString("|" + strings.Repeat("---|", len(head)) + "\n")
	return t
}

type rows struct{ b strings.Builder }

func (t *rows) add(cells ...string) { t.b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

func (t *rows) String() string { return t.b.String() }

// code returns a text as code, or nothing.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// routeTable has all routes, with what they take and what they answer when all is well.
func routeTable(d *openapi.Document) string {
	t := table("Method", "Path", "Query or body", "Answer")
	for i := range d.Operations {
		op := &d.Operations[i]
		var takes []string
		for _, p := range op.Parameters {
			if p.In == "query" {
				takes = append(takes, code(p.Name))
			}
		}
		if op.RequestBody != nil {
			takes = append(takes, objectOf(op.RequestBody.Content, "the file"))
		}
		var answers []string
		for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
			r := op.Responses[status]
			object := objectOf(r.Content, "")
			if status >= "3" || object == linked("DryRun") {
				continue
			}
			answers = append(answers, strings.TrimSpace(status+" "+object))
		}
		t.add(op.Method, "["+code(op.Path)+"]("+address(operationPath(op.ID))+")", strings.Join(takes, " "),
			strings.Join(answers, ", "))
	}
	return t.String()
}

// objectOf returns a link to the object of a body, or other.
func objectOf(content map[string]openapi.MediaType, other string) string {
	media, isJSON := content["application/json"]
	if !isJSON || media.Schema == nil || media.Schema.Ref == "" {
		return other
	}
	return linked(refName(media.Schema.Ref))
}

// objectTable has all objects with the names of their fields.
func objectTable(d *openapi.Document) string {
	t := table("Object", "Fields")
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		s := d.Components.Schemas[name]
		var fields []string
		for _, field := range s.Order {
			mark := ""
			if !slices.Contains(s.Required, field) {
				mark = "?"
			}
			fields = append(fields, code(field+mark))
		}
		if len(fields) > 0 {
			t.add(linked(name), strings.Join(fields, ", "))
		}
	}
	return t.String()
}

// valueTable has the values of each field that has a fixed set of them; fields of one name with the same values share a
// row.
func valueTable(d *openapi.Document) string {
	type row struct{ field, values string }
	var order []row
	objects := map[row][]string{}
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		s := d.Components.Schemas[name]
		for _, field := range s.Order {
			p := s.Properties[field]
			enum := p.Enum
			if p.Items != nil {
				enum = p.Items.Enum
			}
			var values []string
			for _, v := range enum {
				if v != nil {
					values = append(values, code(fmt.Sprint(v)))
				}
			}
			r := row{field, strings.Join(values, ", ")}
			if len(values) == 0 || name == "ErrorDetails" || name == "ErrorObject" { // the page Errors has them
				continue
			}
			if objects[r] == nil {
				order = append(order, r)
			}
			objects[r] = append(objects[r], linked(name))
		}
	}
	slices.SortStableFunc(order, func(a, b row) int { return strings.Compare(a.field, b.field) })
	t := table("Field", "Of", "Values")
	for _, r := range order {
		t.add(code(r.field), strings.Join(objects[r], ", "), r.values)
	}
	var states []string
	for _, s := range mail.States {
		states = append(states, code(string(s)))
	}
	t.add("state of a mail", "[`daybook mail log`]("+address("commands")+")", strings.Join(states, ", "))
	return t.String()
}

func kindTable() string {
	t := table("Prefix", "Of")
	for _, k := range id.Kinds {
		t.add(code(k.Prefix), k.Of)
	}
	return t.String()
}

func reasonTable() string {
	t := table("Reason", "Where", "Meaning")
	for _, r := range fault.Reasons {
		t.add(code(r.Name), r.Where, r.Meaning)
	}
	return t.String()
}

func rightTable() string {
	head := slices.Concat([]string{"Command"}, app.Callers, []string{"Key with the area", "Right of a restricted key"})
	for i, h := range head {
		head[i] = strings.ToUpper(h[:1]) + h[1:]
	}
	t := table(head...)
	for _, p := range app.Permits() {
		cells := []string{p.Command}
		for _, may := range p.May {
			cells = append(cells, map[bool]string{true: "yes"}[may])
		}
		t.add(append(cells, code(p.Area), code(p.Right))...)
	}
	return t.String()
}

func actionTable() string {
	t := table("Action", "Subject", "Other fields")
	for _, d := range audit.Described {
		t.add(code(string(d.Action)), d.Subject, d.Fields)
	}
	return t.String()
}
