package docs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"

	"daybook/app/fault"
	"daybook/app/notice"
	"daybook/app/rest/openapi"
	"daybook/app/rest/schema"
)

// reference is the document in the order of the page.
type reference struct {
	Info         openapi.Info
	Server       string
	Style        template.CSS
	Introduction []string
	ErrorText    string
	ErrorExample string
	EventExample string
	Errors       []referenceError
	Groups       []referenceGroup
	Schemas      []referenceObject
}

type referenceError struct {
	Status int
	Code   fault.Code
	Text   string
}

type referenceGroup struct {
	Name, Text string
	Operations []referenceOperation
}

type referenceOperation struct {
	ID, Method, Path, Summary, Text string
	Parameters                      []referenceField
	Body                            []referenceField
	BodyText                        string
	BodyRequired                    bool
	Curl                            string
	Answers                         []referenceAnswer
	Example                         string
}

type referenceAnswer struct {
	Status, Text, Schema string
	Failed               bool
}

type referenceObject struct {
	Name, Text string
	Fields     []referenceField
}

type referenceField struct {
	Name, Type, Ref, In, Text, Rule string
	Required                        bool
	Values                          []string
}

func newReference(d *openapi.Document) reference {
	v := reference{
		Info: d.Info, Server: d.Servers[0].URL, Style: template.CSS(referenceStyle),
		Introduction: strings.Split(d.Info.Description, "\n\n"),
		ErrorText: d.Components.Schemas["ErrorObject"].Description +
			" Every error under this API has this form, and every answer carries `X-Request-Id`.",
		ErrorExample: indented(exampleOf(d, "createBooking", fault.Conflict)),
		EventExample: indented(eventExample(d, notice.BookingCreated)),
	}
	for code := range errorMeaning {
		v.Errors = append(v.Errors, referenceError{code.Status(), code, errorMeaning[code]})
	}
	slices.SortFunc(v.Errors, func(a, b referenceError) int { return cmp.Compare(a.Status, b.Status) })
	for _, t := range d.Tags {
		g := referenceGroup{Name: t.Name, Text: t.Description}
		for i := range d.Operations {
			if d.Operations[i].Tags[0] == t.Name {
				g.Operations = append(g.Operations, viewOf(d, &d.Operations[i], v.Server))
			}
		}
		v.Groups = append(v.Groups, g)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		s := d.Components.Schemas[name]
		v.Schemas = append(v.Schemas, referenceObject{name, s.Description, objectFields(s)})
	}
	return v
}

// exampleOf is the example of an operation's error.
func exampleOf(d *openapi.Document, id string, code fault.Code) any {
	i := slices.IndexFunc(d.Operations, func(op openapi.Operation) bool { return op.ID == id })
	return d.Operations[i].Responses[strconv.Itoa(code.Status())].Content["application/json"].Example
}

// eventExample is the example of the events of a kind.
func eventExample(d *openapi.Document, kind notice.EventKind) any {
	return d.Webhooks[string(kind)]["post"].RequestBody.Content["application/json"].Example
}

var errorMeaning = map[fault.Code]string{
	fault.BadRequest: "The request was malformed or failed validation.", fault.Unauthorized: "Missing or invalid API key.",
	fault.Forbidden: "The key lacks permission for this action.", fault.NotFound: "No such resource in the workspace.",
	fault.Conflict:           "The slot is taken, or the resource is in another state.",
	fault.PreconditionFailed: "The resource has changed since the version in If-Match.",
	fault.RateLimited:        "Too many requests; see Retry-After.",
	fault.PayloadTooLarge:    "The body is larger than 1 MiB.", fault.UnsupportedMediaType: "The body is not JSON.",
	fault.MethodNotAllowed: "The path does not take that method; see Allow.",
	fault.Internal:         "Something went wrong on the server's side.",
	fault.Unavailable:      "The server is busy; see Retry-After.",
}

