package settings

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

func (c call) consents() error { return c.showConsents(nil, nil) }

// consentAt begins the names of the inputs of a kind of consents.
func consentAt(i int) string { return fmt.Sprintf("settings.consents[%d].", i) }

// showConsents shows a group for each kind of consents, and one for another.
func (c call) showConsents(typed url.Values, e *fault.Error) error {
	v := dash.SettingsPage{SettingsFrame: c.settingsFrame(c.T("agree_tab"), dash.ConsentsPath), Action: dash.ConsentsPath,
		Version: consentsVersion(c.Setup.Workspace.Settings.Consents)}
	kinds := slices.Clone(c.Setup.Workspace.Settings.Consents)
	if typed != nil {
		kinds, v.Version = typedConsents(typed), typed.Get("version")
	}
	first := len(kinds) == 0
	if first { // what every business begins with
		kinds = append(kinds, catalog.ConsentKind{Wording: c.T("agree_wording_default"), Health: true})
	} else if typed == nil && len(kinds) < catalog.MaxConsentKinds {
		kinds = append(kinds, catalog.ConsentKind{})
	}
	for i, k := range kinds {
		at, needed := consentAt(i), first || k.Key != "" || k.Name+k.Wording != ""
		g := dash.Group{Title: k.Name, Inputs: []dash.Input{
			{Name: at + "name", Label: c.T("agree_name"), Value: k.Name, Placeholder: c.T("agree_name_example"), Required: needed},
			{Name: at + "wording", Label: c.T("agree_wording"), Kind: "area", Rows: 4, Value: k.Wording, Required: needed},
			{Name: at + "days", Label: c.T("agree_days"), Kind: "number", Half: true, Min: "0", Suffix: c.T("agree_days_unit"),
				Hint: c.T("agree_days_hint")},
			{Name: at + "health", Label: c.T("agree_covers"), Kind: "check", Checked: k.Health},
		}}
		if k.Days > 0 {
			g.Inputs[2].Value = strconv.Itoa(k.Days)
		}
		if k.Key == "" {
			g.Title = c.T("agree_another")
		} else {
			g.Inputs = append(g.Inputs, dash.Input{Name: at + "key", Label: c.T("agree_key"), Value: k.Key, Fixed: true})
		}
		if i == 0 {
			g.Hint = c.T("agree_settings_hint")
			if !c.Subjects.People.HealthKept() {
				g.Hint += " " + c.T("agreefault_no_key")
			}
		}
		v.Groups = append(v.Groups, g)
	}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Settings(v))
}

// consentsVersion is another one whenever the kinds are.
func consentsVersion(all []catalog.ConsentKind) string {
	return fault.ETag(append([]catalog.ConsentKind{}, all...))
}

// typedKinds returns the form without the kinds that have neither a name nor a wording, so that the others follow one
// another. A number of days alone is no kind that was begun: it is what a removed one leaves.
func typedKinds(form url.Values) url.Values {
	all, n := url.Values{"version": form["version"]}, 0
	for i := range catalog.MaxConsentKinds + 1 {
		at := consentAt(i)
		if strings.TrimSpace(form.Get(at+"name")+form.Get(at+"wording")) == "" {
			continue
		}
		for _, name := range []string{"key", "name", "wording", "days", "health"} {
			if value, typed := form[at+name]; typed {
				all[consentAt(n)+name] = value
			}
		}
		n++
	}
	return all
}

// typedConsents reads the kinds of a form that typedKinds made. New ones have no key.
func typedConsents(form url.Values) (all []catalog.ConsentKind) {
	for i := 0; form.Has(consentAt(i) + "name"); i++ {
		at := consentAt(i)
		days, _ := strconv.Atoi(strings.TrimSpace(form.Get(at + "days")))
		all = append(all, catalog.ConsentKind{Key: form.Get(at + "key"), Name: strings.TrimSpace(form.Get(at + "name")),
			Wording: form.Get(at + "wording"), Days: days, Health: form.Get(at+"health") == "on"})
	}
	return all
}

// keyed gives new kinds keys of their names, none of which another one has or had until now.
func keyed(all, before []catalog.ConsentKind) []catalog.ConsentKind {
	has := func(kinds []catalog.ConsentKind, key string) bool {
		return slices.ContainsFunc(kinds, func(k catalog.ConsentKind) bool { return k.Key == key })
	}
	for i := range all {
		if k := &all[i]; k.Key == "" {
			k.Key = catalog.FreeKey(k.Name, "consent", func(key string) bool { return has(all, key) || has(before, key) })
		}
	}
	return all
}

func (c call) saveConsents() error {
	posted, err := c.Posted()
	if err != nil {
		return err
	}
	form := typedKinds(posted)
	kinds, r := typedConsents(form), web.Reader{Form: form}
	for i := range kinds {
		r.Whole(consentAt(i) + "days")
	}
	if r.Err != nil {
		return c.showConsents(form, fault.As(r.Err))
	}
	err = c.Subjects.Shop.SetConsents(c.Context(), c.Actor, keyed(kinds, c.Setup.Workspace.Settings.Consents),
		func(now []catalog.ConsentKind) error {
			return fault.CheckETag(form.Get("version"), consentsVersion(now), "list of consents")
		})
	if e := web.Refused(err); e != nil {
		return c.showConsents(form, e)
	}
	if fault.Is(err, fault.PreconditionFailed) { // what was typed isn't lost, to be copied
		return c.showConsents(form, fault.As(err))
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ConsentsPath, "saved")
}
