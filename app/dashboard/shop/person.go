package shop

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/shop"
	"daybook/views/dash"
)

// host returns the host in the path, if the actor may see it.
func (c call) host() (catalog.Host, error) { return c.Subjects.Shop.Host(c.Actor, c.PathValue("id")) }

// hostFrame returns the part that the pages of a host share; at is the tab.
func (c call) hostFrame(h *catalog.Host, at string) dash.HostFrame {
	id := h.ID.String()
	f := dash.HostFrame{Frame: c.Frame(h.Name, "hours"), Name: h.Name, Sub: h.Email, Off: !h.Active,
		Faced: true, Portrait: c.Portrait(h)}
	for _, t := range []struct {
		label, url string
		needs      app.Command
	}{
		{"team_profile", dash.HostPath(id), app.MaySeeHosts},
		{"shell_types", dash.HostServicesPath(id), app.MayManageEventTypes},
		{"dash_hours", dash.HostHoursPath(id), app.MaySeeHosts},
		{"dash_special_days", dash.HostDatesPath(id), app.MaySeeHosts},
		{"dash_time_off", dash.HostAwayPath(id), app.MaySeeHosts},
		{"team_calendars", dash.HostCalendarPath(id), app.MayConnectCalendars},
		{"team_sign_in", dash.HostSignInPath(id), app.MayManageMembers},
	} {
		if c.May(t.needs) {
			f.Tabs = append(f.Tabs, dash.Tab{Label: c.T(t.label), URL: t.url, Current: t.url == at})
		}
	}
	if c.May(app.MayCancel) {
		f.CancelURL = web.WithQuery(dash.CancelPath, url.Values{"host": {id}})
	}
	if c.May(app.MayManageHosts) {
		f.SwitchURL = dash.HostActivePath(id)
	}
	return f
}

func (c call) newPersonForm() error { return c.showNewPerson(nil, nil, nil) }

// usualHours are the hours that most of the team have.
func (c call) usualHours() map[string][]string {
	weekly, most := web.Usual, 0
	count := map[string]int{}
	for i := range c.Setup.Hosts {
		h := &c.Setup.Hosts[i]
		if key := fmt.Sprint(h.Weekly); h.Active && len(h.Weekly) > 0 {
			if count[key]++; count[key] > most {
				weekly, most = h.Weekly, count[key]
			}
		}
	}
	return weekly
}

// usualServices are those that at least half of the team do: what a newcomer does, too, more often than not.
func (c call) usualServices() map[catalog.EventTypeID]bool {
	usual, team := map[catalog.EventTypeID]bool{}, 0
	for i := range c.Setup.Hosts {
		if c.Setup.Hosts[i].Active {
			team++
		}
	}
	for i := range c.Setup.EventTypes {
		e, doing := &c.Setup.EventTypes[i], 0
		for _, ref := range e.Hosts {
			if h := c.Setup.Host(ref.ID); h != nil && h.Active {
				doing++
			}
		}
		usual[e.ID] = 2*doing >= team
	}
	return usual
}

func (c call) showNewPerson(typed url.Values, weekly map[string][]string, e *fault.Error) error {
	if typed == nil {
		weekly = c.usualHours()
	}
	v := dash.NewPersonPage{Frame: c.Frame(c.T("dash_host_new"), "hours"), Hours: c.HoursDays(weekly, typed, e),
		Picture: c.pictureInput(c.T("picture_of_host"), 0, typed), HoursAre: c.weekLines(weekly)}
	v.Basics = dash.Group{Inputs: []dash.Input{
		{Name: "name", Label: c.T("dash_name"), Required: true, Half: true, Focus: true},
		{Name: "email", Label: c.T("dash_email"), Kind: "email", Required: true, Half: true, Hint: c.T("dash_host_email_hint")},
	}}
	v.Parts = c.serviceParts(c.usualServices(), nil)
	var err error
	if v.SignIn, err = c.newSignIn(""); err != nil {
		return err
	}
	v.Groups = slices.Concat([]dash.Group{v.Basics}, c.ticks(v.Parts, typed), []dash.Group{v.SignIn, c.WeekGroup(),
		{Inputs: []dash.Input{v.Picture.Input}}})
	v.Problem = c.Fill(v.Groups, typed, e)
	v.Picture.Input = v.Groups[len(v.Groups)-1].Inputs[0]
	v.HoursUp = slices.ContainsFunc(v.Hours, func(d dash.HoursDay) bool { return d.Error != "" }) || typed.Has("copy")
	return c.Show(web.RefusedStatus(e), dash.NewPerson(v))
}

