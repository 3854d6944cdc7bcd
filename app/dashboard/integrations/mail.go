package integrations

import (
	"context"
	"net"

	"daybook/app/catalog"

	netmail "net/mail"
	"net/url"
	"slices"
	"strconv"
	"time"

	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/smtp"
	"daybook/app/when"
	"daybook/views/dash"
)

var mailNames = map[catalog.MailKind]string{
	catalog.MailConfirmed: "Booked", catalog.MailWaiting: "Requested, waits for approval",
	catalog.MailPaymentDue: "Waits for payment", catalog.MailApproved: "Approved", catalog.MailDeclined: "Declined",
	catalog.MailMoved: "Moved", catalog.MailCancelled: "Cancelled", catalog.MailLapsed: "Lapsed",
	catalog.MailReminder: "Reminder", catalog.MailRefunded: "Refunded",
	catalog.MailTeamNew: "To the team: new booking", catalog.MailTeamMoved: "To the team: moved",
	catalog.MailTeamCancelled: "To the team: cancelled",
	catalog.MailTeamDecision:  "To the team: waits for approval",
	catalog.MailTeamEndpoint:  "To the team: a webhook was switched off",
}

var mailBadges = map[mail.State]dash.Badge{
	mail.Waiting: {Text: "Waiting", Tone: "warn"}, mail.Sent: {Text: "Sent", Tone: "good"}, mail.Failed: {Text: "Failed",
		Tone: "bad"}, mail.Dropped: {Text: "No longer needed"},
}

func (c call) mail() error { return c.showMail(nil, nil) }

