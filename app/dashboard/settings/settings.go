package settings

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/phone"
	"daybook/app/serve"
	"daybook/views"
	"daybook/views/brand"
	"daybook/views/dash"
)

// page is a tab of the settings; label is the key of a message.
type page struct {
	label, url string
	needs      app.Command
}

// What an owner sets is apart from what somebody who looks after a server does. The pages of integrations among them stay
// where they are.
var forOwners = []page{
	{"dash_workspace", dash.SettingsPath, app.MayManageWorkspace},
	{"dash_brand", dash.SettingsBrandPath, app.MayManageWorkspace},
	{"field_tab", dash.FieldsPath, app.MayManageWorkspace},
	{"agree_tab", dash.ConsentsPath, app.MayManageWorkspace},
	{"books_tab", dash.AccountsPath, app.MayManageWorkspace},
	{"dash_members", dash.MembersPath, app.MayManageMembers},
	{"connect_payments", dash.PaymentsPath, app.MayManagePayments},
	{"privacy_tab", dash.PrivacyPath, app.MayManagePrivacy},
	{"bring_title", dash.BringPath, app.MayManageEventTypes},
}

var forTechnicians = []page{
	{"connect_mail", dash.MailPath, app.MayManageMails},
	{"connect_developers", dash.KeysPath, app.MaySeeEndpoints},
	{"health_tab", dash.HealthPath, app.MaySeeHealth},
	{"audit_tab", dash.AuditPath, app.MaySeeAuditLog},
	{"dash_your_data", dash.DataPath, app.MayExportAll},
}