// addPerson saves all of the form, or nothing. A picture that was taken stays chosen where something is refused.
func (c call) addPerson() error {
	form, file, err := c.PostedFile()
	if err != nil {
		return err
	}
	copied := web.CopyHours(form)
	weekly := web.ReadHours(form)
	mailed, err := c.mailed(form)
	if err != nil {
		return err
	}
	in := shop.Person{SignsIn: app.Role(form.Get("role")), Mail: mailed, Host: catalog.Host{Name: form.Get("name"),
		Email: form.Get("email"), TimeZone: cmp.Or(form.Get("timeZone"), c.Setup.Workspace.TimeZone),
		Hours: catalog.Hours{Weekly: weekly}}}
	for e, does := range c.ticked(form) {
		if does {
			in.Services = append(in.Services, e)
		}
	}
	readPicture(form, &in.Host.Picture)
	var h catalog.Host
	var link string
	if err = c.takePicture(form, file, &in.Host.Picture); err == nil && !copied {
		h, link, err = c.Subjects.Shop.AddPerson(c.Context(), c.Actor, in)
	}
	if e := refused(err); e != nil || err == nil && copied {
		return c.showNewPerson(form, weekly, e)
	}
	if err != nil {
		return err
	}
	if link == "" {
		said := "created"
		if in.SignsIn != "" {
			said = "signs_in"
		}
		return c.Redirect(dash.HostPath(h.ID.String()), said)
	}
	if err := c.readAgain(); err != nil {
		return err
	}
	role, err := c.roleOf(account.MemberInput{Email: h.Email, Role: in.SignsIn})
	if err != nil {
		return err
	}
	return c.showProfile(c.Setup.Host(h.ID), asMade(h.Email, role, link, in.Mail), nil, nil)
}

// readAgain reads the set-up as the request has left it.
func (c call) readAgain() (err error) {
	c.Setup, err = c.Subjects.Setup(c.Actor.Workspace)
	return err
}

func (c call) profile() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	return c.showProfile(&h, dash.Invited{}, nil, nil)
}

