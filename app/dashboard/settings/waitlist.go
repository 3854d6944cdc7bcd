package settings

import (
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/waitlist"
	"daybook/views/dash"
)

// WaitlistRoutes are the routes of the waitlist, each with the right that it needs.
var WaitlistRoutes = []web.Route{
	web.On("GET /dashboard/waitlist", app.MaySeeBookings, call.waitlist),
	web.On("GET /dashboard/waitlist/new", app.MayBook, call.newWaitForm),
	web.On("POST /dashboard/waitlist/new", app.MayBook, call.makeWait),
	web.On("POST /dashboard/waitlist/{id}/end", app.MayCancel, call.endWait),
}

// waitSection returns the entry of the navigation that leads here: who sees no customers comes from the bookings.
func (c call) waitSection() (section, back, label string) {
	if c.May(app.MaySeeContacts) {
		return "contacts", dash.ContactsPath, c.T("dash_contacts")
	}
	return "bookings", dash.BookingsPath, c.T("dash_bookings")
}

// waitTabs are the lists that are shown, by the state that the address names: those who wait come first.
var waitTabs = []struct{ state, label string }{{"waiting", "waits_waiting"}, {"offered", "waits_offered"}, {"", "waits_all"}}

// waitStates are the names of the states, and waitTones their colours.
var (
	waitStates = map[waitlist.State]string{waitlist.Unconfirmed: "waits_unconfirmed", waitlist.Waiting: "waits_waiting", waitlist.Offered: "waits_offered",
		waitlist.Booked: "waits_booked", waitlist.Ended: "waits_ended"}
	waitTones = map[waitlist.State]string{waitlist.Waiting: "info", waitlist.Offered: "warn", waitlist.Booked: "good"}
	waitEnds  = map[waitlist.EndedBy]string{waitlist.ByTime: "waits_by_time", waitlist.ByLeaving: "waits_by_leaving", waitlist.ByBusiness: "waits_by_business",
		waitlist.BySilence: "waits_by_silence", waitlist.ByElsewhere: "waits_by_elsewhere"}
)

func (c call) waitlist() error {
	q := c.URL.Query()
	state := "waiting"
	if q.Has("status") {
		state = q.Get("status")
	}
	n := 50
	page, err := c.Subjects.Waitlist.Waitlist(c.Context(), c.Actor, waitlist.ListInput{Status: state, Limit: &n, Cursor: q.Get("cursor")})
	if err != nil {
		return err
	}
	v := dash.WaitlistPage{List: dash.SettingsList{Title: c.T("waits_title"), Icon: "hourglass", EmptyTitle: c.T("waits_none"), Empty: c.T("waits_none_text")}}
	var section string
	section, v.BackURL, v.BackLabel = c.waitSection()
	v.Frame = c.Frame(c.T("waits_title"), section)
	if c.May(app.MayBook) {
		v.NewURL = dash.NewWaitPath
	}
	for _, t := range waitTabs {
		v.List.Tabs = append(v.List.Tabs, dash.Tab{Label: c.T(t.label), URL: dash.WaitlistPath + "?status=" + t.state, Current: t.state == state})
	}
	for i := range page.Data {
		v.List.Rows = append(v.List.Rows, c.waitRow(&page.Data[i]))
	}
	v.List.Pager = web.PagerOf(dash.WaitlistPath, url.Values{"status": {state}}, q.Get("cursor"), page.NextCursor)
	return c.Show(200, dash.Waitlist(v))
}

func (c call) waitRow(e *waitlist.Entry) dash.SettingsRow {
	r := dash.SettingsRow{Title: e.Invitee.Name, Text: strings.Join(mail.WaitServices(c.Setup, e), " + "),
		State: dash.Badge{Text: c.T(waitStates[e.Status]), Tone: waitTones[e.Status]}}
	small := c.Locale.Wishes(mail.WaitWishes(e))
	if phone := c.Phone(e.Invitee.Phone); phone != "" {
		small = append(small, phone)
	} else {
		small = append(small, e.Invitee.Email)
	}
	if e.Status == waitlist.Ended {
		small = append(small, c.T(waitEnds[e.EndedBy]))
	} else if e.ConfirmedAt != 0 {
		small = append(small, c.T("waits_since", "When", c.Day(c.At(e.ConfirmedAt))))
	}
	r.Small = strings.Join(small, " · ")
	switch {
	case e.BookingID != 0:
		r.URL = dash.BookingPath(e.BookingID.String())
	case e.Contact != 0 && c.May(app.MaySeeCustomers):
		r.URL = dash.ContactPath(e.Contact.String())
	}
	if e.Status < waitlist.Booked && c.May(app.MayCancel) {
		r.Actions = []dash.Danger{{Title: c.T("waits_end"), Text: c.T("waits_end_text"), Action: dash.WaitEndPath(e.ID.String()), Submit: c.T("waits_end")}}
	}
	return r
}