func (c call) settingsFrame(title, at string) dash.SettingsFrame {
	f := dash.SettingsFrame{Frame: c.Frame(title, "settings"), Heading: c.T("dash_settings")}
	for _, group := range []struct {
		title string
		pages []page
	}{{"settings_owner", forOwners}, {"settings_technical", forTechnicians}} {
		g := dash.TabGroup{Title: c.T(group.title)}
		for _, p := range group.pages {
			if c.May(p.needs) {
				g.Tabs = append(g.Tabs, dash.Tab{Label: c.T(p.label), URL: p.url, Current: p.url == at})
			}
		}
		if len(g.Tabs) > 0 {
			f.Split = append(f.Split, g)
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
	languages := []dash.Option{{Value: "", Label: c.T("dash_mails_language_any")}}
	for _, l := range views.Locales {
		languages = append(languages, dash.Option{Value: l.Tag, Label: l.Name})
	}
	if w.Settings.Locale != "" &&
		!slices.ContainsFunc(languages, func(o dash.Option) bool { return o.Value == w.Settings.Locale }) {
		languages = append(languages, dash.Option{Value: w.Settings.Locale, Label: w.Settings.Locale})
	}
	v := dash.SettingsPage{SettingsFrame: c.settingsFrame(c.T("dash_settings"), dash.SettingsPath),
		Action: dash.SettingsPath}
	v.Groups = []dash.Group{
		{Title: c.T("dash_workspace"), Inputs: []dash.Input{
			{Name: "name", Label: c.T("dash_name"), Required: true, Value: w.Name, Autocomplete: "organization"},
			{Name: "slug", Label: c.T("dash_page_address"), Required: true, Value: w.Slug,
				Prefix: web.TrimScheme(c.Subjects.BaseURL()) + "/",
				Hint:   c.T("dash_slug_change")},
			{Name: "timeZone", Label: c.T("dash_time_zone"), Kind: "zone", Required: true, Value: w.TimeZone,
				Half: true,
				Hint: c.T("dash_zone_hint")},
			{Name: "currency", Label: c.T("dash_currency"), Kind: "select", Options: money, Value: w.Currency,
				Half: true,
				Hint: c.T("dash_currency_hint")},
			c.countryInput(),
			{Name: "locale", Label: c.T("dash_mails_language"), Kind: "select", Options: languages,
				Value: w.Settings.Locale,
				Hint:  c.T("dash_mails_language_hint")},
		}},
		{Title: c.T("dash_find_you"), Hint: c.T("dash_find_you_hint"), Inputs: []dash.Input{
			{Name: "phone", Label: c.T("dash_phone"), Kind: "tel", Value: w.Settings.Phone, Half: true},
			{Name: "address", Label: c.T("dash_address"), Value: w.Settings.Address, Half: true},
		}},
		{Title: c.T("staff_settings"), Inputs: []dash.Input{
			{Name: "staffSeeCustomers", Label: c.T("staff_see_customers"), Kind: "check",
				Checked: w.Settings.StaffSeeCustomers, Hint: c.T("staff_see_customers_hint")},
		}},
		{Title: c.T("guest_settings"), Hint: c.T("guest_settings_hint"), Inputs: []dash.Input{
			{Name: "assistants", Label: c.T("guest_switch"), Kind: "check", Checked: w.AssistantsMayBook,
				Hint: c.T("guest_switch_hint")},
		}},
		{Title: c.T("hold_settings"), Inputs: []dash.Input{
			{Name: "holdsTimes", Label: c.T("hold_switch"), Kind: "check", Checked: w.Settings.HoldsTimes,
				Hint: c.T("hold_switch_hint")},
		}},
		{Title: c.T("pass_title"), Inputs: []dash.Input{
			{Name: "sellsVouchers", Label: c.T("pass_online_switch"), Kind: "check", Checked: w.Settings.SellsVouchers,
				Hint: c.T("pass_online_hint")},
		}},
		{Title: c.T("waits_title"), Inputs: []dash.Input{
			{Name: "waitlistOfferMinutes", Label: c.T("waits_offer_minutes"), Kind: "number", Value: strconv.Itoa(w.Settings.OfferMinutes()),
				Suffix: c.T("form_minutes"), Hint: c.T("waits_offer_minutes_hint"), Half: true, Required: true,
				Min: strconv.Itoa(catalog.LeastOfferMinutes), Max: strconv.Itoa(catalog.MostOfferMinutes)},
		}},
		{Title: c.T("parts_settings"), Inputs: []dash.Input{
			{Name: "waitMargin", Label: c.T("parts_margin"), Kind: "number", Value: strconv.Itoa(w.Settings.WaitMargin),
				Suffix: c.T("form_minutes"), Hint: c.T("parts_margin_hint"), Half: true, Required: true, Min: "0",
				Max: strconv.Itoa(catalog.MaxWaitMargin)},
		}},
		c.pagesGroup(),
		c.taxGroup(),
	}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Settings(v))
}

func (c call) saveSettings() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	r := web.Reader{Form: form}
	rate, margin := r.Rate("tax.rate"), r.Whole("waitMargin")
	offer := 0
	if form.Has("waitlistOfferMinutes") { // an older page has none
		offer = r.Whole("waitlistOfferMinutes")
	}
	if r.Err != nil {
		return c.showSettings(form, fault.As(r.Err))
	}
	_, err = c.Subjects.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) {
		w.Name, w.Slug, w.TimeZone, w.Currency = form.Get("name"), form.Get("slug"), form.Get("timeZone"),
			form.Get("currency")
		w.Country, w.AssistantsMayBook = form.Get("country"), form.Get("assistants") == "on"
		w.Settings.Locale, w.Settings.Phone, w.Settings.Address = form.Get("locale"), form.Get("phone"),
			form.Get("address")
		w.Settings.HoldsTimes = form.Get("holdsTimes") == "on"
		w.Settings.SellsVouchers = form.Get("sellsVouchers") == "on"
		w.Settings.StaffSeeCustomers = form.Get("staffSeeCustomers") == "on"
		if form.Has("waitMargin") { // an older page has none
			w.Settings.WaitMargin = margin
		}
		if form.Has("waitlistOfferMinutes") {
			w.Settings.WaitlistOfferMinutes = offer
		}
		if form.Has("redirectHosts") {
			w.RedirectHosts, w.VideoServer = strings.Fields(form.Get("redirectHosts")), form.Get("videoServer")
		}
		w.Tax = nil
		if mode := form.Get("tax.mode"); mode != "" {
			w.Tax = &money.Tax{Mode: money.TaxMode(mode), Name: form.Get("tax.name"), Number: form.Get("tax.number"),
				Rounding: money.TaxRounding(form.Get("tax.rounding")), Vouchers: money.VoucherTax(form.Get("tax.vouchers"))}
			if rate != nil {
				w.Tax.Rate = *rate
			}
		}
	})
	if e := web.Refused(err); e != nil {
		return c.showSettings(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.SettingsPath, "saved")
}