// showProfile says what is true of a person, after they were added also how they were invited.
func (c call) showProfile(h *catalog.Host, invited dash.Invited, typed url.Values, e *fault.Error) error {
	ref := h.ID.String()
	v := dash.ProfilePage{HostFrame: c.hostFrame(h, dash.HostPath(ref)), Action: dash.HostPath(ref), Invited: invited}
	if invited.Link != "" {
		v.Said = c.T("dash_said_created")
	}
	does, none := c.doesText(h.ID, catalog.MaxEventTypes)
	v.Facts = []dash.PersonFact{{Label: c.T("team_books"), Text: does, Warn: none},
		{Label: c.T("dash_hours"), Lines: c.weekLines(h.Weekly), URL: dash.HostHoursPath(ref)}}
	if c.May(app.MayManageEventTypes) {
		v.Facts[0].URL = dash.HostServicesPath(ref)
	}
	if !h.Active {
		v.Facts[0].Text, v.Facts[0].Warn = c.T("team_books_off"), true
	}
	var today dash.TeamRow
	c.sayToday(&today, h)
	if today.Away {
		v.Facts = append(v.Facts, dash.PersonFact{Label: c.T("dash_time_off"), Text: today.Today, URL: dash.HostAwayPath(ref)})
	} else if today.Next != "" {
		v.Facts = append(v.Facts, dash.PersonFact{Label: c.T("team_next"), Text: today.Next, URL: dash.HostAwayPath(ref)})
	}
	if c.May(app.MayManageMembers) {
		members, err := c.members()
		if err != nil {
			return err
		}
		v.Facts = append(v.Facts, dash.PersonFact{Label: c.T("team_sign_in"), Text: c.signInText(membersOf(members, h.ID)),
			URL: dash.HostSignInPath(ref)})
	}
	if h.Active && slices.ContainsFunc(c.served(h.ID), func(e *catalog.EventType) bool { return e.Listed() }) {
		v.PageURL = c.Subjects.BaseURL() + "/" + c.Setup.Workspace.Slug + "?host=" + ref
	}
	inputs := []dash.Input{
		{Name: "name", Label: c.T("dash_name"), Required: true, Value: h.Name, Hint: c.T("dash_host_name_hint"), Half: true},
		{Name: "email", Label: c.T("dash_email"), Kind: "email", Required: true, Value: h.Email,
			Hint: c.T("dash_host_email_hint"), Half: true},
		{Name: "about", Label: c.T("terms_about"), Hint: c.T("terms_about_hint"), Value: h.About},
	}
	if c.Actor.Own() {
		inputs = inputs[2:]
	}
	v.Groups = []dash.Group{{Title: c.T("dash_details"), Inputs: inputs}}
	var err error
	if v.News, err = c.CalendarNews(h.ID, dash.HostPath(ref)); err != nil {
		return err
	}
	v.Picture = c.PictureCard(c.T("picture_of_host"), h.Name, dash.HostPath(ref)+"/picture", h.Picture)
	v.Problem = cmp.Or(c.Fill(v.Groups, typed, e), c.PictureProblem())
	return c.Show(web.RefusedStatus(cmp.Or(e, c.PictureWrong)), dash.Profile(v))
}

func (c call) saveProfile() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	if form.Has("timeZone") { // a page of before the hours had one of their own, with services, too
		web.CopyHours(form)
		return c.showHours(&h, form, web.ReadHours(form),
			fault.New(fault.Conflict, "", "%s", c.T("team_fault_old_page")))
	}
	_, err = c.Subjects.Shop.ChangeHost(c.Context(), c.Actor, c.PathValue("id"), func(h *catalog.Host) error {
		h.Name, h.Email = form.Get("name"), form.Get("email") // staff can't change these
		if form.Has("about") {
			h.About = form.Get("about")
		}
		return nil
	})
	if e := web.Refused(err); e != nil {
		return c.showProfile(&h, dash.Invited{}, form, e)
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
	return c.Redirect(dash.HostPath(h.ID.String()), map[bool]string{true: "activated", false: "deactivated"}[on])
}

func (c call) hostCalendar() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	return c.showHostCalendar(&h, nil, nil)
}

func (c call) showHostCalendar(h *catalog.Host, typed url.Values, e *fault.Error) error {
	ref := h.ID.String()
	at := dash.HostCalendarPath(ref)
	v := dash.PersonCalendarPage{HostFrame: c.hostFrame(h, at), Action: at,
		ConnectURL: web.WithQuery(dash.NewCalendarsPath, url.Values{"host": {ref}})}
	all, err := c.Subjects.Calendars.CalendarConnections(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	for i := range all {
		if all[i].Host == h.ID {
			v.Rows = append(v.Rows, c.ConnectionRow(&all[i]))
		}
	}
	if h.Connected {
		v.Groups = []dash.Group{{Inputs: []dash.Input{c.UnknownInput(h.WhenCalendarUnknown)}}}
	}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.PersonCalendar(v))
}

func (c call) saveHostCalendar() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.Shop.ChangeHost(c.Context(), c.Actor, c.PathValue("id"), func(h *catalog.Host) error {
		h.WhenCalendarUnknown = catalog.CalendarUnknown(form.Get("whenCalendarUnknown"))
		return nil
	})
	if e := web.Refused(err); e != nil {
		return c.showHostCalendar(&h, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.HostCalendarPath(h.ID.String()), "saved")
}
