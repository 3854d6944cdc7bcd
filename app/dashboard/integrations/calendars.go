package integrations

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/calsync"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// place is where a calendar may be, and how it is connected there.
type place struct {
	key, name string // a name, or the key of a message for it
	text      string // keys of messages: for the list, and above the form
	how       string
	kind      calsync.Kind
	address   string // of everybody's server; "" for one's own
	example   string
}

// places begin with those that need no more than the private address of a calendar.
var places = []place{
	{"google", "Google", "calsync_place_read", "calsync_how_google", calsync.ICS, "",
		"https://calendar.google.com/calendar/ical/…/basic.ics"},
	{"outlook", "Outlook", "calsync_place_read", "calsync_how_outlook", calsync.ICS, "",
		"https://outlook.office365.com/owa/calendar/…/calendar.ics"},
	{"ics", "calsync_place_ics", "calsync_place_read", "calsync_how_ics", calsync.ICS, "",
		"https://calendar.example.com/ana.ics"},
	{"icloud", "iCloud", "calsync_place_both", "calsync_how_icloud", calsync.CalDAV,
		"https://caldav.icloud.com/", ""},
	{"fastmail", "Fastmail", "calsync_place_both", "calsync_how_fastmail", calsync.CalDAV,
		"https://caldav.fastmail.com/", ""},
	{"mailbox", "mailbox.org", "calsync_place_both", "calsync_how_mailbox", calsync.CalDAV,
		"https://dav.mailbox.org/", ""},
	{"nextcloud", "Nextcloud", "calsync_place_both", "calsync_how_nextcloud", calsync.CalDAV, "",
		"https://cloud.example.com/remote.php/dav"},
	{"caldav", "calsync_place_caldav", "calsync_place_both", "calsync_how_caldav", calsync.CalDAV, "",
		"https://calendar.example.com/dav"},
}

func (p *place) named(c call) string {
	if strings.HasPrefix(p.name, "calsync_") {
		return c.T(p.name)
	}
	return p.name
}

// calendarsState says in the overview whether a calendar is connected, and whether one can't be read.
func (c call) calendarsState() (dash.Badge, error) {
	all, err := c.Subjects.Calendars.CalendarConnections(c.Context(), c.Actor)
	broken := func(x calsync.Connection) bool { return x.Problem != "" }
	switch {
	case err != nil || len(all) == 0:
		return dash.Badge{Text: c.T("connect_off")}, err
	case slices.ContainsFunc(all, broken):
		return dash.Badge{Text: c.T("connect_broken"), Tone: "warn"}, nil
	}
	return dash.Badge{Text: c.T("connect_on"), Tone: "good"}, nil
}

