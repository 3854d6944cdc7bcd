package openapi

import "daybook/app/fault"

// Param is a query parameter. The document describes it and the door checks it by the same fields.
type Param struct {
	Name, Text string
	Kind       string // "string" (default), "integer", "boolean"
	Enum       []string
	MaxLength  int // of a string; 0 is fault.MaxSearch
	Default    any // what counts when it is not given
	Min, Max   int // of an integer; one above Max counts as Max with Clamped, else it is refused
	Clamped    bool
	List       bool // values may be joined by commas, or the parameter repeated
	Required   bool
	Example    any
}

// Longest is how many characters a value may have.
func (p *Param) Longest() int {
	if p.MaxLength > 0 {
		return p.MaxLength
	}
	return fault.MaxSearch
}
