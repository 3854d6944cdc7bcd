package settings

import (
	"net/url"
	"strconv"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/privacy"
	"daybook/views/dash"
)

// usualMonths is what the form begins with.
const usualMonths = 36

func (c call) privacy() error {
	typed := c.URL.Query()
	if !typed.Has("months") {
		return c.showPrivacy(nil, nil, nil)
	}
	rule, err := ruleOf(typed)
	var p privacy.Preview
	if err == nil {
		p, err = c.Subjects.Privacy.PreviewRule(c.Context(), c.Actor, rule)
	}
	if e := web.Refused(err); e != nil {
		return c.showPrivacy(typed, nil, e)
	}
	if err != nil {
		return err
	}
	return c.showPrivacy(typed, c.preview(&rule, &p), nil)
}

// ruleOf returns the rule that is typed; what is no number is one that no rule has.
func ruleOf(form url.Values) (r catalog.RetentionRule, err error) {
	if r.Months, err = strconv.Atoi(form.Get("months")); err != nil {
		return r, fault.Invalid("settings.retention.months", "must lie between %d and %d", 1, catalog.MaxMonths)
	}
	if years := form.Get("taxYears"); years != "" {
		if r.TaxYears, err = strconv.Atoi(years); err != nil {
			return r, fault.Invalid("settings.retention.taxYears", "must lie between %d and %d", 0,
				catalog.MaxTaxYears)
		}
	}
	return r, nil
}

func (c call) showPrivacy(typed url.Values, shown *dash.Forecast, e *fault.Error) error {
	n, err := c.Subjects.Privacy.State(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	w := &c.Setup.Workspace
	v := dash.PrivacyPage{SettingsFrame: c.settingsFrame(c.T("privacy_tab"), dash.PrivacyPath), Preview: shown}
	months, years := strconv.Itoa(usualMonths), ""
	v.State = c.T("privacy_off")
	if r := w.Settings.Retention; r != nil {
		v.On, months, v.State = true, strconv.Itoa(r.Months), c.T("privacy_on", "Count", r.Months)
		if r.TaxYears != 0 {
			years = strconv.Itoa(r.TaxYears)
		}
		if n.Next != 0 {
			v.Next = c.T("privacy_next", "Day", c.Day(c.At(n.Next)), "Time", c.Clock(n.Next))
		}
		if n.State.Ended != 0 {
			v.Last = c.T("privacy_last", "Day", c.Day(c.At(n.State.Ended)), "Contacts", n.State.Last.Contacts, "Bookings",
				n.State.Last.Bookings)
		}
	}
	if v.Copies, err = c.copiesText(); err != nil {
		return err
	}
	usual := catalog.TaxYears(w.PhoneCountry())
	v.Groups = []dash.Group{{Inputs: []dash.Input{
		{Name: "months", Label: c.T("privacy_months"), Kind: "number", Value: months, Required: true, Half: true, Min: "1",
			Max: strconv.Itoa(catalog.MaxMonths), Hint: c.T("privacy_months_hint")},
		{Name: "taxYears", Label: c.T("privacy_tax_years"), Kind: "number", Value: years, Half: true, Min: "0",
			Max: strconv.Itoa(catalog.MaxTaxYears), Placeholder: strconv.Itoa(usual),
			Hint: c.T("privacy_tax_years_hint", "Count", usual)},
	}}}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Privacy(v))
}

// copiesText says how long backups, and the replicas of the server where it has any, keep a name.
func (c call) copiesText() (string, error) {
	noted, err := c.Subjects.Upkeep.Replicas(c.Context())
	days := 0
	for i := range noted.Targets {
		days = max(days, noted.Targets[i].Days)
	}
	if err != nil || days == 0 {
		return c.T("privacy_stays_backups"), err
	}
	return c.T("privacy_stays_copies", "Count", days), nil
}

// preview says in sentences what a rule would erase.
func (c call) preview(rule *catalog.RetentionRule, p *privacy.Preview) *dash.Forecast {
	v := &dash.Forecast{Title: c.T("privacy_preview_title", "Count", rule.Months)}
	if p.Contacts == 0 && p.Bookings == 0 {
		v.Lines = []string{c.T("privacy_preview_none")}
		return v
	}
	v.Lines = append(v.Lines, c.T("privacy_preview_contacts", "Count", p.Contacts))
	if p.Bookings > 0 {
		v.Lines = append(v.Lines, c.T("privacy_preview_bookings", "Count", p.Bookings, "Day", c.Day(c.At(p.Oldest))))
	}
	if p.Open > 0 {
		v.Lines = append(v.Lines, c.T("privacy_preview_open", "Count", p.Open))
	}
	if p.Taxed > 0 {
		v.Lines = append(v.Lines, c.T("privacy_preview_taxed", "Count", p.Taxed))
	}
	if p.More {
		v.Lines = append(v.Lines, c.T("privacy_preview_more"))
	}
	return v
}

func (c call) savePrivacy() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	rule, err := ruleOf(form)
	if err == nil {
		err = c.Subjects.Privacy.ChooseRule(c.Context(), c.Actor, &rule)
	}
	if e := web.Refused(err); e != nil {
		return c.showPrivacy(form, nil, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.PrivacyPath, "saved")
}

func (c call) endPrivacy() error {
	if err := c.Subjects.Privacy.ChooseRule(c.Context(), c.Actor, nil); err != nil {
		return err
	}
	return c.Redirect(dash.PrivacyPath, "saved")
}