func (c call) showMail(typed url.Values, e *fault.Error) error {
	server, err := c.Rooms.Mail.MailServer(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	in := url.Values{"port": {"587"}, "tls": {string(smtp.StartTLS)}}
	if server != nil {
		in = url.Values{"host": {server.Host}, "port": {strconv.Itoa(server.Port)}, "tls": {string(server.TLS)},
			"user": {server.User}, "from": {server.From.Address}, "fromName": {server.From.Name}}
	}
	hint := "Your own SMTP server. Without one the server's is used, if it has one."
	preset := findMailProvider(c.URL.Query().Get("provider"))
	if preset != nil {
		in.Set("host", preset.host)
		in.Set("port", preset.port)
		in.Set("tls", string(preset.tls))
		if preset.user != "" {
			in.Set("user", preset.user)
		}
		hint = preset.name + " is filled in: add user, password and your address, then save. " + preset.hint
	}
	kinds := dash.Input{Name: "kinds", Label: "Which mails are sent", Kind: "checks"}
	for _, k := range catalog.MailKinds {
		kinds.Options = append(kinds.Options, dash.Option{Value: string(k), Label: mailNames[k]})
		if !slices.Contains(c.Setup.Workspace.Settings.MailsOff, k) {
			in.Add("kinds", string(k))
		}
	}
	password := dash.Input{Name: "password", Label: "Password", Kind: "new-password", Half: true}
	if server != nil && server.Password != "" {
		password.Hint = "Leave empty to keep the current one."
	}
	v := dash.SettingsListsPage{}
	v.SettingsFrame, v.Action = c.integrationFrame("Mail", dash.MailPath), dash.MailPath
	v.Groups = []dash.Group{
		{Title: "Mail server", Hint: hint, Inputs: []dash.Input{
			{Name: "host", Label: "Server", Half: true, Placeholder: "smtp.example.com"},
			{Name: "port", Label: "Port", Kind: "number", Half: true},
			{Name: "tls", Label: "Encryption", Kind: "select", Half: true,
				Options: []dash.Option{{Value: "starttls", Label: "STARTTLS"}, {Value: "tls", Label: "TLS"},
					{Value: "none", Label: "None (not recommended)"}}},
			{Name: "user", Label: "User", Half: true}, password,
			{Name: "from", Label: "Sender address", Kind: "email", Half: true, Placeholder: "bookings@example.com"},
			{Name: "fromName", Label: "Sender name", Half: true, Placeholder: c.Setup.Workspace.Name},
		}},
		{Title: "Mails", Inputs: []dash.Input{kinds}},
	}
	if typed == nil {
		typed = in
	}
	v.Problem = c.Fill(v.Groups, typed, e)
	if e != nil && e.Field == "smtpUrl" {
		v.Problem = "The server's settings can't be used: " + c.Sentence(e)
	}
	v.Presets = dash.Presets{Action: dash.MailPath, Name: "provider", Label: "Settings for", Submit: "Fill in settings",
		Options: presets(), Value: c.URL.Query().Get("provider")}
	if err := c.mailStatus(&v); err != nil {
		return err
	}
	if err := c.mailLog(&v); err != nil {
		return err
	}
	return c.Show(web.RefusedStatus(e), dash.SettingsLists(v))
}

// mailStatus says whether and how mails are sent, and offers a test.
func (c call) mailStatus(v *dash.SettingsListsPage) error {
	route, err := c.Rooms.Mail.MailRoute(c.Context(), c.Actor.Workspace)
	if err != nil {
		return err
	}
	stuck, err := c.Rooms.Mail.StuckMails(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	list := dash.SettingsList{Title: "Are mails sent?"}
	switch {
	case route == nil:
		list.Text = "No mail server is set up, so no mail is sent: mails wait for 48 hours and then fail." +
			c.StuckText(&stuck)
	case route.Law != nil:
		list.Text = "Mails are sent through your own server, " + route.Address() + ", from " + route.From.Address + "." +
			c.StuckText(&stuck)
	default:
		list.Text = "Mails are sent through the mail server of this installation, from " + route.From.Address + "." +
			c.StuckText(&stuck)
	}
	if user := c.Session.User.Email; route != nil {
		list.Rows = []dash.SettingsRow{{Title: "Send a test mail",
			Text: "To " + user + ". Save first: the test uses the saved server.", Post: dash.MailTestPath,
			PostLabel: "Send test mail"}}
	}
	v.First = append(v.First, list)
	return nil
}

// mailTestTime is the longest time that someone waits for a test mail.
const mailTestTime = 25 * time.Second

// testMail sends a mail to the member who is signed in, without the queue, and shows the result.
func (c call) testMail() error {
	route, err := c.Rooms.Mail.MailRoute(c.Context(), c.Actor.Workspace)
	if err != nil {
		return err
	}
	to := c.Session.User.Email
	if route == nil {
		return c.Redirect(dash.MailPath, "")
	}
	ctx, cancel := context.WithTimeout(c.Context(), mailTestTime)
	defer cancel()
	if err := smtp.Test(ctx, route, nil, to, c.Setup.Workspace.Settings.Locale); err != nil {
		return c.showMail(nil,
			&fault.Error{Code: fault.BadRequest, Message: "The test mail was not sent: " + err.Error() + "."})
	}
	return c.Redirect(dash.MailPath, "test-mail")
}

func (c call) mailLog(v *dash.SettingsListsPage) error {
	q := c.URL.Query()
	state := q.Get("state")
	if !slices.Contains(mail.States, mail.State(state)) {
		state = ""
	}
	n := 25
	page, err := c.Rooms.Mail.Mails(c.Context(), c.Actor,
		mail.ListInput{State: state, Limit: &n, Cursor: q.Get("cursor")})
	if err != nil && web.Refused(err) == nil {
		return err
	}
	route, err := c.Rooms.Mail.MailRoute(c.Context(), c.Actor.Workspace)
	if err != nil {
		return err
	}
	list := dash.SettingsList{Title: "Mail log", Icon: "mail",
		EmptyTitle: "No mails yet", Empty: "Mails show up here as bookings are made, moved and cancelled."}
	if state != "" {
		list.EmptyTitle, list.Empty = "None", "No mail of the log is "+state+"."
	}
	for _, t := range []struct{ key, label string }{{"", "All"}, {"failed", "Failed"}, {"waiting", "Waiting"},
		{"sent", "Sent"}} {
		list.Tabs = append(list.Tabs,
			dash.Tab{Label: t.label, URL: web.WithQuery(dash.MailPath, url.Values{"state": {t.key}}), Current: t.key == state})
	}
	for i := range page.Data {
		m := &page.Data[i]
		r := dash.SettingsRow{Title: m.To, Text: mailNames[m.Kind], Small: "Written " + c.Ago(m.CreatedAt),
			State: mailBadges[m.State]}
		if m.State == mail.Waiting {
			r.Small += " · " + c.waits(m, route)
		} else if m.Answer != "" {
			r.Small += " · " + m.Answer
		}
		if m.BookingID != 0 {
			r.URL = dash.BookingPath(m.BookingID.String())
		}
		if m.State == mail.Failed || m.State == mail.Sent {
			r.Post, r.PostLabel = dash.MailAgainPath(m.ID.String()), "Send again"
		}
		list.Rows = append(list.Rows, r)
	}
	if page.NextCursor != nil {
		list.Pager.NextURL = web.WithQuery(dash.MailPath, q, "cursor", *page.NextCursor)
	}
	v.Lists = append(v.Lists, list)
	return nil
}

// waits says what a mail is waiting for, and until when.
func (c call) waits(m *mail.Mail, route *smtp.Server) string {
	if m.DueSince() > when.At(c.Rooms.Now()) {
		return "due " + c.Until(m.DueSince())
	}
	text := "waiting since " + c.Locale.Time(c.At(m.DueSince()), "") + " on " + c.Day(c.At(m.DueSince()))
	switch {
	case route == nil:
		text += ": no mail server is set up"
	case m.Answer != "":
		text += ": " + m.Answer
	}
	return text + " · given up " + c.Until(m.Until)
}

func (c call) saveMail() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	text, err := c.mailServerText(form)
	if err == nil {
		err = c.Rooms.Mail.SetMailServer(c.Context(), c.Actor, text)
	}
	if err == nil {
		_, err = c.Rooms.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) {
			w.Settings.MailsOff = nil
			for _, k := range catalog.MailKinds {
				if !slices.Contains(form["kinds"], string(k)) {
					w.Settings.MailsOff = append(w.Settings.MailsOff, k)
				}
			}
		})
	}
	if e := web.Refused(err); e != nil {
		return c.showMail(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.MailPath, "saved")
}

