package agent

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// schema is a JSON Schema (2020-12, the keywords that all clients support). Its properties keep their order, in which a
// model reads them.
type schema struct {
	Type        any        `json:"type,omitempty"`
	Description string     `json:"description,omitempty"`
	Properties  properties `json:"properties,omitempty"`
	Required    []string   `json:"required,omitempty"`
	Additional  any        `json:"additionalProperties,omitempty"`
	Items       *schema    `json:"items,omitempty"`
	Enum        []any      `json:"enum,omitempty"`
	Format      string     `json:"format,omitempty"`
	Pattern     string     `json:"pattern,omitempty"`
	Minimum     *int       `json:"minimum,omitempty"`
	Maximum     *int       `json:"maximum,omitempty"`
	MinLength   int        `json:"minLength,omitempty"`
	MaxLength   int        `json:"maxLength,omitempty"`
	MaxItems    int        `json:"maxItems,omitempty"`
	MaxEntries  int        `json:"maxProperties,omitempty"`
	Default     any        `json:"default,omitempty"`
	Examples    []any      `json:"examples,omitempty"`
	AnyOf       []*schema  `json:"anyOf,omitempty"`
}

func (s *schema) json() json.RawMessage {
	text, err := encode(s)
	if err != nil {
		panic(err) // schemas are constants of this package
	}
	return text
}

// property is a property of an object.
type property struct {
	name     string
	schema   *schema
	optional bool
}

type properties []property

// MarshalJSON writes the properties in their order.
func (p properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(f.name)
		text, err := encode(f.schema)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// must returns a required property, may an optional one.
func must(name string, s *schema) property { return property{name, s, false} }
func may(name string, s *schema) property  { return property{name, s, true} }

// optional makes the property of that name one that may be left out.
func optional(all []property, name string) []property {
	for i := range all {
		all[i].optional = all[i].optional || all[i].name == name
	}
	return all
}

func object(description string, fields ...property) *schema {
	s := &schema{Type: "object", Description: description, Properties: fields}
	for _, f := range fields {
		if !f.optional {
			s.Required = append(s.Required, f.name)
		}
	}
	return s
}

// after returns the object with more properties behind the one of that name.
func (s *schema) after(name string, more ...property) *schema {
	at := slices.IndexFunc(s.Properties, func(p property) bool { return p.name == name })
	return object(s.Description, slices.Insert(slices.Clone(s.Properties), at+1, more...)...)
}

// only returns what programs and models branch on: the properties of these names, of objects and of lists of objects by
// a dot, with their types and values, without what describes them. An answer has more than that, which the
// documentation has: every client of the tools reads all output schemas before its first call.
func (s *schema) only(names ...string) *schema {
	short := &schema{Type: s.Type, Enum: s.Enum}
	if s.Items != nil {
		short.Items = s.Items.only(names...)
		return short
	}
	var found []string
	for _, p := range s.Properties {
		var inner []string
		for _, name := range names {
			if own, rest, deeper := strings.Cut(name, "."); own == p.name {
				found = append(found, name)
				if deeper {
					inner = append(inner, rest)
				}
			}
		}
		switch has := slices.ContainsFunc(names, func(name string) bool { return strings.Split(name, ".")[0] == p.name }); {
		case !has:
			continue
		case !p.optional:
			short.Required = append(short.Required, p.name)
		}
		short.Properties = append(short.Properties, property{p.name, p.schema.only(inner...), p.optional})
	}
	if len(found) != len(names) {
		panic("a schema has not all of " + strings.Join(names, ", "))
	}
	return short
}

func text(description string) *schema   { return &schema{Type: "string", Description: description} }
func number(description string) *schema { return &schema{Type: "integer", Description: description} }
func truth(description string) *schema  { return &schema{Type: "boolean", Description: description} }
func list(description string, of *schema) *schema {
	return &schema{Type: "array", Description: description, Items: of}
}
func values(description string, of ...string) *schema {
	return &schema{Type: "object", Description: description, Additional: map[string]any{"type": of}}
}

// instant returns a point in time.
func instant(description string) *schema {
	return &schema{Type: "string", Format: "date-time", Description: description}
}

func choice(description string, of ...any) *schema {
	return &schema{Type: "string", Description: description, Enum: of}
}

// orNull also takes null.
func (s *schema) orNull() *schema {
	c := *s
	if several, ok := s.Type.([]any); ok {
		c.Type = append(slices.Clone(several), "null")
	} else {
		c.Type = []any{s.Type, "null"}
	}
	if c.Enum != nil {
		c.Enum = append(slices.Clone(c.Enum), nil)
	}
	return &c
}

// closed returns the schema for arguments: every object in it refuses unknown properties.
func (s *schema) closed() *schema {
	c := *s
	if c.Type == "object" && c.Additional == nil {
		c.Additional = false
	}
	c.Properties = slices.Clone(s.Properties)
	for i := range c.Properties {
		c.Properties[i].schema = c.Properties[i].schema.closed()
	}
	return &c
}

func (s *schema) length(least, most int) *schema { s.MinLength, s.MaxLength = least, most; return s }
func (s *schema) between(least, most int) *schema {
	s.Minimum, s.Maximum = &least, &most
	return s
}
func (s *schema) atLeast(n int) *schema       { s.Minimum = &n; return s }
func (s *schema) form(pattern string) *schema { s.Pattern = pattern; return s }
func (s *schema) kind(format string) *schema  { s.Format = format; return s }
func (s *schema) byDefault(value any) *schema { s.Default = value; return s }
func (s *schema) such(as ...any) *schema      { s.Examples = as; return s }

// envelope returns the schema of a list, as REST has it.
func envelope(description string, of *schema, more ...property) *schema {
	return object(description, append([]property{
		must("data", list("", of)),
		must("hasMore", truth("")),
		must("nextCursor", text("").orNull()),
	}, more...)...)
}

// orError returns the schema of a tool's result: the resource, or the error object when isError is set. Some clients
// validate failures by the output schema too.
func orError(s *schema) *schema {
	both := *s
	both.Properties = append(slices.Clone(s.Properties), may("error", errorObject))
	both.AnyOf = []*schema{{Required: s.Required}, {Required: []string{"error"}}}
	both.Required = nil
	return &both
}

var errorObject = object("Only with isError.",
	must("code", text("")),
	must("message", text("")),
	may("details", object("", may("reason", text("")), may("field", text("")))),
)
