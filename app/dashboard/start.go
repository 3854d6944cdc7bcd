package dashboard

import (
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/fault"
	"daybook/views/dash"
)

// The way from the first sign-in to a live booking page. Each step can be left out and done later.

func (d *Door) startHoursForm(c *call) error {
	if len(c.setup.Hosts) > 0 {
		return c.redirect(dash.StartServicePath, "")
	}
	name, _, _ := strings.Cut(c.session.User.Email, "@")
	return c.showStartHours(url.Values{"name": {titled(name)}}, usual, nil)
}

func titled(s string) string {
	s = strings.NewReplacer(".", " ", "_", " ").Replace(s)
	words := strings.Fields(s)
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

func (c *call) showStartHours(typed url.Values, weekly map[string][]string, e *fault.Error) error {
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "name", Label: "Who is booked", Required: true, Hint: "Your name, or that of a room. More can be added later.", Autocomplete: "name"},
	}}}
	v := dash.GatePage{Frame: c.frame("When can people book you?", ""), Steps: steps(2), Text: "Times are in " + c.setup.Workspace.TimeZone + ".",
		Action: dash.StartHoursPath, Submit: "Continue", SkipURL: dash.TodayPath, Hours: hoursDays(weekly, e)}
	v.Problem = fill(groups, typed, e)
	v.Groups = groups
	return c.show(refusedStatus(e), dash.Gate(v))
}

func (d *Door) startHours(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	weekly := readHours(form)
	_, err = d.Shop.SaveHost(c.Context(), c.actor, app.Host{
		Name: form.Get("name"), Email: c.session.User.Email, TimeZone: c.setup.Workspace.TimeZone, Hours: app.Hours{Weekly: weekly},
	})
	if e := refused(err); e != nil {
		return c.showStartHours(form, weekly, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.StartServicePath, "")
}

func (d *Door) startServiceForm(c *call) error {
	if len(c.setup.Hosts) == 0 {
		return c.redirect(dash.StartHoursPath, "")
	}
	if len(c.setup.EventTypes) > 0 {
		return c.redirect(dash.StartDonePath, "")
	}
	return c.showStartService(url.Values{"durationMinutes": {"30"}}, nil)
}

func (c *call) showStartService(typed url.Values, e *fault.Error) error {
	w := c.setup.Workspace
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "title", Label: "Name", Required: true, Placeholder: "Haircut, First consultation, Piano lesson …", Data: "slug-from", Focus: true},
		{Name: "slug", Label: "Address", Required: true, Prefix: "/" + w.Slug + "/", Data: "slug"},
		{Name: "durationMinutes", Label: "How long", Kind: "number", Required: true, Suffix: "minutes", Min: "1", Half: true},
		{Name: "price", Label: "Price", Suffix: w.Currency, Half: true, Placeholder: "free"},
		{Name: "location", Label: "Where", Placeholder: "An address, a phone number or a video link"},
		{Name: "requiresApproval", Label: "I approve each booking before it is confirmed", Kind: "check"},
	}}}
	v := dash.GatePage{Frame: c.frame("What can people book?", ""), Steps: steps(3), Text: "One is enough to begin. Everything about it can be changed later.",
		Action: dash.StartServicePath, Submit: "Go live", SkipURL: dash.TodayPath}
	v.Problem = fill(groups, typed, e)
	v.Groups = groups
	return c.show(refusedStatus(e), dash.Gate(v))
}

func (d *Door) startService(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	e := app.NewEventType()
	e.Title, e.Slug, e.Location, e.RequiresApproval = form.Get("title"), form.Get("slug"), form.Get("location"), form.Has("requiresApproval")
	for _, h := range c.setup.Hosts {
		e.Hosts = append(e.Hosts, app.HostRef{ID: h.ID})
	}
	r := reader{form: form, currency: c.setup.Workspace.Currency}
	e.DurationMinutes, e.Price = r.whole("durationMinutes"), r.money("price")
	if err = fault.Join(r.err, e.Problems()); r.err == nil {
		_, err = d.Shop.SaveEventType(c.Context(), c.actor, e)
	}
	if e := refused(err); e != nil {
		return c.showStartService(form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.StartDonePath, "")
}

func (d *Door) startDone(c *call) error {
	v := dash.DonePage{Frame: c.frame("Your booking page is live", ""), Steps: steps(4)}
	w := c.setup.Workspace
	v.PageURL = d.BaseURL() + "/" + w.Slug
	v.TypeURL = "/" + w.Slug
	if len(c.setup.EventTypes) > 0 {
		v.TypeURL += "/" + c.setup.EventTypes[0].Slug
	}
	v.Embed = embedSnippet(d.BaseURL(), v.TypeURL)
	return c.show(200, dash.Done(v))
}

func embedSnippet(base, path string) string {
	return `<div data-service-url="` + base + path + `"></div>` + "\n" + `<script src="` + base + `/embed.js" async></script>`
}

func popupSnippet(base, path string) string {
	return `<button data-service-popup="` + base + path + `">Book now</button>` + "\n" + `<script src="` + base + `/embed.js" async></script>`
}
