package shop

import (
	"net/url"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/shop"
	"daybook/views/dash"
)

func (c call) resources() error {
	all, err := c.Subjects.Shop.Resources(c.Actor)
	if err != nil {
		return err
	}
	v := dash.ResourcesPage{Frame: c.Frame(c.T("rooms_title"), "hours")}
	manages := c.May(app.MayManageHosts)
	if manages {
		v.NewURL = dash.NewResourcePath
	}
	for _, kind := range catalog.ResourceKinds {
		k := dash.ResourceKind{Title: c.KindName(kind, true)}
		for i := range all {
			r := &all[i]
			if r.Kind != kind {
				continue
			}
			row := dash.ResourceRow{Name: r.Name, Text: c.resourceText(r), Needed: c.neededBy(r.ID), Off: !r.Active}
			if id := r.ID.String(); manages {
				row.URL, row.SwitchURL = dash.ResourcePath(id), dash.ResourceActivePath(id)
			}
			k.Rows = append(k.Rows, row)
		}
		if len(k.Rows) > 0 {
			v.Kinds = append(v.Kinds, k)
		}
	}
	return c.Show(200, dash.Resources(v))
}

// resourceText says when the resource can be used, and whether customers are told of it.
func (c call) resourceText(r *catalog.Resource) string {
	var parts []string
	switch {
	case r.Always():
		parts = append(parts, c.T("rooms_always"))
	default:
		for _, l := range c.weekLines(r.Weekly) {
			if hours := strings.Join(l.Hours, ", "); hours != c.T("team_off_small") {
				parts = append(parts, l.Days+" "+hours)
			}
		}
	}
	if r.Shown {
		parts = append(parts, c.T("rooms_is_shown"))
	}
	return strings.Join(parts, " · ")
}

