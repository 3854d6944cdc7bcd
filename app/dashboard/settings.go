package dashboard

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/serve"
	"daybook/views"
	"daybook/views/dash"
)

func (c *call) settingsFrame(title, at string) dash.SettingsFrame {
	f := dash.SettingsFrame{Frame: c.frame(title, "settings"), Heading: "Settings"}
	for _, t := range []struct {
		label, url string
		least      app.Role
	}{
		{"Workspace", dash.SettingsPath, app.ManagerRole}, {"Brand", dash.SettingsBrandPath, app.ManagerRole},
		{"Members", dash.MembersPath, app.OwnerRole}, {"Your data", dash.DataPath, app.OwnerRole},
	} {
		if c.actor.Role.AtLeast(t.least) {
			f.Tabs = append(f.Tabs, dash.Tab{Label: t.label, URL: t.url, Current: t.url == at})
		}
	}
	return f
}

func (d *Door) settings(c *call) error { return c.showSettings(nil, nil) }

func (c *call) showSettings(typed url.Values, e *fault.Error) error {
	w := &c.setup.Workspace
	money := slices.Clone(currencies)
	if !slices.ContainsFunc(money, func(o dash.Option) bool { return o.Value == w.Currency }) {
		money = append(money, dash.Option{Value: w.Currency, Label: w.Currency})
	}
	languages := []dash.Option{{Value: "", Label: "English, unless the invitee's is known"}}
	for _, l := range views.Locales {
		languages = append(languages, dash.Option{Value: l.Tag, Label: l.Name})
	}
	if w.Settings.Locale != "" && !slices.ContainsFunc(languages, func(o dash.Option) bool { return o.Value == w.Settings.Locale }) {
		languages = append(languages, dash.Option{Value: w.Settings.Locale, Label: w.Settings.Locale})
	}
	v := dash.SettingsPage{SettingsFrame: c.settingsFrame("Settings", dash.SettingsPath), Action: dash.SettingsPath}
	v.Groups = []dash.Group{
		{Title: "Workspace", Inputs: []dash.Input{
			{Name: "name", Label: "Name", Required: true, Value: w.Name, Autocomplete: "organization"},
			{Name: "slug", Label: "Address of the booking page", Required: true, Value: w.Slug, Prefix: trimScheme(c.door.BaseURL()) + "/", Hint: "Links and embeds that people have already stop working when you change it."},
			{Name: "timeZone", Label: "Time zone", Kind: "zone", Required: true, Value: w.TimeZone, Half: true, Hint: "Of days and weeks in this dashboard. Hosts have their own."},
			{Name: "currency", Label: "Currency", Kind: "select", Options: money, Value: w.Currency, Half: true, Hint: "Of new prices; the present ones keep theirs."},
			{Name: "locale", Label: "Language of mails", Kind: "select", Options: languages, Value: w.Settings.Locale, Hint: "To invitees whose own is not known."},
		}},
		{Title: "Where to find you", Hint: "Shown on the booking page.", Inputs: []dash.Input{
			{Name: "phone", Label: "Phone", Kind: "tel", Value: w.Settings.Phone, Half: true},
			{Name: "address", Label: "Address", Value: w.Settings.Address, Half: true},
		}},
	}
	v.Problem = fill(v.Groups, typed, e)
	return c.show(refusedStatus(e), dash.Settings(v))
}

func (d *Door) saveSettings(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	_, err = d.Shop.UpdateWorkspace(c.Context(), c.actor, func(w *app.Workspace) {
		w.Name, w.Slug, w.TimeZone, w.Currency = form.Get("name"), form.Get("slug"), form.Get("timeZone"), form.Get("currency")
		w.Settings.Locale, w.Settings.Phone, w.Settings.Address = form.Get("locale"), form.Get("phone"), form.Get("address")
	})
	if e := refused(err); e != nil {
		return c.showSettings(form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.SettingsPath, "saved")
}

func (d *Door) brand(c *call) error { return c.showBrand(nil, nil) }

func (c *call) showBrand(typed url.Values, e *fault.Error) error {
	w := &c.setup.Workspace
	v := dash.BrandPage{Name: w.Name, Description: w.Settings.Description, LogoURL: w.Settings.LogoURL, PageURL: "/" + w.Slug}
	v.SettingsFrame, v.Action = c.settingsFrame("Brand", dash.SettingsBrandPath), dash.SettingsBrandPath
	v.Groups = []dash.Group{{Title: "Brand", Hint: "How the booking page and the mails look.", Inputs: []dash.Input{
		{Name: "color", Label: "Colour", Kind: "color", Value: cmp.Or(w.Settings.Color, "#"+views.DefaultColor)},
		{Name: "logoUrl", Label: "Logo", Kind: "url", Value: w.Settings.LogoURL, Placeholder: "https://example.com/logo.png", Hint: "The https address of a square image."},
		{Name: "description", Label: "A line below the name", Value: w.Settings.Description, Placeholder: "Cuts and colour in the old town"},
	}}}
	v.Problem = fill(v.Groups, typed, e)
	return c.show(refusedStatus(e), dash.Brand(v))
}

func (d *Door) saveBrand(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	_, err = d.Shop.UpdateWorkspace(c.Context(), c.actor, func(w *app.Workspace) {
		w.Settings.Color, w.Settings.LogoURL, w.Settings.Description = form.Get("color"), form.Get("logoUrl"), form.Get("description")
	})
	if e := refused(err); e != nil {
		return c.showBrand(form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.SettingsBrandPath, "saved")
}

func (d *Door) data(c *call) error { return c.showData("", nil) }

func (c *call) showData(typed string, e *fault.Error) error {
	slug := c.setup.Workspace.Slug
	v := dash.DataPage{SettingsFrame: c.settingsFrame("Your data", dash.DataPath), Slug: slug}
	v.Delete = dash.Danger{Action: dash.DeletePath, Submit: "Delete " + slug + " for good",
		Inputs: []dash.Input{{Name: "confirm", Label: "Type " + slug + " to confirm", Required: true, Value: typed, Error: sentence(e)}}}
	return c.show(refusedStatus(e), dash.Data(v))
}

func (d *Door) deleteWorkspace(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	err = d.Shop.DeleteWorkspace(c.Context(), c.actor, form.Get("confirm"))
	if e := refused(err); e != nil {
		return c.showData(form.Get("confirm"), e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.LoginPath, "")
}

// exportAll takes as long as it takes.
func (d *Door) exportAll(c *call) (err error) {
	c.attach("everything.zip", "application/zip")
	serve.Stream(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err = d.Report.ExportAll(r.Context(), c.actor, w); err != nil {
			d.log.Error("export", "error", err)
			panic(http.ErrAbortHandler) // so that the client sees that it is not whole
		}
	})).ServeHTTP(c.ResponseWriter, c.Request)
	return nil
}

func (d *Door) exportSetup(c *call) error {
	doc, err := d.SetupFile.ExportSetup(c.setup.Workspace.Slug)
	if err != nil {
		return err
	}
	text, err := doc.YAML()
	if err != nil {
		return err
	}
	c.attach("setup.yaml", "application/yaml; charset=utf-8")
	_, err = c.ResponseWriter.Write(text)
	return err
}
