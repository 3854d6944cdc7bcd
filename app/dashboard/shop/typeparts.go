package shop

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// partName returns the name of the input for the minutes of the n-th part.
func partName(n int) string { return fmt.Sprintf("parts[%d]", n) }

// partInput returns an input for the minutes of the n-th part: work and waits take turns.
func partInput(name, label string, minutes int) dash.Input {
	in := dash.Input{Name: name, Label: label, Kind: "number", Min: "1", Half: true}
	if minutes > 0 {
		in.Value = strconv.Itoa(minutes)
	}
	return in
}

// typeParts returns the parts of the event type, with room for another wait; folded for one without any.
func (c call) typeParts(e *catalog.EventType, typed url.Values) dash.Group {
	g := dash.Group{ID: "parts", Title: c.T("parts_title"), Hint: c.T("parts_hint")}
	given := max(len(e.Parts), len(c.typedParts(typed)))
	if given == 0 {
		g.Fold = c.T("parts_add")
	}
	shown := max(3, given+1+given%2) // work is the last
	for n := range min(shown, catalog.MaxParts) {
		label, minutes := "parts_work", 0
		if n%2 == 1 {
			label = "parts_wait"
		}
		if n < len(e.Parts) {
			minutes = e.Parts[n].Minutes()
		}
		in := partInput(partName(n), c.T(label, "Number", n+1), minutes)
		in.Suffix = c.T("form_minutes")
		g.Inputs = append(g.Inputs, in)
	}
	return g
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

// partsKept gives add-ons the parts that they had, as far as the event type has such parts.
func partsKept(e *catalog.EventType, had []catalog.AddOn) {
	for i := range e.AddOns {
		a := &e.AddOns[i]
		for _, old := range had {
			if old.ID == a.ID && old.Part <= len(e.Parts) {
				a.Part = old.Part
			}
		}
	}
}
