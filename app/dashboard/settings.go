package dashboard

import (
	"net/url"

	"daybook/app"
	"daybook/views"
)

const settingsPath = "/dashboard/settings"

func (c *call) settingsTabs(at string) (tabs []views.Tab) {
	for _, t := range []struct {
		key, label string
		least      app.Role
	}{
		{"", "Workspace", app.ManagerRole}, {"brand", "Brand", app.ManagerRole}, {"mail", "Mail", app.ManagerRole},
		{"members", "Members", app.OwnerRole}, {"feeds", "Calendars", app.ManagerRole}, {"data", "Data", app.OwnerRole},
	} {
		path := settingsPath
		if t.key != "" {
			path += "/" + t.key
		}
		if c.actor.Role.AtLeast(t.least) && mounted[path] {
			tabs = append(tabs, views.Tab{Label: t.label, URL: path, Current: t.key == at})
		}
	}
	return tabs
}

var languages = []views.Option{{Value: "", Label: "The visitor's own"}, {Value: "en", Label: "English"}, {Value: "de", Label: "Deutsch"}, {Value: "fr", Label: "Français"}, {Value: "es", Label: "Español"}}

func (d *Door) settings(c *call) error { return c.showSettings(nil, nil) }

func (c *call) showSettings(typed url.Values, e *app.Error) error {
	w := &c.setup.Workspace
	currency := currencies
	if !offered(currency, w.Currency) {
		currency = append([]views.Option{{Value: w.Currency, Label: w.Currency}}, currency...)
	}
	v := views.SettingsPage{Dash: c.dash("Settings", "settings"), Tabs: c.settingsTabs(""), Action: settingsPath, Submit: "Save", Groups: []views.Group{
		{Title: "Workspace", Inputs: []views.Input{
			{Name: "name", Label: "Name", Required: true, Value: w.Name},
			{Name: "slug", Label: "Address of the booking page", Required: true, Value: w.Slug, Prefix: trimScheme(c.door.BaseURL()) + "/", Hint: "A new address breaks the links and embeds that are out there."},
			{Name: "timeZone", Label: "Time zone", Kind: "zone", Required: true, Value: w.TimeZone, Half: true},
			{Name: "currency", Label: "Currency", Kind: "select", Value: w.Currency, Options: currency, Half: true, Hint: "Of new prices; those that are set stay."},
			{Name: "locale", Label: "Language of mails and pages", Kind: "select", Value: w.Settings.Locale, Options: languages, Half: true},
		}},
		{Title: "Where to find you", Hint: "Shown on the booking page and in mails.", Inputs: []views.Input{
			{Name: "phone", Label: "Phone", Kind: "tel", Value: w.Settings.Phone, Half: true},
			{Name: "address", Label: "Address", Value: w.Settings.Address},
		}},
	}}
	v.Problem = fill(v.Groups, typed, e)
	return c.show(refusedStatus(e), views.Settings(v))
}

func (d *Door) saveSettings(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	_, err = d.UpdateWorkspace(c.Context(), c.actor, func(w *app.Workspace) {
		w.Name, w.Slug, w.TimeZone, w.Currency = form.Get("name"), form.Get("slug"), form.Get("timeZone"), form.Get("currency")
		w.Settings.Locale, w.Settings.Phone, w.Settings.Address = form.Get("locale"), form.Get("phone"), form.Get("address")
	})
	if e := refused(err); e != nil {
		return c.showSettings(form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(settingsPath, "saved")
}

func (d *Door) brand(c *call) error { return c.showBrand(nil, nil) }

func (c *call) showBrand(typed url.Values, e *app.Error) error {
	w := &c.setup.Workspace
	color := w.Settings.Color
	if color == "" {
		color = "#" + views.DefaultColor
	}
	v := views.SettingsPage{Dash: c.dash("Settings", "settings"), Tabs: c.settingsTabs("brand"), Action: settingsPath + "/brand", Submit: "Save",
		Groups: []views.Group{{Title: "How your booking page looks", Inputs: []views.Input{
			{Name: "color", Label: "Colour", Kind: "color", Value: color, Hint: "Texts on it stay readable, whatever you choose."},
			{Name: "logoUrl", Label: "Logo", Kind: "url", Value: w.Settings.LogoURL, Placeholder: "https://…/logo.png", Hint: "The address of a square image."},
			{Name: "description", Label: "A line about you", Value: w.Settings.Description},
		}}},
		Preview: &views.BrandPreview{Name: w.Name, About: w.Settings.Description, LogoURL: w.Settings.LogoURL},
	}
	v.Problem = fill(v.Groups, typed, e)
	return c.show(refusedStatus(e), views.Settings(v))
}

func (d *Door) saveBrand(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	_, err = d.UpdateWorkspace(c.Context(), c.actor, func(w *app.Workspace) {
		w.Settings.Color, w.Settings.LogoURL, w.Settings.Description = form.Get("color"), form.Get("logoUrl"), form.Get("description")
	})
	if e := refused(err); e != nil {
		return c.showBrand(form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(settingsPath+"/brand", "saved")
}
