package web

import (
	"strings"

	"daybook/app/slot"
	"daybook/views"
)

// Rules returns a sentence that names the rules that stand against a time. possible says that all of them can be
// waived.
func (c *Call) Rules(against slot.Reasons, possible bool) string {
	var all []string
	for _, r := range against.List() {
		key := "waive_" + string(r)
		if r == slot.InPast && !possible && !against.Has(slot.Booked) {
			key = "waive_over"
		}
		all = append(all, c.T(key))
	}
	if possible {
		return c.T("waive_against", "Rules", strings.Join(all, ", "))
	}
	return c.T("waive_not", "Rules", strings.Join(all, ", "))
}

// Overrides returns the fields of a form that waives these rules.
func Overrides(rules slot.Reasons) (hidden []views.Pair) {
	for _, r := range rules.List() {
		hidden = append(hidden, views.Pair{Name: "override", Value: string(r)})
	}
	return hidden
}
