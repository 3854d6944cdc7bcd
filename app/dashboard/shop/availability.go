package shop

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/shop"
	"daybook/app/when"
	"daybook/views/dash"
)

// shownHosts is more than most workspaces have; 500 is the limit.
func (c call) hosts() error {
	v := dash.HostsPage{Frame: c.Frame(c.T("dash_availability"), "hours"), RoomsURL: dash.ResourcesPath}
	if c.May(app.MayManageHosts) {
		v.NewURL, v.ClosedURL = dash.NewHostPath, dash.HostAwayPath(shop.Everybody)
	}
	for i := range c.Setup.Hosts {
		h := &c.Setup.Hosts[i]
		if !c.Actor.Sees(h.ID) {
			continue
		}
		v.Rows = append(v.Rows, dash.HostRow{
			Name: h.Name, Email: h.Email, Zone: h.TimeZone, URL: dash.HostPath(h.ID.String()), Off: !h.Active,
			Hours: c.weekLines(h.Weekly), Next: c.nextChange(h),
		})
	}
	return c.Show(200, dash.Hosts(v))
}

// weekLines returns the hours of a week, with days that have the same hours in one line.
func (c call) weekLines(weekly map[string][]string) (lines []dash.HoursLine) {
	first := 0
	for i := range web.WeekOrder {
		if i+1 < len(web.WeekOrder) &&
			strings.Join(weekly[web.WeekOrder[i+1]], ",") == strings.Join(weekly[web.WeekOrder[first]], ",") {
			continue
		}
		days := c.ShortDayName(web.WeekOrder[first])
		if i > first {
			days += " – " + c.ShortDayName(web.WeekOrder[i])
		}
		lines = append(lines, dash.HoursLine{Days: days, Hours: c.hoursTexts(weekly[web.WeekOrder[first]])})
		first = i + 1
	}
	return lines
}

// hoursText is "9:00–12:00, 13:00–17:00" by the clock of the page's language, or "closed".
func (c call) hoursText(spans []string) string { return strings.Join(c.hoursTexts(spans), ", ") }

// hoursTexts returns the parts of hoursText.
func (c call) hoursTexts(spans []string) []string {
	if len(spans) == 0 {
		return []string{c.T("dash_closed_small")}
	}
	parts := make([]string, len(spans))
	for i, s := range spans {
		from, to, _ := strings.Cut(s, "-")
		a, errA := time.Parse("15:04", from)
		if to == "24:00" {
			to = "00:00"
		}
		b, errB := time.Parse("15:04", to)
		if errA != nil || errB != nil {
			parts[i] = s
			continue
		}
		parts[i] = c.Locale.Span(a, b, "")
	}
	return parts
}

// nextChange describes the first future day whose hours are not the weekly ones.
func (c call) nextChange(h *catalog.Host) string {
	now := c.Subjects.Now().In(h.Location())
	today := now.Format(time.DateOnly)
	text, at := "", ""
	for _, o := range h.Overrides {
		if o.Date >= today && (at == "" || o.Date < at) {
			d, _ := when.ParseDay(o.Date, h.Location())
			at, text = o.Date, c.Locale.Labelled(c.Day(d), c.hoursText(o.Hours))
		}
	}
	for _, t := range h.Away(now, now.AddDate(0, 0, 90)) {
		from := t.Start.Time().In(h.Location())
		if day := from.Format(time.DateOnly); at == "" || day < at {
			at, text = day, c.T("dash_away_short", "Span", c.AwaySpan(h.Location(), t.TimeOff))
			if t.Reason != "" {
				text += " (" + t.Reason + ")"
			}
		}
	}
	return text
}

// host returns the host in the path, if the actor may see it.
func (c call) host() (catalog.Host, error) { return c.Subjects.Shop.Host(c.Actor, c.PathValue("id")) }

// hostFrame returns the part that the pages of a host share; at is the tab.
func (c call) hostFrame(h *catalog.Host, at string) dash.HostFrame {
	id := h.ID.String()
	f := dash.HostFrame{Frame: c.Frame(h.Name, "hours"), Name: h.Name, Sub: h.Email + " · " + h.TimeZone,
		Off: !h.Active}
	for _, t := range []dash.Tab{
		{Label: c.T("dash_hours_weekly"), URL: dash.HostPath(id)}, {Label: c.T("dash_special_days"),
			URL: dash.HostDatesPath(id)}, {Label: c.T("dash_time_off"), URL: dash.HostAwayPath(id)},
		{Label: c.T("dash_why_closed"),
			URL: dash.HostWhyPath(id)},
	} {
		t.Current = t.URL == at
		f.Tabs = append(f.Tabs, t)
	}
	if c.May(app.MayCancel) {
		f.CancelURL = web.WithQuery(dash.CancelPath, url.Values{"host": {id}})
	}
	if c.May(app.MayManageHosts) {
		f.SwitchURL = dash.HostActivePath(id)
	}
	return f
}

func (c call) newHostForm() error {
	return c.showNewHost(nil, web.Usual, nil)
}

