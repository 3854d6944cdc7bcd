package dashboard

import (
	"net/url"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// The steps from the first sign-in to a live booking page. Each can be skipped and done later.

func (c call) startHoursForm() error {
	if len(c.Setup.Hosts) > 0 {
		return c.Redirect(dash.StartTradePath, "")
	}
	return c.showStartHours(nil, web.Usual, nil)
}

func (c call) showStartHours(typed url.Values, weekly map[string][]string, e *fault.Error) error {
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "name", Label: c.T("dash_start_who"), Required: true,
			Hint:         c.T("dash_start_who_hint"),
			Autocomplete: "name"},
	}}}
	v := dash.GatePage{Frame: c.Frame(c.T("dash_start_when"), ""), Steps: c.steps(2),
		Text:   c.T("dash_start_zone", "Zone", c.Setup.Workspace.TimeZone),
		Action: dash.StartHoursPath, Submit: c.T("dash_continue"), SkipURL: dash.TodayPath,
		Hours: c.HoursDays(weekly, typed, e), Week: c.WeekGroup()}
	v.Problem = c.Fill(append(groups, v.Week), typed, e)
	v.Groups = groups
	return c.showGate(e, v)
}

func (c call) startHours() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	copied := web.CopyHours(form)
	weekly := web.ReadHours(form)
	if copied {
		return c.showStartHours(form, weekly, nil)
	}
	_, err = c.Subjects.Shop.SaveHost(c.Context(), c.Actor, catalog.Host{
		Name: form.Get("name"), Email: c.Session.User.Email, TimeZone: c.Setup.Workspace.TimeZone,
		Hours: catalog.Hours{Weekly: weekly},
	})
	if e := web.Refused(err); e != nil {
		return c.showStartHours(form, weekly, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.StartTradePath, "")
}

func (c call) startServiceForm() error {
	if len(c.Setup.Hosts) == 0 {
		return c.Redirect(dash.StartHoursPath, "")
	}
	if len(c.Setup.EventTypes) > 0 {
		return c.Redirect(dash.StartShopPath, "")
	}
	return c.showStartService(url.Values{"durationMinutes": {"30"}}, nil)
}

func (c call) showStartService(typed url.Values, e *fault.Error) error {
	w := c.Setup.Workspace
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "title", Label: c.T("dash_name"), Required: true, Placeholder: c.T("dash_start_service_name"),
			Data: "slug-from", Focus: true},
		{Name: "slug", Label: c.T("dash_address"), Required: true, Prefix: "/" + w.Slug + "/", Data: "slug"},
		{Name: "durationMinutes", Label: c.T("dash_how_long"), Kind: "number", Required: true,
			Suffix: c.T("dash_minutes_unit"), Min: "1", Half: true},
		{Name: "price", Label: c.T("dash_price"), Suffix: w.Currency, Half: true, Placeholder: c.T("dash_free")},
		{Name: "location", Label: c.T("dash_where"), Placeholder: c.T("dash_start_where")},
		{Name: "requiresApproval", Label: c.T("dash_approve_each"), Kind: "check"},
	}}}
	v := dash.GatePage{Frame: c.Frame(c.T("dash_start_what"), ""), Steps: c.steps(3),
		Text:   c.T("dash_start_what_hint"),
		Action: dash.StartServicePath, Submit: c.T("dash_continue"), SkipURL: dash.StartShopPath}
	v.Problem = c.Fill(groups, typed, e)
	v.Groups = groups
	return c.showGate(e, v)
}

func (c call) startService() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	e := catalog.NewEventType()
	e.Title, e.Slug, e.Location, e.RequiresApproval = form.Get("title"), form.Get("slug"), form.Get("location"),
		form.Has("requiresApproval")
	for _, h := range c.Setup.Hosts {
		e.Hosts = append(e.Hosts, catalog.HostRef{ID: h.ID})
	}
	r := web.Reader{Form: form, Currency: c.Setup.Workspace.Currency}
	e.DurationMinutes, e.Price = r.Whole("durationMinutes"), r.Money("price")
	if err = fault.Join(r.Err, e.Problems()); r.Err == nil {
		_, err = c.Subjects.Shop.SaveEventType(c.Context(), c.Actor, e)
	}
	if e := web.Refused(err); e != nil {
		return c.showStartService(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.StartShopPath, "")
}

func (c call) startDone() error {
	v := dash.DonePage{Frame: c.Frame(c.T("dash_start_live"), ""), Steps: c.steps(5)}
	w := c.Setup.Workspace
	v.PageURL = c.Subjects.BaseURL() + "/" + w.Slug
	v.TypeURL = "/" + w.Slug
	if len(c.Setup.EventTypes) > 0 {
		v.TypeURL += "/" + c.Setup.EventTypes[0].Slug
	}
	if len(c.Setup.Hosts) > 0 {
		first := &c.Setup.Hosts[0]
		v.Photo = c.PictureCard(c.T("trade_photo", "Name", first.Name), first.Name, dash.StartPicturePath, first.Picture)
	}
	v.Problem = c.PictureProblem()
	v.Instagram = c.T("trade_instagram_line", "URL", web.TrimScheme(v.PageURL))
	v.Embed = web.EmbedSnippet(c.Subjects.BaseURL(), v.TypeURL)
	return c.Show(200, dash.Done(v))
}
