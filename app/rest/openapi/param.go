package openapi

import (
	"daybook/app/catalog"
	"daybook/app/fault"
)

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
	Sampled    bool // the samples of the documentation give it, though it isn't required
}

// Longest returns the most characters that a value may have.
func (p *Param) Longest() int {
	if p.MaxLength > 0 {
		return p.MaxLength
	}
	return fault.MaxSearch
}

// Limit returns how many results a list answers at most.
func Limit(byDefault int) Param {
	return Param{Name: "limit", Kind: "integer", Min: 1, Max: fault.MaxPage, Clamped: true, Default: byDefault,
		Example: 20, Text: "How many results to answer at most. Above 100 counts as 100."}
}

// Cursor continues a list.
var Cursor = Param{Name: "cursor",
	Text: "Continues a list: the `nextCursor` of the page before, with the other parameters unchanged."}

// TimeZone returns the zone that a call asks for.
func TimeZone(text string) Param {
	return Param{Name: "timeZone", MaxLength: catalog.MaxZone, Text: text, Example: "Europe/Berlin"}
}
