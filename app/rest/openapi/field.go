package openapi

// Field is what the document says about a field beyond its Go type.
type Field struct {
	Text      string
	Format    string
	Pattern   string
	Enum      []any
	MaxLength int
	Min, Max  int // of a number; both 0 is unbounded
	Entries   int // of a map, at most
	ValueMax  int // characters of each of a map's texts, at most
	Default   any
	Null      bool
	Example   any
	As        any // a value of the type that is described instead of the field's own
}

func (f *Field) applyTo(p *Schema) {
	p.Description, p.Pattern, p.MaxLength, p.MaxProperties, p.Default = f.Text, f.Pattern, f.MaxLength, f.Entries,
		f.Default
	if f.Format != "" {
		p.Format = f.Format
	}
	if f.Enum != nil && p.Items != nil {
		p.Items.Enum = f.Enum
	} else if f.Enum != nil {
		p.Enum = f.Enum
	}
	if f.Max != 0 {
		p.Minimum, p.Maximum = &f.Min, &f.Max
	} else if f.Min != 0 {
		p.Minimum = &f.Min
	}
	if f.Example != nil {
		p.Examples = []any{f.Example}
	}
	if of, ok := p.AdditionalProperties.(*Schema); ok && f.ValueMax > 0 {
		of.MaxLength = f.ValueMax
	}
}
