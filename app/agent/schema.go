package agent

import (
	"bytes"
	"encoding/json"
	"slices"
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
	c.Type = []any{s.Type, "null"}
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
		must("data", list("The rows of this page.", of)),
		must("hasMore", truth("Whether there are more rows behind this page.")),
		must("nextCursor",
			text("Pass as cursor, with the same other arguments, for the next page; null on the last one.").orNull()),
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

var errorObject = object("Only when the call failed (isError): what went wrong and what to do next.",
	must("code", choice("Kind of error, to branch on.", "bad_request", "unauthorized", "forbidden", "not_found",
		"conflict", "rate_limited", "internal")),
	must("message", text("What is wrong and what to do next.")),
	may("details", &schema{Type: "object",
		Description: "reason (stable), field (the argument that is wrong), and what helps to go on: alternatives (open " +
			"slots) and timeZone (of their local times, the business's), reasons (all that stands against a start), " +
			"otherHosts, bookingId, status."}),
	must("requestId", text("Names the request in the operator's log.")),
)
