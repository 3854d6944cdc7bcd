package shop

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// partName returns the name of the input for the minutes of the n-th part.
func partName(n int) string { return fmt.Sprintf("parts[%d]", n) }

// partLabel returns what the n-th part is called: work and waits take turns.
func (c call) partLabel(n int) string {
	if n%2 == 1 {
		return c.T("parts_wait", "Number", n+1)
	}
	return c.T("parts_work", "Number", n+1)
}

// partInput returns an input for the minutes of the n-th part.
func partInput(name, label string, minutes int) dash.Input {
	in := dash.Input{Name: name, Label: label, Kind: "number", Min: "1", Half: true}
	if minutes > 0 {
		in.Value = strconv.Itoa(minutes)
	}
	return in
}

// typeParts returns the parts of the event type, with room for another wait.
func (c call) typeParts(e *catalog.EventType, typed url.Values) dash.Group {
	g := dash.Group{ID: "waits", Hint: c.T("parts_hint")}
	given := max(len(e.Parts), len(c.typedParts(typed)))
	shown := max(3, given+1+given%2) // work is the last
	for n := range min(shown, catalog.MaxParts) {
		minutes := 0
		if n < len(e.Parts) {
			minutes = e.Parts[n].Minutes()
		}
		in := partInput(partName(n), c.partLabel(n), minutes)
		in.Suffix = c.T("form_minutes")
		g.Inputs = append(g.Inputs, in)
	}
	if e.DuringWait || c.othersWait(e) {
		g.Inputs = append(g.Inputs, dash.Input{Name: "duringWait", Label: c.T("parts_during"), Kind: "check",
			Checked: e.DuringWait, Hint: c.T("parts_during_hint")})
	}
	return g
}

// othersWait reports whether there is another service in parts.
func (c call) othersWait(e *catalog.EventType) bool {
	return slices.ContainsFunc(c.Setup.EventTypes, func(o catalog.EventType) bool { return o.ID != e.ID && len(o.Parts) > 0 })
}

// typedParts returns the parts that were typed, up to the last that is given.
func (c call) typedParts(typed url.Values) []catalog.Part {
	return readParts(&web.Reader{Form: typed}, partName, nil)
}

// readParts reads the minutes of parts, up to the last that is given; fallback has those of parts that are left empty.
func readParts(r *web.Reader, name func(int) string, fallback []catalog.Part) (parts []catalog.Part) {
	last := -1
	for n := range catalog.MaxParts {
		if strings.TrimSpace(r.Form.Get(name(n))) != "" {
			last = n
		}
	}
	if last < 0 {
		return nil
	}
	for n := range max(last+1, len(fallback)) {
		minutes := 0
		if strings.TrimSpace(r.Form.Get(name(n))) != "" {
			minutes = r.Whole(name(n))
		} else if n < len(fallback) {
			minutes = fallback[n].Minutes()
		}
		if n%2 == 0 {
			parts = append(parts, catalog.Part{Work: minutes})
		} else {
			parts = append(parts, catalog.Part{Wait: minutes})
		}
	}
	return parts
}

// readTypeParts reads the parts of the form, whose sum is then the length. A form without the section leaves them.
func readTypeParts(r *web.Reader, e *catalog.EventType) {
	if !r.Form.Has(partName(0)) {
		return
	}
	if e.Parts = readParts(r, partName, nil); e.Parts == nil {
		return
	}
	e.DurationMinutes = 0
	for _, p := range e.Parts {
		e.DurationMinutes += p.Minutes()
	}
}

// partOptions returns the parts that an add-on can make longer; none for an event type without parts.
func (c call) partOptions(e *catalog.EventType, typed url.Values) (all []dash.Option) {
	parts := e.Parts
	if typed.Has(partName(0)) {
		parts = c.typedParts(typed)
	}
	for n := range parts {
		all = append(all, dash.Option{Value: strconv.Itoa(n + 1), Label: c.partLabel(n)})
	}
	if len(all) > 0 {
		all = append([]dash.Option{{Value: "0", Label: c.T("parts_last")}}, all...)
	}
	return all
}

// readAddOnPart returns the part that the add-on of a row makes longer. A form without the choice, as of an event type
// that had no parts yet, leaves the one that it had, as far as there is such a part.
func readAddOnPart(r *web.Reader, at string, row dash.AddOnInput, e *catalog.EventType, had []catalog.AddOn) int {
	if len(e.Parts) == 0 {
		return 0
	}
	if row.Part != "" {
		return wholeOf(r, at, row.Part)
	}
	for _, old := range had {
		if old.ID == row.ID && old.Part <= len(e.Parts) {
			return old.Part
		}
	}
	return 0
}