func (c call) hostGroups(values url.Values) []dash.Group {
	inputs := []dash.Input{
		{Name: "name", Label: c.T("dash_name"), Required: true, Value: values.Get("name"),
			Hint: c.T("dash_host_name_hint"), Half: true},
		{Name: "email", Label: c.T("dash_email"), Kind: "email", Required: true, Value: values.Get("email"),
			Hint: c.T("dash_host_email_hint"), Half: true},
		{Name: "timeZone", Label: c.T("dash_time_zone"), Kind: "zone", Required: true, Value: values.Get("timeZone"),
			Hint: c.T("dash_host_zone_hint")},
	}
	if c.Actor.Own() {
		inputs = inputs[2:]
	}
	return []dash.Group{{Title: c.T("dash_details"), Inputs: inputs}}
}

func (c call) showNewHost(typed url.Values, weekly map[string][]string, e *fault.Error) error {
	v := dash.HostPage{HostFrame: dash.HostFrame{Frame: c.Frame(c.T("dash_host_new"), "hours"),
		Name: c.T("dash_host_new"),
		Sub:  c.T("dash_host_new_text")},
		Action: dash.NewHostPath, Submit: c.T("dash_host_create"), New: true, Hours: c.HoursDays(weekly, typed, e),
		Week: c.WeekGroup()}
	v.Groups = c.hostGroups(url.Values{"timeZone": {c.Setup.Workspace.TimeZone}})
	v.Problem = c.Fill(append(v.Groups, v.Week), typed, e)
	return c.Show(web.RefusedStatus(e), dash.Host(v))
}

func (c call) createHost() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	copied := web.CopyHours(form)
	weekly := web.ReadHours(form)
	if copied {
		return c.showNewHost(form, weekly, nil)
	}
	h, err := c.Subjects.Shop.SaveHost(c.Context(), c.Actor,
		catalog.Host{Name: form.Get("name"), Email: form.Get("email"), TimeZone: form.Get("timeZone"),
			Hours: catalog.Hours{Weekly: weekly}})
	if e := web.Refused(err); e != nil {
		return c.showNewHost(form, weekly, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.HostPath(h.ID.String()), "created")
}

func (c call) hostForm() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	return c.showHost(&h, nil, h.Weekly, nil)
}

func (c call) showHost(h *catalog.Host, typed url.Values, weekly map[string][]string, e *fault.Error) error {
	var err error
	v := dash.HostPage{HostFrame: c.hostFrame(h, dash.HostPath(h.ID.String())), Action: dash.HostPath(h.ID.String()),
		Submit: c.T("dash_save_changes"), Hours: c.HoursDays(weekly, typed, e), Week: c.WeekGroup()}
	v.Groups = c.hostGroups(url.Values{"name": {h.Name}, "email": {h.Email}, "timeZone": {h.TimeZone}})
	v.Groups[0].Inputs = append(v.Groups[0].Inputs, dash.Input{Name: "about", Label: c.T("terms_about"),
		Hint: c.T("terms_about_hint"), Value: h.About})
	if h.Connected {
		v.Groups[0].Inputs = append(v.Groups[0].Inputs, c.UnknownInput(h.WhenCalendarUnknown))
	}
	if v.News, err = c.CalendarNews(h.ID, dash.HostPath(h.ID.String())); err != nil {
		return err
	}
	if terms := c.termsGroup(h); len(terms.Inputs) > 0 && !c.Actor.Own() {
		v.Groups = append(v.Groups, terms)
	}
	v.Picture = c.PictureCard(c.T("picture_of_host"), h.Name, dash.HostPath(h.ID.String())+"/picture", h.Picture)
	v.Problem = cmp.Or(c.Fill(append(v.Groups, v.Week), typed, e), c.PictureProblem())
	return c.Show(web.RefusedStatus(cmp.Or(e, c.PictureWrong)), dash.Host(v))
}

func (c call) saveHost() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	copied := web.CopyHours(form)
	weekly := web.ReadHours(form)
	if copied {
		return c.showHost(&h, form, weekly, nil)
	}
	terms, err := c.readTerms(form, h.ID)
	if err != nil {
		return c.showHost(&h, form, weekly, fault.As(err))
	}
	_, err = c.Subjects.Shop.ChangeHost(c.Context(), c.Actor, c.PathValue("id"), func(h *catalog.Host) error {
		if form.Has("about") { // an older page has neither
			h.About, h.EventTypes = form.Get("about"), terms
		}
		if form.Has("whenCalendarUnknown") {
			h.WhenCalendarUnknown = catalog.CalendarUnknown(form.Get("whenCalendarUnknown"))
		}
		h.Weekly, h.TimeZone = weekly, form.Get("timeZone")
		h.Name, h.Email = form.Get("name"), form.Get("email") // staff can't change these
		return nil
	})
	if e := web.Refused(err); e != nil {
		return c.showHost(&h, form, weekly, termsNamed(e, terms))
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.HostPath(h.ID.String()), "saved")
}

func (c call) switchHost() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	on := form.Get("active") == "on"
	h, err := c.Subjects.Shop.SwitchHost(c.Context(), c.Actor, c.PathValue("id"), on)
	if err != nil {
		return err
	}
	return c.Redirect(dash.HostPath(h.ID.String()), map[bool]string{true: "switched-on", false: "switched-off"}[on])
}
