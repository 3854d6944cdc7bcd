package shop

import (
	"net/url"
	"slices"
	"strconv"

	"daybook/app/catalog"
	"daybook/app/id"
	"daybook/views/dash"
)

// roomNeeds returns the needs of rooms and things.
func roomNeeds(all []catalog.Need) []catalog.Need {
	return slices.DeleteFunc(slices.Clone(all), func(n catalog.Need) bool { return n.Together() })
}

// togetherOf returns the event type's need of several hosts; the zero one where it has none.
func togetherOf(e *catalog.EventType) (need catalog.Need) {
	for _, n := range e.Needs {
		if n.Together() {
			need = n
		}
	}
	return need
}

// typeTogether asks how many hosts do the event type together, and who they may be; nothing where the workspace has one.
func (c call) typeTogether(e *catalog.EventType) []dash.Group {
	if len(c.Setup.Hosts) < 2 {
		return nil
	}
	need := togetherOf(e)
	g := dash.Group{ID: "together", Title: c.T("together_title"), Hint: c.T("together_hint"), Fold: c.T("together_pick")}
	if need.Together() {
		g.Fold = ""
	}
	count := dash.Input{Name: "together", Label: c.T("together_count"), Kind: "select", Value: strconv.Itoa(max(1, need.Hosts)), Half: true,
		Options: []dash.Option{{Value: "1", Label: c.T("together_one")}}}
	for n := 2; n <= min(catalog.MaxTogether, max(need.Hosts, len(c.Setup.Hosts))); n++ {
		count.Options = append(count.Options, dash.Option{Value: strconv.Itoa(n), Label: strconv.Itoa(n)})
	}
	of := dash.Input{Name: "togetherOf", Label: c.T("together_of"), Kind: "checks"}
	for i := range c.Setup.Hosts {
		h := &c.Setup.Hosts[i]
		chosen := slices.Contains(need.Of, h.ID)
		if !h.Active && !chosen {
			continue
		}
		label := h.Name
		if !h.Active {
			label = c.T("dash_host_inactive", "Name", h.Name)
		}
		of.Options = append(of.Options, dash.Option{Value: h.ID.String(), Label: label})
		if chosen {
			of.Values = append(of.Values, h.ID.String())
		}
	}
	g.Inputs = []dash.Input{count, of}
	return []dash.Group{g}
}

// readTogether reads how many hosts do it together. Who stays keeps the place that they have among the others; a form
// without the section leaves all.
func readTogether(form url.Values, e *catalog.EventType) {
	if !form.Has("together") {
		return
	}
	old := togetherOf(e)
	e.Needs = roomNeeds(e.Needs)
	n, err := strconv.Atoi(form.Get("together"))
	if err != nil || n < 2 {
		return
	}
	need := catalog.Need{Hosts: n}
	var chosen []catalog.HostID
	for _, ref := range form["togetherOf"] {
		if h, err := id.Parse[catalog.HostIDKind](ref); err == nil {
			chosen = append(chosen, h)
		}
	}
	for _, h := range append(slices.Clone(old.Of), chosen...) {
		if slices.Contains(chosen, h) && !slices.Contains(need.Of, h) {
			need.Of = append(need.Of, h)
		}
	}
	e.Needs = append(e.Needs, need)
}