// calendars lists the connections by host, and by resource.
func (c call) calendars() error {
	all, err := c.Subjects.Calendars.CalendarConnections(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	v := dash.CalendarsPage{SettingsFrame: c.integrationFrame(c.T("connect_calendars"), dash.CalendarsPath)}
	v.Live = true
	if v.News, err = c.CalendarNews(0, dash.CalendarsPath); err != nil {
		return err
	}
	v.News.Trouble = nil // stands at each connection
	if n, err := strconv.Atoi(c.URL.Query().Get("left")); err == nil && n > 0 {
		v.Left = c.T("calsync_left", "Count", n)
	}
	if c.May(app.MayManageFeeds) {
		v.FeedsURL = dash.FeedsPath
	}
	if v.Clients, err = c.clients(); err != nil {
		return err
	}
	for i := range c.Setup.Hosts {
		h := &c.Setup.Hosts[i]
		if !c.Actor.Sees(h.ID) {
			continue
		}
		row := dash.ConnectedHost{ID: h.ID.String(), Name: h.Name,
			NewURL: web.WithQuery(dash.NewCalendarsPath, url.Values{"host": {h.ID.String()}})}
		for i := range all {
			if all[i].Host == h.ID {
				row.Connections = append(row.Connections, c.ConnectionRow(&all[i]))
			}
		}
		if len(row.Connections) > 0 && c.May(app.MaySetHours) {
			row.Unknown = c.UnknownInput(h.WhenCalendarUnknown)
			row.Unknown.ID = "unknown-" + row.ID
		}
		if h.Active || len(row.Connections) > 0 {
			v.Hosts = append(v.Hosts, row)
		}
	}
	for i := range c.Setup.Resources { // the others are connected on their own pages
		r := &c.Setup.Resources[i]
		row := dash.ConnectedHost{ID: r.ID.String(), Name: r.Name,
			NewURL: web.WithQuery(dash.NewCalendarsPath, url.Values{"host": {r.ID.String()}})}
		for i := range all {
			if all[i].Resource == r.ID {
				row.Connections = append(row.Connections, c.ConnectionRow(&all[i]))
			}
		}
		if len(row.Connections) > 0 {
			v.Hosts = append(v.Hosts, row)
		}
	}
	return c.Show(200, dash.Calendars(v))
}

// newCalendars asks where the calendar is, and then for what signs in there.
func (c call) newCalendars() error {
	q := c.URL.Query()
	if p := placeOf(q.Get("place")); p != nil {
		return c.showConnect(p, url.Values{"host": {q.Get("host")}, "address": {p.address}}, nil)
	}
	v := dash.ConnectPage{SettingsFrame: c.integrationFrame(c.T("calsync_connect"), dash.CalendarsPath)}
	v.Host, _ = c.seenOwner(q.Get("host"))
	signIn, err := c.signInPlaces(q.Get("host"))
	if err != nil {
		return err
	}
	for i := range places {
		p := &places[i]
		if p.kind != calsync.ICS {
			v.Places, signIn = append(v.Places, signIn...), nil
		}
		v.Places = append(v.Places, dash.ConnectPlace{Name: p.named(c), Text: c.T(p.text),
			URL: web.WithQuery(dash.NewCalendarsPath, url.Values{"host": {q.Get("host")}, "place": {p.key}})})
	}
	return c.Show(200, dash.ConnectCalendar(v))
}

func placeOf(key string) *place {
	i := slices.IndexFunc(places, func(p place) bool { return p.key == key })
	if i < 0 {
		return nil
	}
	return &places[i]
}

// owners returns the hosts whose calendars the member may connect, and the resources.
func (c call) owners() (all []dash.Option) {
	for i := range c.Setup.Hosts {
		if h := &c.Setup.Hosts[i]; c.Actor.Sees(h.ID) {
			all = append(all, dash.Option{Value: h.ID.String(), Label: h.Name})
		}
	}
	for i := range c.Setup.Resources {
		if r := &c.Setup.Resources[i]; c.May(app.MayManageHosts) {
			all = append(all, dash.Option{Value: r.ID.String(), Label: r.Name})
		}
	}
	return all
}

// seenOwner returns the name of the host or resource of that id, if the member may connect its calendars.
func (c call) seenOwner(ref string) (name string, some bool) {
	for _, o := range c.owners() {
		if o.Value == ref {
			return o.Label, true
		}
	}
	return "", false
}

func (c call) showConnect(p *place, typed url.Values, e *fault.Error) error {
	q := url.Values{"host": {typed.Get("host")}}
	v := dash.FormPage{Frame: c.Frame(c.T("calsync_connect_place", "Name", p.named(c)), "integrations"),
		BackURL: web.WithQuery(dash.NewCalendarsPath, q), BackLabel: c.T("calsync_where"), Intro: c.T(p.how),
		Action: web.WithQuery(dash.NewCalendarsPath, url.Values{"place": {p.key}}), Submit: c.T("calsync_connect")}
	g := dash.Group{Inputs: []dash.Input{{Name: "address", Label: c.T("calsync_address"), Kind: "url", Required: true,
		Placeholder: p.example, Hint: c.T("calsync_address_hint"), Focus: p.address == ""}}}
	if p.kind == calsync.CalDAV {
		g.Inputs[0].Hint = ""
		g.Inputs = append(g.Inputs,
			dash.Input{Name: "user", Label: c.T("calsync_user"), Required: true, Half: true, Focus: p.address != ""},
			dash.Input{Name: "password", Label: c.T("calsync_password"), Kind: "password", Required: true, Half: true,
				Hint: c.T("calsync_password_hint")})
	}
	g.Inputs = append(g.Inputs, dash.Input{Name: "name", Label: c.T("calsync_name"), Hint: c.T("calsync_name_hint")})
	if all := c.owners(); !c.Actor.Own() && len(all) > 0 {
		g.Inputs = append(g.Inputs, dash.Input{Name: "host", Label: c.T("calsync_whose"), Kind: "select", Options: all})
	}
	v.Groups = []dash.Group{g}
	if e != nil && e.Field != "host" && c.CalendarProblem(p.kind, calsync.Problem(e.Reason)) != "" {
		e = e.Saying(c.CalendarProblem(p.kind, calsync.Problem(e.Reason)))
	}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Form(v))
}