// mailServerText is the form as the URL that the Service reads; "" without a server. An empty password keeps the
// previous one.
func (c call) mailServerText(form url.Values) (string, error) {
	if form.Get("host") == "" {
		return "", nil
	}
	u := url.URL{Scheme: "smtp", Host: net.JoinHostPort(form.Get("host"), form.Get("port"))}
	if form.Get("port") == "" {
		u.Host = form.Get("host")
	}
	from := (&netmail.Address{Name: form.Get("fromName"), Address: form.Get("from")}).String()
	q := url.Values{"from": {from}}
	switch smtp.TLS(form.Get("tls")) {
	case smtp.FullTLS:
		u.Scheme = "smtps"
	case smtp.NoTLS:
		q.Set("tls", "none")
	}
	u.RawQuery = q.Encode()
	if form.Get("user") == "" {
		return u.String(), nil
	}
	if password := form.Get("password"); password != "" {
		u.User = url.UserPassword(form.Get("user"), password)
		return u.String(), nil
	}
	u.User = url.User(form.Get("user"))
	return c.Rooms.Mail.WithSavedPassword(c.Context(), c.Actor, u.String())
}

func (c call) mailAgain() error {
	_, err := c.Rooms.Mail.ResendMail(c.Context(), c.Actor, c.PathValue("id"))
	if e := web.Refused(err); e != nil {
		return c.showMail(nil, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.MailPath, "sent")
}
