package settings

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/contact"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

func (c call) consents() error { return c.showConsents(nil, nil) }

// showConsents shows a group for each kind of consents, and one for another.
func (c call) showConsents(typed url.Values, e *fault.Error) error {
	v := dash.SettingsPage{SettingsFrame: c.settingsFrame(c.T("agree_tab"), dash.ConsentsPath), Action: dash.ConsentsPath}
	kinds := c.Setup.Workspace.Settings.Consents
	if typed != nil {
		kinds = typedConsents(typed)
	}
	kinds = append([]catalog.ConsentKind{}, kinds...)
	if len(kinds) == 0 { // what every business begins with
		kinds = append(kinds, catalog.ConsentKind{Wording: c.T("agree_wording_default"), Health: true})
	} else if len(kinds) < catalog.MaxConsentKinds {
		kinds = append(kinds, catalog.ConsentKind{})
	}
	for i, k := range kinds {
		at := fmt.Sprintf("settings.consents[%d].", i)
		g := dash.Group{Title: k.Name, Inputs: []dash.Input{
			{Name: at + "name", Label: c.T("agree_name"), Value: k.Name, Placeholder: c.T("agree_name_example")},
			{Name: at + "wording", Label: c.T("agree_wording"), Kind: "area", Rows: 4, Value: k.Wording},
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

var notInKeys = regexp.MustCompile(`[^a-z0-9]+`)

// typedConsents reads the kinds of the form. One without a name and a wording is left out; a new one gets a key of its name.
func typedConsents(form url.Values) (all []catalog.ConsentKind) {
	for i := range catalog.MaxConsentKinds + 1 {
		at := fmt.Sprintf("settings.consents[%d].", i)
		k := catalog.ConsentKind{Key: form.Get(at + "key"), Name: strings.TrimSpace(form.Get(at + "name")),
			Wording: form.Get(at + "wording"), Health: form.Get(at+"health") == "on"}
		if k.Name == "" && (k.Key == "" || strings.TrimSpace(k.Wording) == "") {
			continue
		}
		k.Days, _ = strconv.Atoi(strings.TrimSpace(form.Get(at + "days")))
		if k.Key == "" {
			base := strings.Trim(notInKeys.ReplaceAllString(contact.FoldSearch(k.Name), "-"), "-")
			base = strings.Trim(base[:min(len(base), 34)], "-")
			if base == "" {
				base = "consent"
			}
			k.Key = base
			for n := 2; taken(all, form, k.Key); n++ {
				k.Key = fmt.Sprintf("%s-%d", base, n)
			}
		}
		all = append(all, k)
	}
	return all
}

// taken reports whether a kind of the form has the key.
func taken(all []catalog.ConsentKind, form url.Values, key string) bool {
	for _, k := range all {
		if k.Key == key {
			return true
		}
	}
	for i := range catalog.MaxConsentKinds + 1 {
		if form.Get(fmt.Sprintf("settings.consents[%d].key", i)) == key {
			return true
		}
	}
	return false
}

func (c call) saveConsents() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	r := web.Reader{Form: form}
	for i := range catalog.MaxConsentKinds + 1 {
		r.Whole(fmt.Sprintf("settings.consents[%d].days", i))
	}
	if r.Err != nil {
		return c.showConsents(form, fault.As(r.Err))
	}
	_, err = c.Subjects.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) {
		w.Settings.Consents = typedConsents(form)
	})
	if e := web.Refused(err); e != nil {
		return c.showConsents(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ConsentsPath, "saved")
}
