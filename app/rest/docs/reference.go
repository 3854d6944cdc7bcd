package docs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"daybook/app/catalog"
	"daybook/app/rest/openapi"
)

// referencePages returns the operations by their tags, the events and the objects.
func referencePages(d *openapi.Document) []section {
	var all []section
	for _, t := range d.Tags {
		s := section{title: t.Name}
		for i := range d.Operations {
			if op := &d.Operations[i]; op.Tags[0] == t.Name {
				s.pages = append(s.pages, page{operationPath(op.ID), op.Summary, op.Method, operationText(d, op)})
			}
		}
		all = append(all, s)
	}
	events := section{title: "Events"}
	for _, kind := range catalog.EventKinds {
		events.pages = append(events.pages, page{"events/" + string(kind), string(kind), "", eventText(d, kind)})
	}
	objects := section{title: "Objects"}
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		s := d.Components.Schemas[name]
		text := "# " + name + "\n\n" + s.Description + "\n\n"
		for _, one := range s.OneOf {
			text += "- " + linked(refName(one.Ref)) + "\n"
		}
		objects.pages = append(objects.pages, page{objectPath(name), name, "", text + fieldTable(s)})
	}
	return append(all, events, objects)
}

func operationText(d *openapi.Document, op *openapi.Operation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n[also]: # \"%s\"\n\n`%s %s`\n\n%s\n\n", op.Summary, strings.ReplaceAll(dashed(op.ID), "-", " "),
		op.Method, op.Path, op.Description)
	b.WriteString(samples(d, op))
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		example := op.Responses[status].Content["application/json"].Example
		if status < "4" && example != nil {
			fmt.Fprintf(&b, "The answer, %s:\n\n%s", status, fenced("json", indented(example)))
			break
		}
	}
	if len(op.Parameters) > 0 {
		b.WriteString("## Parameters\n\n| Name | Type | Meaning |\n|---|---|---|\n")
		for i := range op.Parameters {
			p := &op.Parameters[i]
			where := "in the " + p.In
			if p.In == "header" {
				where = "a header"
			}
			fmt.Fprintf(&b, "| `%s` | %s, %s | %s |\n", p.Name, typeText(p.Schema), where,
				cell(needed(p.Required)+p.Description+rules(p.Schema)))
		}
		b.WriteString("\n")
	}
	if op.RequestBody != nil {
		b.WriteString("## Body\n\n" + bodyText(d, op.RequestBody))
	}
	b.WriteString("## Answers\n\n| Status | Meaning | Body |\n|---|---|---|\n")
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		r := op.Responses[status]
		object := "none"
		if media, has := r.Content["application/json"]; has {
			object = linked(refName(media.Schema.Ref))
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", status, cell(r.Description), object)
	}
	return b.String() + "\nEvery error has the form and the codes of [Errors](/api/docs/errors).\n"
}

func bodyText(d *openapi.Document, body *openapi.Content) string {
	media, isJSON := body.Content["application/json"]
	if !isJSON {
		kinds := slices.Sorted(maps.Keys(body.Content))
		return "The file itself, with its Content-Type: " + strings.Join(kinds, ", ") + ".\n\n"
	}
	s := d.Components.Schemas[refName(media.Schema.Ref)]
	text := s.Description + "\n\n" + fieldTable(s)
	if !body.Required {
		text = "It may be left out. " + text
	}
	return text
}

func eventText(d *openapi.Document, kind catalog.EventKind) string {
	op := d.Webhooks[string(kind)]["post"]
	media := op.RequestBody.Content["application/json"]
	return fmt.Sprintf("# %s\n\n%s\n\nThe body is %s; [Webhooks](/api/docs/webhooks) says how it is signed and sent."+
		"\n\n%s", kind, kind.When(), linked(refName(media.Schema.Ref)), fenced("json", indented(media.Example)))
}

// fieldTable returns a table of an object's fields, in their order.
func fieldTable(s *openapi.Schema) string {
	if len(s.Order) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| Field | Type | Meaning |\n|---|---|---|\n")
	for _, name := range s.Order {
		p := s.Properties[name]
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, typeText(p),
			cell(needed(slices.Contains(s.Required, name))+p.Description+rules(p)))
	}
	return b.String() + "\n"
}

func needed(required bool) string {
	if required {
		return "**Required.** "
	}
	return ""
}

// rules returns the values and bounds of a field, in words.
func rules(s *openapi.Schema) string {
	values := s.Enum
	if s.Items != nil {
		values = s.Items.Enum
	}
	var words []string
	for _, v := range values {
		if v != nil {
			words = append(words, fmt.Sprintf("`%v`", v))
		}
	}
	var text string
	if len(words) > 0 {
		text = " One of " + strings.Join(words, ", ") + "."
	}
	if s.MaxLength > 0 {
		text += fmt.Sprintf(" At most %d characters.", s.MaxLength)
	}
	if s.Minimum != nil && s.Maximum != nil {
		text += fmt.Sprintf(" From %d to %d.", *s.Minimum, *s.Maximum)
	}
	if s.Default != nil {
		text += fmt.Sprintf(" Default: `%v`.", s.Default)
	}
	return text
}

// typeText returns a type in words, with links to objects.
func typeText(s *openapi.Schema) string {
	switch t := s.Type.(type) {
	case nil:
		switch {
		case s.AnyOf != nil && s.AnyOf[0].Ref == "":
			var types []string
			for _, one := range s.AnyOf {
				types = append(types, typeText(one))
			}
			return strings.Join(types, ", ")
		case s.AnyOf != nil:
			return linked(refName(s.AnyOf[0].Ref)) + " or null"
		case s.Ref != "":
			return linked(refName(s.Ref))
		}
		return "any value"
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

func linked(object string) string { return "[" + object + "](" + address(objectPath(object)) + ")" }

func objectPath(name string) string { return "objects/" + dashed(name) }

func operationPath(id string) string { return "reference/" + dashed(id) }

// dashed returns a name such as createBooking as create-booking.
func dashed(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// cell returns a text within a table.
func cell(text string) string { return cmp.Or(strings.ReplaceAll(text, "|", `\|`), "–") }

func fenced(language, text string) string { return "```" + language + "\n" + text + "\n```\n\n" }

func indented(v any) string {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // examples are part of the program
	}
	return string(text)
}