func (c call) connectCalendars() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	p := placeOf(c.URL.Query().Get("place"))
	if p == nil {
		return c.Redirect(dash.NewCalendarsPath, "")
	}
	in := calsync.Input{Host: form.Get("host"), Kind: p.kind, Name: form.Get("name"), Address: form.Get("address"),
		User: form.Get("user"), Password: form.Get("password")}
	x, err := c.Subjects.Calendars.ConnectCalendars(c.Context(), c.Actor, in)
	if e := web.Refused(err); e != nil {
		return c.showConnect(p, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.CalendarsConnectionPath(x.ID.String()), "linked")
}

// connection shows a connection with its calendars.
func (c call) connection() error {
	x, err := c.Subjects.Calendars.CalendarConnection(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showConnection(&x, nil, nil)
}

func (c call) showConnection(x *calsync.Connection, typed url.Values, e *fault.Error) error {
	id := x.ID.String()
	v := dash.ConnectionPage{SettingsFrame: c.integrationFrame(x.Name, dash.CalendarsPath), Name: x.Name,
		State: c.ConnectionBadge(x), Problem: c.CalendarProblem(x.Kind, x.Problem), Action: dash.CalendarsConnectionPath(id),
		ReadURL: dash.CalendarsReadPath(id), EndURL: dash.CalendarsEndPath(id)}
	fact := func(key, value string) {
		if value != "" {
			v.Facts = append(v.Facts, dash.Fact{Name: c.T(key), Value: value})
		}
	}
	if h := c.Setup.Host(x.Host); h != nil {
		fact("dash_host", h.Name)
	} else if r := c.Setup.Resource(x.Resource); r != nil {
		v.Facts = append(v.Facts, dash.Fact{Name: c.KindName(r.Kind, false), Value: r.Name})
	}
	fact("calsync_kind", c.CalendarKind(x.Kind))
	fact("calsync_address", x.Address)
	fact("calsync_user", x.User)
	fact("calsync_last_read", c.Ago(x.ReadAt))
	if x.FailedAt != 0 {
		fact("calsync_failing_since", c.Ago(x.FailedAt))
	}
	if x.Listed != nil {
		fact("calsync_listed", c.T("calsync_listed_text"))
	}
	for _, k := range x.Calendars {
		row := dash.SettingsRow{Title: cmp.Or(k.Name, x.Name), Text: c.T("calsync_not_used")}
		switch {
		case k.Problem != "" && k.ReadAt != 0:
			row.Text = c.CalendarProblem(x.Kind, k.Problem) + " " + c.T("calsync_read", "When", c.Ago(k.ReadAt)) + "."
		case k.Problem != "":
			row.Text = c.CalendarProblem(x.Kind, k.Problem)
		case k.ReadAt != 0 && (k.Blocks || k.Target):
			row.Text = c.T("calsync_read", "When", c.Ago(k.ReadAt))
		case k.Blocks || k.Target:
			row.Text = c.T("calsync_never_read")
		}
		v.Calendars = append(v.Calendars, row)
	}
	v.Groups = c.choiceGroups(x)
	v.Wrong = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.CalendarConnection(v))
}

// choiceGroups ask which calendars block, which one gets the bookings, and what of them is written.
func (c call) choiceGroups(x *calsync.Connection) []dash.Group {
	if len(x.Calendars) == 0 {
		return nil
	}
	blocks := dash.Input{Name: "blocks", Label: c.T("calsync_blocks"), Kind: "checks"}
	target := dash.Input{Name: "target", Label: c.T("calsync_target"), Kind: "select", Hint: c.T("calsync_target_hint"),
		Options: []dash.Option{{Label: c.T("calsync_target_none")}}}
	details := dash.Input{Name: "details", Label: c.T("calsync_details"), Kind: "checks",
		Hint: c.T("calsync_details_hint"), Options: []dash.Option{{Value: "name", Label: c.T("calsync_detail_name")},
			{Value: "phone", Label: c.T("calsync_detail_phone")}, {Value: "notes", Label: c.T("calsync_detail_notes")},
			{Value: "link", Label: c.T("calsync_detail_link")}}}
	for _, k := range x.Calendars {
		o := dash.Option{Value: k.ID.String(), Label: cmp.Or(k.Name, x.Name)}
		blocks.Options = append(blocks.Options, o)
		if k.Blocks {
			blocks.Values = append(blocks.Values, o.Value)
		}
		if !k.ReadOnly && x.Resource == 0 {
			target.Options = append(target.Options, o)
		}
		if k.Target {
			target.Value, details.Values = o.Value, ticked(k.Details)
		}
	}
	all := []dash.Group{{Inputs: []dash.Input{blocks}}}
	if len(target.Options) > 1 {
		all = append(all, dash.Group{Title: c.T("calsync_writing"), Inputs: []dash.Input{target, details}})
	}
	return all
}

