package dashboard

import (
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strconv"

	"daybook/app"
	"daybook/views"
)

const mailPath = settingsURL + "/mail"

var mailNames = map[app.MailKind]string{
	app.MailConfirmed: "Booked", app.MailWaiting: "Asked for, waits for approval", app.MailPaymentDue: "Waits for payment", app.MailApproved: "Approved", app.MailDeclined: "Declined",
	app.MailMoved: "Moved", app.MailCancelled: "Cancelled", app.MailLapsed: "Lapsed", app.MailReminder: "Reminder", app.MailRefunded: "Refunded",
	app.MailTeamNew: "To the team: new booking", app.MailTeamMoved: "To the team: moved", app.MailTeamCancelled: "To the team: cancelled",
	app.MailTeamDecision: "To the team: waits for approval", app.MailTeamEndpoint: "To the team: a webhook was switched off",
}

var mailBadges = map[app.MailState]views.Badge{
	app.MailIsWaiting: {Text: "Waiting", Tone: "warn"}, app.MailSent: {Text: "Sent", Tone: "good"}, app.MailFailed: {Text: "Failed", Tone: "bad"}, app.MailDropped: {Text: "Not needed any more"},
}

func (d *Door) mail(c *call) error { return c.showMail(nil, nil) }

func (c *call) showMail(typed url.Values, e *app.Error) error {
	server, err := c.door.MailServer(c.actor.Workspace)
	if err != nil {
		return err
	}
	in := url.Values{"port": {"587"}, "tls": {string(app.StartTLS)}}
	if server != nil {
		in = url.Values{"host": {server.Host}, "port": {strconv.Itoa(server.Port)}, "tls": {string(server.TLS)}, "user": {server.User}, "from": {server.From.Address}, "fromName": {server.From.Name}}
	}
	kinds := views.Input{Name: "kinds", Label: "Which mails are sent", Kind: "checks"}
	for _, k := range app.MailKinds {
		kinds.Options = append(kinds.Options, views.Option{Value: string(k), Label: mailNames[k]})
		if !slices.Contains(c.setup.Workspace.Settings.MailsOff, k) {
			in.Add("kinds", string(k))
		}
	}
	password := views.Input{Name: "password", Label: "Password", Kind: "new-password", Half: true}
	if server != nil && server.Password != "" {
		password.Hint = "Leave empty to keep the present one."
	}
	v := views.SettingsListsPage{}
	v.SettingsFrame, v.Action = c.integrationFrame("Mail", mailPath), mailPath
	v.Groups = []views.Group{
		{Title: "Mail server", Hint: "Your own SMTP server. Without one the server's is used, if it has one.", Inputs: []views.Input{
			{Name: "host", Label: "Server", Half: true, Placeholder: "smtp.example.com"},
			{Name: "port", Label: "Port", Kind: "number", Half: true},
			{Name: "tls", Label: "Encryption", Kind: "select", Half: true, Options: []views.Option{{Value: "starttls", Label: "STARTTLS"}, {Value: "tls", Label: "TLS"}, {Value: "none", Label: "None (not advised)"}}},
			{Name: "user", Label: "User", Half: true}, password,
			{Name: "from", Label: "Mails come from", Kind: "email", Half: true, Placeholder: "bookings@example.com"},
			{Name: "fromName", Label: "Name of the sender", Half: true, Placeholder: c.setup.Workspace.Name},
		}},
		{Title: "Mails", Inputs: []views.Input{kinds}},
	}
	if typed == nil {
		typed = in
	}
	v.Problem = fill(v.Groups, typed, e)
	if e != nil && e.Field == "smtpUrl" {
		v.Problem = "The server's settings can't be used: " + sentence(e)
	}
	if err := c.mailLog(&v); err != nil {
		return err
	}
	return c.show(refusedStatus(e), views.SettingsLists(v))
}

func (c *call) mailLog(v *views.SettingsListsPage) error {
	q := c.URL.Query()
	state := q.Get("state")
	if !slices.Contains(app.MailStates, app.MailState(state)) {
		state = ""
	}
	n := 25
	page, err := c.door.Mails(c.Context(), c.actor.Workspace, app.ListMailsInput{State: state, Limit: &n, Cursor: q.Get("cursor")})
	if err != nil && refused(err) == nil {
		return err
	}
	list := views.SettingsList{Title: "What was sent", Icon: "mail", Empty: "Mails show up here as bookings are made, moved and cancelled."}
	for _, t := range []struct{ key, label string }{{"", "All"}, {"failed", "Failed"}, {"waiting", "Waiting"}, {"sent", "Sent"}} {
		list.Tabs = append(list.Tabs, views.Tab{Label: t.label, URL: withQuery(mailPath, url.Values{"state": {t.key}}), Current: t.key == state})
	}
	for i := range page.Data {
		m := &page.Data[i]
		r := views.SettingsRow{Title: m.To, Text: mailNames[m.Kind], Small: "Written " + c.ago(m.CreatedAt), State: mailBadges[m.State]}
		if m.Answer != "" {
			r.Small += " · " + m.Answer
		}
		if m.BookingID != 0 {
			r.URL = bookingURL(m.BookingID.String(), "")
		}
		if m.State == app.MailFailed || m.State == app.MailSent {
			r.Post, r.PostLabel = mailPath+"/"+m.ID.String()+"/again", "Send again"
		}
		list.Rows = append(list.Rows, r)
	}
	if page.NextCursor != nil {
		list.Pager.NextURL = withQuery(mailPath, q, "cursor", *page.NextCursor)
	}
	v.Lists = append(v.Lists, list)
	return nil
}

func (d *Door) saveMail(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	text, err := c.mailServerText(form)
	if err != nil {
		return err
	}
	err = d.SetMailServer(c.Context(), c.actor.Workspace, text)
	if err == nil {
		_, err = d.UpdateWorkspace(c.Context(), c.actor, func(w *app.Workspace) {
			w.Settings.MailsOff = nil
			for _, k := range app.MailKinds {
				if !slices.Contains(form["kinds"], string(k)) {
					w.Settings.MailsOff = append(w.Settings.MailsOff, k)
				}
			}
		})
	}
	if e := refused(err); e != nil {
		return c.showMail(form, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(mailPath, "saved")
}

// mailServerText is the form as the address that the Service reads; "" without a server. An empty password is the one
// from before.
func (c *call) mailServerText(form url.Values) (string, error) {
	if form.Get("host") == "" {
		return "", nil
	}
	u := url.URL{Scheme: "smtp", Host: net.JoinHostPort(form.Get("host"), form.Get("port"))}
	if form.Get("port") == "" {
		u.Host = form.Get("host")
	}
	from := (&mail.Address{Name: form.Get("fromName"), Address: form.Get("from")}).String()
	q := url.Values{"from": {from}}
	switch app.MailTLS(form.Get("tls")) {
	case app.FullTLS:
		u.Scheme = "smtps"
	case app.NoTLS:
		q.Set("tls", "none")
	}
	password := form.Get("password")
	if password == "" {
		old, err := c.door.MailServer(c.actor.Workspace)
		if err != nil {
			return "", err
		}
		if old != nil && old.Host == form.Get("host") && old.User == form.Get("user") {
			password = old.Password // it goes to nobody else
		}
	}
	if form.Get("user") != "" {
		u.User = url.UserPassword(form.Get("user"), password)
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

func (d *Door) mailAgain(c *call) error {
	_, err := d.ResendMail(c.Context(), c.actor.Workspace, c.PathValue("id"))
	if e := refused(err); e != nil {
		return c.showMail(nil, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(mailPath, "sent")
}
