package shop

import (
	"fmt"
	"net/url"
	"slices"

	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/views/dash"
)

// needName returns the name of the inputs of the n-th need.
func needName(n int) string { return fmt.Sprintf("needs[%d]", n) }

// typeNeeds returns the rooms and things that the event type needs, a group for each need and a folded one for another;
// none where the workspace has neither.
func (c call) typeNeeds(e *catalog.EventType, typed url.Values) (groups []dash.Group) {
	if len(c.Setup.Resources) == 0 {
		return nil
	}
	needs := roomNeeds(e.Needs)
	last := len(needs)
	for n := range catalog.MaxNeeds {
		if len(typed[needName(n)]) > 0 {
			last = max(last, n+1)
		}
	}
	for n := range min(last+1, catalog.MaxNeeds) {
		g := dash.Group{Title: c.T("rooms_needs_more"), Fold: c.T("rooms_needs_pick")}
		if n == 0 {
			g.ID, g.Title, g.Hint = "needs", c.T("rooms_needs"), c.T("rooms_needs_hint")
		}
		var need catalog.Need
		if n < len(needs) {
			need = needs[n]
		}
		g.Inputs = c.needInputs(n, &need)
		groups = append(groups, g)
	}
	return groups
}

// needInputs returns the resources to choose from, those of a kind together.
func (c call) needInputs(n int, need *catalog.Need) (inputs []dash.Input) {
	for _, kind := range catalog.ResourceKinds {
		in := dash.Input{ID: fmt.Sprintf("need-%d-%s", n, kind), Name: needName(n), Label: c.KindName(kind, true),
			Kind: "checks"}
		for i := range c.Setup.Resources {
			r := &c.Setup.Resources[i]
			chosen := slices.Contains(need.OneOf, r.ID)
			if r.Kind != kind || !r.Active && !chosen {
				continue
			}
			label := r.Name
			if !r.Active {
				label = c.T("dash_host_inactive", "Name", r.Name)
			}
			in.Options = append(in.Options, dash.Option{Value: r.ID.String(), Label: label})
			if chosen {
				in.Values = append(in.Values, r.ID.String())
			}
		}
		if len(in.Options) > 0 {
			inputs = append(inputs, in)
		}
	}
	return inputs
}

// readNeeds reads the needs of the form. Those that stay keep their order and how long they last; a form without the
// section leaves all.
func readNeeds(form url.Values, e *catalog.EventType) {
	if !form.Has("needs") {
		return
	}
	old, together := roomNeeds(e.Needs), togetherOf(e)
	e.Needs = []catalog.Need{}
	defer func() {
		if together.Together() {
			e.Needs = append(e.Needs, together)
		}
	}()
	for n := range catalog.MaxNeeds {
		need := catalog.Need{During: catalog.DuringAll}
		if n < len(old) {
			need.During = old[n].During
		}
		var chosen []catalog.ResourceID
		for _, ref := range form[needName(n)] {
			if r, err := id.Parse[catalog.ResourceIDKind](ref); err == nil {
				chosen = append(chosen, r)
			}
		}
		if n < len(old) {
			for _, r := range old[n].OneOf {
				if slices.Contains(chosen, r) {
					need.OneOf = append(need.OneOf, r)
				}
			}
		}
		for _, r := range chosen {
			if !slices.Contains(need.OneOf, r) {
				need.OneOf = append(need.OneOf, r)
			}
		}
		if len(need.OneOf) > 0 {
			e.Needs = append(e.Needs, need)
		}
	}
}
