package settings

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/serve"
	"daybook/views"
	"daybook/views/dash"
)

func (c call) settingsFrame(title, at string) dash.SettingsFrame {
	f := dash.SettingsFrame{Frame: c.Frame(title, "settings"), Heading: "Settings"}
	for _, t := range []struct {
		label, url string
		needs      app.Command
	}{
		{"Workspace", dash.SettingsPath, app.MayManageWorkspace}, {"Brand", dash.SettingsBrandPath, app.MayManageWorkspace},
		{"Members", dash.MembersPath, app.MayManageMembers}, {"Your data", dash.DataPath, app.MayExportAll},
	} {
		if c.May(t.needs) {
			f.Tabs = append(f.Tabs, dash.Tab{Label: t.label, URL: t.url, Current: t.url == at})
		}
	}
	return f
}

func (c call) settings() error { return c.showSettings(nil, nil) }

func (c call) showSettings(typed url.Values, e *fault.Error) error {
	w := &c.Setup.Workspace
	money := slices.Clone(web.Currencies)
	if !slices.ContainsFunc(money, func(o dash.Option) bool { return o.Value == w.Currency }) {
		money = append(money, dash.Option{Value: w.Currency, Label: w.Currency})
	}
	languages := []dash.Option{{Value: "", Label: "English, or the invitee's language if known"}}
	for _, l := range views.Locales {
		languages = append(languages, dash.Option{Value: l.Tag, Label: l.Name})
	}
	if w.Settings.Locale != "" &&
		!slices.ContainsFunc(languages, func(o dash.Option) bool { return o.Value == w.Settings.Locale }) {
		languages = append(languages, dash.Option{Value: w.Settings.Locale, Label: w.Settings.Locale})
	}
	v := dash.SettingsPage{SettingsFrame: c.settingsFrame("Settings", dash.SettingsPath), Action: dash.SettingsPath}
	v.Groups = []dash.Group{
		{Title: "Workspace", Inputs: []dash.Input{
			{Name: "name", Label: "Name", Required: true, Value: w.Name, Autocomplete: "organization"},
			{Name: "slug", Label: "Address of the booking page", Required: true, Value: w.Slug,
				Prefix: web.TrimScheme(c.Rooms.BaseURL()) + "/",
				Hint:   "If you change it, existing links and embeds stop working."},
			{Name: "timeZone", Label: "Time zone", Kind: "zone", Required: true, Value: w.TimeZone, Half: true,
				Hint: "For days and weeks in this dashboard. Each host has a time zone too."},
			{Name: "currency", Label: "Currency", Kind: "select", Options: money, Value: w.Currency, Half: true,
				Hint: "For new prices. Existing prices keep their currency."},
			{Name: "locale", Label: "Language of mails", Kind: "select", Options: languages, Value: w.Settings.Locale,
				Hint: "For invitees whose language is not known."},
		}},
		{Title: "Where to find you", Hint: "Shown on the booking page.", Inputs: []dash.Input{
			{Name: "phone", Label: "Phone", Kind: "tel", Value: w.Settings.Phone, Half: true},
			{Name: "address", Label: "Address", Value: w.Settings.Address, Half: true},
		}},
	}
	v.Problem = web.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Settings(v))
}

func (c call) saveSettings() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Rooms.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) {
		w.Name, w.Slug, w.TimeZone, w.Currency = form.Get("name"), form.Get("slug"), form.Get("timeZone"),
			form.Get("currency")
		w.Settings.Locale, w.Settings.Phone, w.Settings.Address = form.Get("locale"), form.Get("phone"), form.Get("address")
	})
	if e := web.Refused(err); e != nil {
		return c.showSettings(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.SettingsPath, "saved")
}

func (c call) brand() error { return c.showBrand(nil, nil) }

func (c call) showBrand(typed url.Values, e *fault.Error) error {
	w := &c.Setup.Workspace
	v := dash.BrandPage{Name: w.Name, Description: w.Settings.Description, LogoURL: w.Settings.LogoURL,
		PageURL: "/" + w.Slug}
	v.SettingsFrame, v.Action = c.settingsFrame("Brand", dash.SettingsBrandPath), dash.SettingsBrandPath
	v.Groups = []dash.Group{{Title: "Brand", Hint: "How the booking page and the mails look.", Inputs: []dash.Input{
		{Name: "color", Label: "Colour", Kind: "color", Value: cmp.Or(w.Settings.Color, "#"+views.DefaultColor)},
		{Name: "logoUrl", Label: "Logo", Kind: "url", Value: w.Settings.LogoURL, Placeholder: "https://example.com/logo.png",
			Hint: "The https address of a square image."},
		{Name: "description", Label: "Short description", Value: w.Settings.Description,
			Placeholder: "Cuts and colour in the old town"},
	}}}
	v.Problem = web.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Brand(v))
}

func (c call) saveBrand() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Rooms.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) {
		w.Settings.Color, w.Settings.LogoURL, w.Settings.Description = form.Get("color"), form.Get("logoUrl"),
			form.Get("description")
	})
	if e := web.Refused(err); e != nil {
		return c.showBrand(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.SettingsBrandPath, "saved")
}

func (c call) data() error { return c.showData("", nil) }

func (c call) showData(typed string, e *fault.Error) error {
	slug := c.Setup.Workspace.Slug
	v := dash.DataPage{SettingsFrame: c.settingsFrame("Your data", dash.DataPath), Slug: slug}
	v.Delete = dash.Danger{Action: dash.DeletePath, Submit: "Delete " + slug + " for good",
		Inputs: []dash.Input{{Name: "confirm", Label: "Type " + slug + " to confirm", Required: true, Value: typed,
			Error: web.Sentence(e)}}}
	return c.Show(web.RefusedStatus(e), dash.Data(v))
}

func (c call) deleteWorkspace() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	err = c.Rooms.Shop.DeleteWorkspace(c.Context(), c.Actor, form.Get("confirm"))
	if e := web.Refused(err); e != nil {
		return c.showData(form.Get("confirm"), e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.LoginPath, "")
}

// exportAll has no time limit.
func (c call) exportAll() (err error) {
	c.Attach("everything.zip", "application/zip")
	serve.Stream(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err = c.Rooms.Report.ExportAll(r.Context(), c.Actor, w); err != nil {
			c.Log.Error("export", "error", err)
			panic(http.ErrAbortHandler) // so that the client sees that the file is incomplete
		}
	})).ServeHTTP(c.ResponseWriter, c.Request)
	return nil
}

func (c call) exportSetup() error {
	doc, err := c.Rooms.SetupFile.ExportSetup(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	text, err := doc.YAML()
	if err != nil {
		return err
	}
	c.Attach("setup.yaml", "application/yaml; charset=utf-8")
	_, err = c.ResponseWriter.Write(text)
	return err
}