func viewOf(d *openapi.Document, op *openapi.Operation, server string) referenceOperation {
	v := referenceOperation{ID: op.ID, Method: op.Method, Path: op.Path, Summary: op.Summary, Text: op.Description}
	for i := range op.Parameters {
		p := &op.Parameters[i]
		f := fieldOf(p.Schema, p.Name, p.Required)
		f.Text, f.In = p.Description, p.In
		v.Parameters = append(v.Parameters, f)
	}
	if op.RequestBody != nil && op.RequestBody.Content["application/json"].Schema == nil {
		kinds := slices.Sorted(maps.Keys(op.RequestBody.Content))
		v.BodyText, v.BodyRequired = "The file, as "+strings.Join(kinds, ", ")+".", true
	} else if op.RequestBody != nil {
		media := op.RequestBody.Content["application/json"]
		s := d.Components.Schemas[refName(media.Schema.Ref)]
		v.Body, v.BodyText, v.BodyRequired = objectFields(s), s.Description, op.RequestBody.Required
		if media.Example != nil {
			v.Curl = curl(op, server, media.Example)
		}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r := op.Responses[status]
		media, has := r.Content["application/json"]
		answer := referenceAnswer{Status: status, Text: r.Description, Failed: status >= "4"}
		if has {
			answer.Schema = refName(media.Schema.Ref)
		}
		v.Answers = append(v.Answers, answer)
		if status < "4" && media.Example != nil && v.Example == "" {
			v.Example = indented(media.Example)
		}
	}
	return v
}

func curl(op *openapi.Operation, server string, body any) string {
	path := strings.ReplaceAll(op.Path, "{id}", schema.ExampleID)
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // examples are part of the program
	}
	return fmt.Sprintf("curl %s%s \\\n  -H \"Authorization: Bearer $DAYBOOK_KEY\" \\\n"+
		"  -H \"Content-Type: application/json\" \\\n  -d '%s'", server, path, text)
}

// objectFields are an object's fields in their order.
func objectFields(s *schema.Schema) []referenceField {
	all := make([]referenceField, len(s.Order))
	for i, name := range s.Order {
		p := s.Properties[name]
		all[i] = fieldOf(p, name, slices.Contains(s.Required, name))
		all[i].Text = p.Description
	}
	return all
}

func fieldOf(s *schema.Schema, name string, required bool) referenceField {
	f := referenceField{Name: name, Required: required, Type: typeText(s)}
	switch {
	case s.Ref != "":
		f.Ref = refName(s.Ref)
	case s.AnyOf != nil:
		f.Ref = refName(s.AnyOf[0].Ref)
	case s.Items != nil && s.Items.Ref != "":
		f.Ref = refName(s.Items.Ref)
	}
	values := s.Enum
	if s.Items != nil {
		values = s.Items.Enum
	}
	for _, v := range values {
		if v != nil {
			f.Values = append(f.Values, fmt.Sprint(v))
		}
	}
	var rules []string
	if s.MaxLength > 0 {
		rules = append(rules, fmt.Sprintf("At most %d characters.", s.MaxLength))
	}
	if s.Minimum != nil && s.Maximum != nil {
		rules = append(rules, fmt.Sprintf("From %d to %d.", *s.Minimum, *s.Maximum))
	}
	if s.Default != nil {
		rules = append(rules, fmt.Sprintf("Default: %v.", s.Default))
	}
	f.Rule = strings.Join(rules, " ")
	return f
}

func typeText(s *schema.Schema) string {
	switch t := s.Type.(type) {
	case nil:
		if s.AnyOf != nil {
			return refName(s.AnyOf[0].Ref) + " or null"
		}
		return refName(s.Ref)
	case []any:
		inner := *s
		inner.Type = t[0]
		return typeText(&inner) + " or null"
	case []string:
		return strings.Join(t, ", ")
	case string:
		switch {
		case s.Items != nil:
			return "list of " + typeText(s.Items)
		case s.Format != "":
			return t + " (" + s.Format + ")"
		}
		return t
	}
	return fmt.Sprint(s.Type)
}

func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func indented(v any) string {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // examples are part of the program
	}
	return string(text)
}