func (c call) endWait() error {
	if err := c.Subjects.Waitlist.EndEntry(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(dash.WaitlistPath, "wait-ended")
}

func (c call) newWaitForm() error {
	q := c.URL.Query()
	if k, err := c.waitingContact(q.Get("contact")); err != nil {
		return err
	} else if k != nil {
		q.Set("name", k.Name)
		q.Set("email", k.Email)
		q.Set("phone", k.Phone)
	}
	today := c.Now().Format("2006-01-02")
	for _, name := range []string{"from", "to"} {
		if !q.Has(name) {
			q.Set(name, today)
		}
	}
	return c.showWaitForm(q, nil)
}

// waitingContact returns the customer whom the address names; nil for none.
func (c call) waitingContact(ref string) (*booking.Contact, error) {
	if ref == "" || !c.May(app.MaySeeCustomers) {
		return nil, nil
	}
	k, err := c.Subjects.People.Known(c.Context(), c.Actor, ref)
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	return &k.Contact, err
}

func (c call) showWaitForm(typed url.Values, e *fault.Error) error {
	service := dash.Input{Name: "eventType", Label: c.T("invitation_service"), Kind: "select", Required: true}
	for i := range c.Setup.EventTypes {
		if e := &c.Setup.EventTypes[i]; e.Active && (!c.Actor.Own() || e.ServedBy(c.Actor.Host)) {
			service.Options = append(service.Options, dash.Option{Value: e.ID.String(), Label: c.typeName(e)})
		}
	}
	host := dash.Input{Name: "host", Label: c.T("invitation_host"), Kind: "select",
		Options: append([]dash.Option{{Label: c.T("invitation_host_any")}}, c.HostOptions()...)}
	what := []dash.Input{service}
	if !c.Actor.Own() {
		what = append(what, host)
	}
	section, _, _ := c.waitSection()
	hint := c.T("waits_email_hint")
	if c.Setup.Workspace.Texts {
		hint = c.T("waits_email_hint_texts")
	}
	v := dash.FormPage{Frame: c.Frame(c.T("waits_new"), section), BackURL: dash.WaitlistPath, BackLabel: c.T("waits_title"), Action: dash.NewWaitPath,
		Submit: c.T("waits_create"), Groups: []dash.Group{
			{Title: c.T("dash_contact"), Inputs: []dash.Input{
				{Name: "name", Label: c.T("dash_name"), Required: true, Focus: true},
				{Name: "email", Label: c.T("dash_email"), Kind: "email", Required: !c.Setup.Workspace.Texts, Half: true, Hint: hint, Autocomplete: "off"},
				{Name: "phone", Label: c.T("dash_phone"), Kind: "tel", Half: true, Autocomplete: "off"}}},
			{Title: c.T("waits_what"), Inputs: what},
			{Title: c.T("waits_when"), Inputs: []dash.Input{
				{Name: "from", Label: c.T("waits_from"), Kind: "date", Half: true, Required: true},
				{Name: "to", Label: c.T("waits_to"), Kind: "date", Half: true, Required: true},
				{Name: "hours", Label: c.T("waits_after"), Kind: "time", Half: true, Hint: c.T("waits_after_hint")},
				{Name: "before", Label: c.T("waits_before"), Kind: "time", Half: true}}}}}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Form(v))
}

func (c call) makeWait() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	w := waitlist.Wish{From: form.Get("from"), To: form.Get("to")}
	if after, before := form.Get("hours"), form.Get("before"); after != "" || before != "" {
		if after == "" {
			after = "00:00"
		}
		if before == "" {
			before = "24:00"
		}
		w.Hours = []string{after + "-" + before}
	}
	in := waitlist.Input{Items: []waitlist.Item{{EventType: form.Get("eventType"), Host: form.Get("host")}}, Wishes: []waitlist.Wish{w},
		Invitee: booking.Invitee{Name: strings.TrimSpace(form.Get("name")), Email: strings.TrimSpace(form.Get("email")), Phone: strings.TrimSpace(form.Get("phone"))}}
	_, err = c.Subjects.Waitlist.Join(c.Context(), c.Actor, in)
	if wrong := web.Refused(err); wrong != nil {
		return c.showWaitForm(form, wrong)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.WaitlistPath, "waits")
}
