package shop

import (
	"strconv"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// typeRequires returns the consents that the event type may require; none where the workspace has none.
func (c call) typeRequires(e *catalog.EventType) (groups []dash.Group) {
	g := dash.Group{ID: "requires", Title: c.T("agree_requires"), Hint: c.T("agree_requires_hint")}
	for _, kind := range c.Setup.Workspace.Settings.Consents {
		in := dash.Input{Name: "requires[" + kind.Key + "]", Label: kind.Name, Kind: "check"}
		days := dash.Input{Name: "requires[" + kind.Key + "].within", Label: c.T("agree_within", "Name", kind.Name), Kind: "number",
			Half: true, Min: "0", Suffix: c.T("agree_days_unit"), Placeholder: c.T("agree_whenever")}
		for _, r := range e.Requires {
			if r.Consent == kind.Key {
				in.Checked = true
				if r.Within > 0 {
					days.Value = strconv.Itoa(r.Within)
				}
			}
		}
		g.Inputs = append(g.Inputs, in, days)
	}
	if len(g.Inputs) == 0 {
		return nil
	}
	return []dash.Group{g}
}

// readRequires reads what the form requires; a form without the section, of a workspace without consents, leaves it.
func (c call) readRequires(r *web.Reader, e *catalog.EventType) {
	form := r.Form
	kinds := c.Setup.Workspace.Settings.Consents
	if len(kinds) == 0 {
		return
	}
	if !form.Has("requires[" + kinds[0].Key + "].within") { // an older page
		return
	}
	e.Requires = []catalog.Requirement{}
	for _, kind := range kinds {
		if form.Get("requires["+kind.Key+"]") == "on" {
			e.Requires = append(e.Requires, catalog.Requirement{Consent: kind.Key, Within: r.Whole("requires[" + kind.Key + "].within")})
		}
	}
}