// neededBy names the services that need the resource, or one of several that it is of; "" for none.
func (c call) neededBy(id catalog.ResourceID) string {
	var names []string
	for i := range c.Setup.EventTypes {
		for _, needed := range c.Setup.EventTypes[i].Needed() {
			if needed == id {
				names = append(names, c.Setup.EventTypes[i].Title)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return c.T("rooms_needed_by", "Services", strings.Join(names, ", "))
}

// resource returns the resource in the path.
func (c call) resource() (catalog.Resource, error) {
	return c.Subjects.Shop.Resource(c.Actor, c.PathValue("id"))
}

// resourceFrame returns the part that the pages of a resource share; at is the tab.
func (c call) resourceFrame(r *catalog.Resource, at string) dash.HostFrame {
	id := r.ID.String()
	f := dash.HostFrame{Frame: c.Frame(r.Name, "hours"), BackURL: dash.ResourcesPath, BackLabel: c.T("rooms_title"),
		Name: r.Name, Sub: c.KindName(r.Kind, false), Off: !r.Active, SwitchURL: dash.ResourceActivePath(id)}
	if needed := c.neededBy(r.ID); needed != "" {
		f.Sub += " · " + needed
	}
	for _, t := range []dash.Tab{{Label: c.T("dash_details"), URL: dash.ResourcePath(id)},
		{Label: c.T("dash_time_off"), URL: dash.ResourceAwayPath(id)}} {
		t.Current = t.URL == at
		f.Tabs = append(f.Tabs, t)
	}
	return f
}

// resourceGroups returns the fields of a resource, and for new ones how many there are.
func (c call) resourceGroups(r *catalog.Resource) []dash.Group {
	kind := dash.Input{Name: "kind", Label: c.T("rooms_kind"), Kind: "select", Value: string(r.Kind), Half: true}
	for _, k := range catalog.ResourceKinds {
		kind.Options = append(kind.Options, dash.Option{Value: string(k), Label: c.KindName(k, false)})
	}
	details := dash.Group{Title: c.T("dash_details"), Inputs: []dash.Input{
		{Name: "name", Label: c.T("dash_name"), Required: true, Value: r.Name, Half: r.ID != 0, Focus: r.ID == 0,
			Placeholder: c.T("rooms_name_example")}, kind}}
	if r.ID == 0 {
		details.Inputs = append(details.Inputs, dash.Input{Name: "count", Label: c.T("rooms_count"), Kind: "number", Value: "1",
			Min: "1", Max: strconv.Itoa(shop.MaxAlike), Half: true, Required: true, Hint: c.T("rooms_count_hint")})
	}
	if r.Connected {
		details.Inputs = append(details.Inputs, c.UnknownInput(r.WhenCalendarUnknown))
	}
	details.Inputs = append(details.Inputs, dash.Input{Name: "shown", Label: c.T("rooms_shown"), Kind: "check",
		Checked: r.Shown, Hint: c.T("rooms_shown_hint")})
	return []dash.Group{details, {Title: c.T("rooms_when"), Inputs: []dash.Input{{Name: "always", Label: c.T("rooms_always"),
		Kind: "check", Checked: r.Always(), Hint: c.T("rooms_always_hint")}}}}
}

func (c call) newResourceForm() error {
	return c.showResource(&catalog.Resource{Kind: catalog.Room}, nil, web.Usual, nil)
}

func (c call) showResource(r *catalog.Resource, typed url.Values, weekly map[string][]string, e *fault.Error) error {
	v := dash.ResourcePage{Action: dash.ResourcePath(r.ID.String()), Submit: c.T("dash_save_changes"), New: r.ID == 0,
		Hours: c.HoursDays(weekly, typed, e), Week: c.WeekGroup(), Groups: c.resourceGroups(r)}
	if v.New {
		v.HostFrame = dash.HostFrame{Frame: c.Frame(c.T("rooms_add"), "hours"), BackURL: dash.ResourcesPath,
			BackLabel: c.T("rooms_title"), Name: c.T("rooms_add"), Sub: c.T("rooms_add_text")}
		v.Action, v.Submit = dash.NewResourcePath, c.T("rooms_add")
	} else {
		v.HostFrame = c.resourceFrame(r, v.Action)
		var err error
		if v.Calendars, err = c.ResourceConnections(r.ID); err != nil {
			return err
		}
		if c.May(app.MayConnectCalendars) {
			v.ConnectURL = web.WithQuery(dash.NewCalendarsPath, url.Values{"host": {r.ID.String()}})
		}
	}
	v.Problem = c.Fill(append(v.Groups, v.Week), typed, e)
	return c.Show(web.RefusedStatus(e), dash.Resource(v))
}

// readResource reads the form, but not how many there are. The hours that were typed are returned also where they don't
// count, and copied is true where the form asks to copy hours, and nothing more.
func readResource(form url.Values, r *catalog.Resource) (weekly map[string][]string, copied bool, err error) {
	copied = web.CopyHours(form)
	weekly = web.ReadHours(form)
	r.Name, r.Kind, r.Shown = form.Get("name"), catalog.ResourceKind(form.Get("kind")), form.Has("shown")
	if form.Has("whenCalendarUnknown") {
		r.WhenCalendarUnknown = catalog.CalendarUnknown(form.Get("whenCalendarUnknown"))
	}
	switch {
	case form.Has("always"):
		r.Weekly = nil
	case len(weekly) == 0:
		err = fault.Invalid("always", "say when it can be used, or that it always can")
	default:
		r.Weekly = weekly
	}
	return weekly, copied, err
}

func (c call) createResources() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	r, read := catalog.Resource{}, web.Reader{Form: form}
	weekly, copied, err := readResource(form, &r)
	if copied {
		return c.showResource(&catalog.Resource{}, form, weekly, nil)
	}
	count := read.Whole("count")
	if err = fault.Join(err, read.Err); err == nil {
		_, err = c.Subjects.Shop.AddResources(c.Context(), c.Actor, r, count)
	}
	if e := web.Refused(err); e != nil {
		return c.showResource(&catalog.Resource{}, form, weekly, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ResourcesPath, "created")
}

func (c call) resourceForm() error {
	r, err := c.resource()
	if err != nil {
		return err
	}
	weekly := r.Weekly
	if r.Always() {
		weekly = web.Usual
	}
	return c.showResource(&r, nil, weekly, nil)
}

func (c call) saveResource() error {
	r, err := c.resource()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	typed := r
	weekly, copied, err := readResource(form, &typed)
	if copied {
		return c.showResource(&r, form, weekly, nil)
	}
	if err == nil {
		_, err = c.Subjects.Shop.ChangeResource(c.Context(), c.Actor, c.PathValue("id"), func(now *catalog.Resource) error {
			_, _, err := readResource(form, now)
			return err
		})
	}
	if e := web.Refused(err); e != nil {
		return c.showResource(&r, form, weekly, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ResourcePath(r.ID.String()), "saved")
}

func (c call) switchResource() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	on := form.Get("active") == "on"
	r, err := c.Subjects.Shop.SwitchResource(c.Context(), c.Actor, c.PathValue("id"), on)
	if err != nil {
		return err
	}
	to := dash.ResourcePath(r.ID.String())
	if form.Has("list") {
		to = dash.ResourcesPath
	}
	return c.Redirect(to, map[bool]string{true: "switched-on", false: "switched-off"}[on])
}
