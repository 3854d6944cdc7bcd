package openapi

import "daybook/app/fault"

// Param is a query parameter. The document and the door's checks use the same fields.
type Param struct {
	Name, Text string
	Kind       string   // "string" (default), "integer", "boolean"
	Enum       []string // the values, or those of a List
	MaxLength  int      // of a string; 0 is fault.MaxSearch
	Default    any      // the value when it is not given
	Min, Max   int      // of an integer; a larger one is refused, or taken as Max if Clamped
	Clamped    bool
	List       bool // values may be joined by commas, or the parameter repeated
	Required   bool
	Example    any
}

// Longest is the most characters that a value may have.
func (p *Param) Longest() int {
	if p.MaxLength > 0 {
		return p.MaxLength
	}
	return fault.MaxSearch
}
