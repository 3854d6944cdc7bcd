package shop

import (
	"slices"
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

// readRequires reads what the form requires. What is required of a kind that the form doesn't ask about stays: it came while
// the form was open.
func (c call) readRequires(r *web.Reader, e *catalog.EventType) {
	typed := func(key string) (required catalog.Requirement, asked, ticked bool) {
		name := "requires[" + key + "]"
		if asked = r.Form.Has(name + ".within"); asked && r.Form.Get(name) == "on" {
			return catalog.Requirement{Consent: key, Within: r.Whole(name + ".within")}, true, true
		}
		return required, asked, false
	}
	all := []catalog.Requirement{}
	for _, before := range e.Requires {
		if now, asked, ticked := typed(before.Consent); !asked {
			all = append(all, before)
		} else if ticked {
			all = append(all, now)
		}
	}
	for _, kind := range c.Setup.Workspace.Settings.Consents {
		there := slices.ContainsFunc(e.Requires, func(r catalog.Requirement) bool { return r.Consent == kind.Key })
		if now, _, ticked := typed(kind.Key); ticked && !there {
			all = append(all, now)
		}
	}
	e.Requires = all
}