// pagesGroup returns where booking pages and video bookings lead to.
func (c call) pagesGroup() dash.Group {
	w := &c.Setup.Workspace
	return dash.Group{Title: c.T("where_online"), Inputs: []dash.Input{
		{Name: "redirectHosts", Label: c.T("words_hosts"), Kind: "area", Value: strings.Join(w.RedirectHosts, "\n"),
			Hint: c.T("words_hosts_hint")},
		{Name: "videoServer", Label: c.T("where_server"), Kind: "url", Value: w.VideoServer,
			Placeholder: catalog.DefaultVideoServer, Hint: c.T("where_server_hint")},
	}}
}

// countryInput asks for the country of national telephone numbers.
func (c call) countryInput() dash.Input {
	w := &c.Setup.Workspace
	in := dash.Input{Name: "country", Label: c.T("contact_country"), Kind: "select", Value: w.Country,
		Hint: c.T("contact_country_hint"), Options: []dash.Option{{Label: c.T("contact_country_none")}}}
	if code := phone.CountryOf(w.TimeZone); code != "" {
		in.Options[0].Label = c.T("contact_country_zone", "Country", c.Locale.Country(code))
	}
	for _, code := range c.Locale.SortedCountries(phone.Countries()) {
		in.Options = append(in.Options, dash.Option{Value: code, Label: c.Locale.Country(code)})
	}
	return in
}

// taxGroup returns what receipts say of tax.
func (c call) taxGroup() dash.Group {
	tax, rate := money.Tax{}, ""
	if c.Setup.Workspace.Tax != nil {
		tax = *c.Setup.Workspace.Tax
		rate = c.RateText(tax.Rate)
	}
	return dash.Group{Title: c.T("till_settings"), Hint: c.T("till_settings_hint"), Inputs: []dash.Input{
		{Name: "tax.mode", Label: c.T("till_tax_mode"), Kind: "select", Value: string(tax.Mode), Options: []dash.Option{
			{Value: "", Label: c.T("till_tax_none")},
			{Value: string(money.TaxIncluded), Label: c.T("till_tax_included")},
			{Value: string(money.TaxAdded), Label: c.T("till_tax_added")}}},
		{Name: "tax.name", Label: c.T("till_tax_name"), Value: tax.Name, Half: true,
			Placeholder: c.T("till_tax_name_example")},
		{Name: "tax.rate", Label: c.T("till_tax_rate"), Value: rate, Suffix: "%", Half: true, Decimal: true},
		{Name: "tax.number", Label: c.T("till_tax_number_label"), Value: tax.Number, Half: true},
		{Name: "tax.rounding", Label: c.T("sale_rounding"), Kind: "select", Value: string(tax.Rounding), Half: true, Options: []dash.Option{
			{Value: "", Label: c.T("sale_rounding_receipt")}, {Value: string(money.ByLine), Label: c.T("sale_rounding_line")}}},
		{Name: "tax.vouchers", Label: c.T("sale_voucher_tax"), Hint: c.T("sale_voucher_tax_hint"), Kind: "select", Value: string(tax.Vouchers), Options: []dash.Option{
			{Value: "", Label: c.T("sale_voucher_tax_default")}, {Value: string(money.VouchersSold), Label: c.T("sale_voucher_tax_sold")},
			{Value: string(money.VouchersUsed), Label: c.T("sale_voucher_tax_used")}}},
	}}
}

func (c call) brand() error { return c.showBrand(nil, nil) }