func ticked(d calsync.Details) (all []string) {
	for _, x := range []struct {
		name string
		on   bool
	}{{"name", d.Name}, {"phone", d.Phone}, {"notes", d.Notes}, {"link", d.Link}} {
		if x.on {
			all = append(all, x.name)
		}
	}
	return all
}

func (c call) chooseCalendars() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	x, err := c.Subjects.Calendars.CalendarConnection(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	has := func(name, value string) bool { return slices.Contains(form[name], value) }
	chosen := map[calsync.CalendarID]calsync.Choice{}
	for _, k := range x.Calendars {
		id := k.ID.String()
		in := calsync.Choice{Blocks: has("blocks", id), Target: has("target", id), Details: k.Details}
		if in.Target {
			in.Details = calsync.Details{Name: has("details", "name"), Phone: has("details", "phone"),
				Notes: has("details", "notes"), Link: has("details", "link")}
		}
		chosen[k.ID] = in
	}
	err = c.Subjects.Calendars.ChooseCalendars(c.Context(), c.Actor, c.PathValue("id"), chosen)
	if e := web.Refused(err); e != nil {
		return c.showConnection(&x, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.CalendarsConnectionPath(x.ID.String()), "saved")
}

// readCalendars reads a connection at once, and says how that went.
func (c call) readCalendars() error {
	x, err := c.Subjects.Calendars.ReadCalendars(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	said := "read"
	if x.Problem != "" {
		said = "unread"
	}
	return c.Redirect(dash.CalendarsConnectionPath(x.ID.String()), said)
}

// endCalendarsForm asks whether to disconnect, and what becomes of the bookings that were written.
func (c call) endCalendarsForm() error {
	x, err := c.Subjects.Calendars.CalendarConnection(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	id := x.ID.String()
	v := dash.FormPage{Frame: c.Frame(c.T("calsync_end_name", "Name", x.Name), "integrations"),
		BackURL: dash.CalendarsConnectionPath(id), BackLabel: x.Name, Intro: c.T("calsync_end_text"),
		Action: dash.CalendarsEndPath(id), Submit: c.T("calsync_end")}
	if x.Kind.Writes() && x.Resource == 0 {
		v.Groups = []dash.Group{{Inputs: []dash.Input{{Name: "remove", Label: c.T("calsync_end_remove"), Kind: "check",
			Checked: true, Hint: c.T("calsync_end_remove_hint")}}}}
	}
	return c.Show(200, dash.Form(v))
}

func (c call) endCalendars() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	left, err := c.Subjects.Calendars.DisconnectCalendars(c.Context(), c.Actor, c.PathValue("id"), form.Has("remove"))
	if err != nil {
		return err
	}
	to := dash.CalendarsPath
	if left > 0 {
		to = web.WithQuery(to, url.Values{"left": {strconv.Itoa(left)}})
	}
	return c.Redirect(to, "unlinked")
}

// whenUnknown sets what is done while a calendar of the host can't be read.
func (c call) whenUnknown() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.Shop.ChangeHost(c.Context(), c.Actor, form.Get("host"), func(h *catalog.Host) error {
		h.WhenCalendarUnknown = catalog.CalendarUnknown(form.Get("whenCalendarUnknown"))
		return nil
	})
	if err != nil {
		return err
	}
	return c.Redirect(dash.CalendarsPath, "saved")
}

// leaveBooking leaves a booking as it is, whatever somebody did to it in the calendar.
func (c call) leaveBooking() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	if err := c.Subjects.Calendars.DropCalendarWish(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(web.BackTo(form.Get("back"), dash.CalendarsPath), "left")
}