func (c call) showBrand(typed url.Values, e *fault.Error) error {
	w := &c.Setup.Workspace
	v := dash.BrandPage{PageURL: "/" + w.Slug}
	if c.Preview != nil {
		v.FrameURL = dash.BrandPreviewPath
	}
	v.SettingsFrame, v.Action = c.settingsFrame(c.T("dash_brand"), dash.SettingsBrandPath), dash.SettingsBrandPath
	v.Groups = []dash.Group{{Title: c.T("dash_brand"), Hint: c.T("dash_brand_hint"), Inputs: []dash.Input{
		{Name: "color", Label: c.T("dash_colour"), Kind: "color", Value: cmp.Or(w.Settings.Color,
			"#"+brand.Default)},
		{Name: "logoUrl", Label: c.T("dash_logo"), Kind: "url", Value: w.Settings.LogoURL,
			Placeholder: "https://example.com/logo.png",
			Hint:        c.T("dash_logo_hint")},
		{Name: "description", Label: c.T("dash_short_description"), Value: w.Settings.Description,
			Placeholder: c.T("dash_short_description_example")},
		{Name: "about", Label: c.T("shop_about_label"), Kind: "area", Value: w.Settings.About, Hint: c.T("shop_about_hint")},
		{Name: "reviewsUrl", Label: c.T("photo_reviews"), Kind: "url", Value: w.Settings.ReviewsURL,
			Hint: c.T("photo_reviews_hint")},
	}}}
	v.Photos = c.photos()
	v.Picture = c.PictureCard(c.T("picture_logo"), w.Name, dash.SettingsBrandPath+"/picture", w.Settings.Logo)
	v.Problem = cmp.Or(c.Fill(v.Groups, typed, e), c.PictureProblem())
	return c.Show(web.RefusedStatus(cmp.Or(e, c.PictureWrong)), dash.Brand(v))
}

// brandOf sets the brand to what is typed.
func brandOf(form url.Values) func(*catalog.Workspace) {
	return func(w *catalog.Workspace) {
		w.Settings.Color, w.Settings.LogoURL, w.Settings.Description = form.Get("color"), form.Get("logoUrl"),
			form.Get("description")
		w.Settings.About = form.Get("about")
		if form.Has("reviewsUrl") { // an older page has none
			w.Settings.ReviewsURL = form.Get("reviewsUrl")
		}
	}
}

// previewBrand shows the booking page with what is typed.
func (c call) previewBrand() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	draft := *c.Setup
	brandOf(form)(&draft.Workspace)
	draft.Workspace.Settings.Photos = slices.Clone(draft.Workspace.Settings.Photos) // a check normalises them in place
	err = cmp.Or(draft.Workspace.Check(), draft.Workspace.Settings.Check())
	return c.ShowPreview(&draft, "", fault.As(err))
}

func (c call) saveBrand() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.Shop.UpdateWorkspace(c.Context(), c.Actor, brandOf(form))
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
	v := dash.DataPage{SettingsFrame: c.settingsFrame(c.T("dash_your_data"), dash.DataPath), Slug: slug}
	v.Health = dash.Input{Name: "health", Label: c.T("dash_data_export_health"), Kind: "check", Hint: c.T("dash_data_export_health_hint")}
	v.Delete = dash.Danger{Action: dash.DeletePath, Submit: c.T("dash_data_end_do", "Name", slug),
		Inputs: []dash.Input{{Name: "confirm", Label: c.T("dash_data_end_type", "Name", slug), Required: true,
			Value: typed,
			Error: c.Sentence(e)}}}
	return c.Show(web.RefusedStatus(e), dash.Data(v))
}

func (c call) deleteWorkspace() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	err = c.Subjects.Shop.DeleteWorkspace(c.Context(), c.Actor, form.Get("confirm"))
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
		if err = c.Subjects.Report.ExportAll(r.Context(), c.Actor, r.URL.Query().Get("health") == "on", w); err != nil {
			c.Log.Error("export", "error", err)
			panic(http.ErrAbortHandler) // so that the client sees that the file is incomplete
		}
	})).ServeHTTP(c.ResponseWriter, c.Request)
	return nil
}

func (c call) exportSetup() error {
	doc, err := c.Subjects.SetupFile.ExportSetup(c.Context(), c.Actor)
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
