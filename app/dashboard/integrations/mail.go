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

// mailNames are the keys of the messages.
var mailNames = map[catalog.MailKind]string{
	catalog.MailConfirmed: "connect_mail_confirmed", catalog.MailWaiting: "connect_mail_waiting",
	catalog.MailPaymentDue: "connect_mail_payment_due", catalog.MailApproved: "connect_mail_approved",
	catalog.MailDeclined: "connect_mail_declined", catalog.MailMoved: "connect_mail_moved",
	catalog.MailCancelled: "connect_mail_cancelled", catalog.MailLapsed: "connect_mail_lapsed",
	catalog.MailReminder: "connect_mail_reminder", catalog.MailRefunded: "connect_mail_refunded",
	catalog.MailReceipt: "till_receipt", catalog.MailInvitation: "invitation_mail",
	catalog.MailGuest: "guest_mail", catalog.MailOwn: "own_mail", catalog.MailVoucher: "voucher_mail_kind",
	catalog.MailBought: "voucher_bought_kind", catalog.MailWaits: "wait_mail",
	catalog.MailOffer: "wait_offer_mail", catalog.MailOfferOver: "wait_gone_mail",
	catalog.MailOpening: "wait_open_mail",
	catalog.MailTeamNew: "connect_mail_team_new", catalog.MailTeamMoved: "connect_mail_team_moved",
	catalog.MailTeamCancelled: "connect_mail_team_cancelled",
	catalog.MailTeamDecision:  "connect_mail_team_decision",
	catalog.MailTeamNotComing: "coming_mail_kind",
	catalog.MailTeamEndpoint:  "connect_mail_team_endpoint",
	catalog.MailTeamCalendar:  "connect_mail_team_calendar",
	catalog.MailTeamServer:    "connect_mail_team_server",
	catalog.MailTeamTexts:     "connect_mail_team_texts",
	catalog.MailSecurity:      "factor_mail",
	catalog.MailMember:        "team_mail",
}

// mailState returns the state of a mail: one whose time has not come is scheduled.
func (c call) mailState(m *mail.Mail) dash.Badge {
	switch {
	case m.State == mail.Waiting && m.DueSince() > when.At(c.Subjects.Now()):
		return dash.Badge{Text: c.T("connect_mail_state_due")}
	case m.State == mail.Waiting:
		return dash.Badge{Text: c.T("connect_mail_state_waiting"), Tone: "warn"}
	case m.State == mail.Sent:
		return dash.Badge{Text: c.T("connect_mail_state_sent"), Tone: "good"}
	case m.State == mail.Failed:
		return dash.Badge{Text: c.T("connect_mail_state_failed"), Tone: "bad"}
	}
	return dash.Badge{Text: c.T("connect_mail_state_dropped")}
}

func (c call) mail() error { return c.showMail(mailShown{}) }

// mailShown is what one of the page's forms is shown again with.
type mailShown struct {
	typed   url.Values // into the form of a server
	wrong   *fault.Error
	connect *dash.MailConnect // the step that has come; nil is the first
	expert  bool              // opens the form of a server
	digits  *fault.Error
	status  int // 0 is that of wrong
}

func (c call) showMail(shown mailShown) error {
	server, err := c.Subjects.Mail.MailServer(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	v := dash.MailPage{SettingsFrame: c.integrationFrame(c.T("connect_mail"), dash.MailPath)}
	if v.Digits, err = c.mailDigits(server != nil, shown.digits); err != nil {
		return err
	}
	if v.Status, err = c.mailStatus(v.Digits == nil); err != nil {
		return err
	}
	if shown.connect != nil {
		v.Connect = *shown.connect
	} else {
		v.Connect = c.askAddress(nil, nil)
		if server != nil {
			v.Connect.Fold = c.T("connect_mail_from_other")
		}
	}
	v.Expert = c.mailExpert(server, shown)
	kinds := dash.Input{Name: "kinds", Label: c.T("connect_mail_kinds"), Kind: "checks"}
	for _, k := range catalog.MailKinds {
		kinds.Options = append(kinds.Options, dash.Option{Value: string(k), Label: c.T(mailNames[k])})
		if !slices.Contains(c.Setup.Workspace.Settings.MailsOff, k) {
			kinds.Values = append(kinds.Values, string(k))
		}
	}
	v.Kinds = []dash.Group{{Inputs: []dash.Input{kinds}}}
	if v.Lists, err = c.mailLog(); err != nil {
		return err
	}
	status := shown.status
	if status == 0 {
		status = web.RefusedStatus(shown.wrong)
	}
	return c.Show(status, dash.Mail(v))
}

// mailExpert returns the form of a server, filled in with the saved one, a provider's, or what was typed.
func (c call) mailExpert(server *smtp.Server, shown mailShown) dash.MailExpert {
	in := url.Values{"port": {"587"}, "tls": {string(smtp.StartTLS)}}
	if server != nil {
		in = url.Values{"host": {server.Host}, "port": {strconv.Itoa(server.Port)}, "tls": {string(server.TLS)},
			"user": {server.User}, "from": {server.From.Address}, "fromName": {server.From.Name}}
	}
	hint := c.T("connect_mail_hint")
	preset := findMailProvider(c.URL.Query().Get("provider"))
	if preset != nil {
		in.Set("host", preset.host)
		in.Set("port", preset.port)
		in.Set("tls", string(preset.tls))
		if preset.user != "" {
			in.Set("user", preset.user)
		}
		hint = c.T("connect_mail_preset", "Name", preset.name)
		if preset.hint != "" {
			hint += " " + c.T(preset.hint)
		}
	}
	password := dash.Input{Name: "password", Label: c.T("connect_password"), Kind: "new-password", Half: true}
	if server != nil && server.Password != "" {
		password.Hint = c.T("connect_password_keep")
	}
	v := dash.MailExpert{Open: shown.expert || preset != nil, Groups: []dash.Group{
		{Title: c.T("connect_mail_server"), Hint: hint, Inputs: []dash.Input{
			{Name: "host", Label: c.T("connect_mail_host"), Half: true, Placeholder: "smtp.example.com"},
			{Name: "port", Label: c.T("connect_mail_port"), Kind: "number", Half: true},
			{Name: "tls", Label: c.T("connect_mail_tls"), Kind: "select", Half: true,
				Options: []dash.Option{{Value: "starttls", Label: "STARTTLS"}, {Value: "tls", Label: "TLS"},
					{Value: "none", Label: c.T("connect_mail_tls_none")}}},
			{Name: "user", Label: c.T("connect_mail_user"), Half: true}, password,
			{Name: "from", Label: c.T("connect_mail_from"), Kind: "email", Half: true,
				Placeholder: "bookings@example.com"},
			{Name: "fromName", Label: c.T("connect_mail_from_name"), Half: true,
				Placeholder: c.Setup.Workspace.Name},
		}},
	}}
	if shown.typed != nil {
		in = shown.typed
	}
	v.Problem = c.Fill(v.Groups, in, shown.wrong)
	if e := shown.wrong; e != nil && e.Field == "smtpUrl" {
		v.Problem = c.T("connect_mail_unusable", "Why", c.Sentence(e))
	}
	v.Presets = dash.Presets{Action: dash.MailPath, Name: "provider", Label: c.T("connect_mail_settings_for"),
		Submit: c.T("connect_mail_fill"), Options: c.presets(), Value: c.URL.Query().Get("provider")}
	return v
}

// mailStatus says whether and how mails are sent, and offers a test unless the digits of one are asked for.
func (c call) mailStatus(test bool) (list dash.SettingsList, err error) {
	route, err := c.Subjects.Mail.MailRoute(c.Context(), c.Actor.Workspace)
	if err != nil {
		return list, err
	}
	stuck, err := c.Subjects.Mail.StuckMails(c.Context(), c.Actor)
	if err != nil {
		return list, err
	}
	list.Title = c.T("connect_mail_are_sent")
	switch {
	case route == nil:
		list.Text = c.T("connect_mail_none") + c.StuckText(&stuck)
	case route.Law != nil:
		list.Text = c.T("connect_mail_own", "Server", route.Address(), "From", route.From.Address) +
			c.StuckText(&stuck)
	default:
		list.Text = c.T("connect_mail_shared", "From", route.From.Address) + c.StuckText(&stuck)
	}
	if user := c.Session.User.Email; route != nil && test {
		list.Rows = []dash.SettingsRow{{Title: c.T("connect_mail_test"),
			Text: c.T("connect_mail_test_text", "Email", user), Post: dash.MailTestPath,
			PostLabel: c.T("connect_mail_test_do")}}
	}
	return list, nil
}

// mailTestTime is the longest time that someone waits for a test mail.
const mailTestTime = 25 * time.Second

// testMail sends a mail to the member who is signed in, without the queue, and shows the result.
func (c call) testMail() error {
	route, err := c.Subjects.Mail.MailRoute(c.Context(), c.Actor.Workspace)
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
		return c.showMail(mailShown{expert: true,
			wrong: fault.New(fault.BadRequest, "", "%s", c.T("connect_mail_test_failed", "Why", err.Error()))})
	}
	return c.Redirect(dash.MailPath, "test-mail")
}

func (c call) mailLog() ([]dash.SettingsList, error) {
	q := c.URL.Query()
	state := q.Get("state")
	if !slices.Contains(mail.States, mail.State(state)) {
		state = ""
	}
	n := 25
	page, err := c.Subjects.Mail.Mails(c.Context(), c.Actor,
		mail.ListInput{State: state, Limit: &n, Cursor: q.Get("cursor")})
	if err != nil && web.Refused(err) == nil {
		return nil, err
	}
	route, err := c.Subjects.Mail.MailRoute(c.Context(), c.Actor.Workspace)
	if err != nil {
		return nil, err
	}
	list := dash.SettingsList{Title: c.T("connect_mail_log"), Icon: "mail",
		EmptyTitle: c.T("connect_mail_log_none"), Empty: c.T("connect_mail_log_none_text")}
	for _, t := range []struct{ key, label, none string }{{"", "connect_tab_all", ""},
		{"failed", "connect_mail_state_failed", "connect_mail_none_failed"},
		{"waiting", "connect_mail_state_waiting", "connect_mail_none_waiting"},
		{"sent", "connect_mail_state_sent", "connect_mail_none_sent"}} {
		current := t.key == state
		list.Tabs = append(list.Tabs, dash.Tab{Label: c.T(t.label),
			URL: web.WithQuery(dash.MailPath, url.Values{"state": {t.key}}), Current: current})
		if current && state != "" {
			list.EmptyTitle, list.Empty = c.T("connect_mail_none_title"), c.T(t.none)
		}
	}
	for i := range page.Data {
		m := &page.Data[i]
		r := dash.SettingsRow{Title: m.To, Text: c.T(mailNames[m.Kind]),
			Small: c.T("connect_mail_written", "When", c.Ago(m.CreatedAt)), State: c.mailState(m)}
		if m.State == mail.Waiting {
			r.Small += " · " + c.waits(m, route)
		} else if m.Answer != "" {
			r.Small += " · " + m.Answer
		}
		if m.BookingID != 0 {
			r.URL = dash.BookingPath(m.BookingID.String())
		}
		if m.State == mail.Failed || m.State == mail.Sent {
			r.Post, r.PostLabel = dash.MailAgainPath(m.ID.String()), c.T("connect_send_again")
		}
		list.Rows = append(list.Rows, r)
	}
	if page.NextCursor != nil {
		list.Pager.NextURL = web.WithQuery(dash.MailPath, q, "cursor", *page.NextCursor)
	}
	return []dash.SettingsList{list}, nil
}

// waits says what a mail is waiting for, and until when.
func (c call) waits(m *mail.Mail, route *smtp.Server) string {
	if m.DueSince() > when.At(c.Subjects.Now()) {
		return c.T("connect_mail_due", "When", c.Until(m.DueSince()))
	}
	text := c.T("connect_mail_since", "Time", c.Locale.Time(c.At(m.DueSince()), ""), "Day", c.Day(c.At(m.DueSince())))
	switch {
	case route == nil:
		text = c.Locale.Labelled(text, c.T("connect_mail_no_server"))
	case m.Answer != "":
		text = c.Locale.Labelled(text, m.Answer)
	}
	return text + " · " + c.T("connect_mail_until", "When", c.Until(m.Until))
}

// saveMail saves a server as somebody describes it.
func (c call) saveMail() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	text, err := c.mailServerText(form)
	if err == nil {
		err = c.Subjects.Mail.SetMailServer(c.Context(), c.Actor, text)
	}
	if e := web.Refused(err); e != nil {
		return c.showMail(mailShown{typed: form, wrong: e, expert: true})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.MailPath, "saved")
}

// saveMailKinds saves which mails are sent.
func (c call) saveMailKinds() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	_, err = c.Subjects.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) {
		w.Settings.MailsOff = nil
		for _, k := range catalog.MailKinds {
			if !slices.Contains(form["kinds"], string(k)) {
				w.Settings.MailsOff = append(w.Settings.MailsOff, k)
			}
		}
	})
	if e := web.Refused(err); e != nil {
		return c.showMail(mailShown{wrong: e, expert: true})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.MailPath, "saved")
}

// mailServerText returns the form as the URL that the Service reads; "" without a server. An empty password keeps the
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
	return c.Subjects.Mail.WithSavedPassword(c.Context(), c.Actor, u.String())
}

func (c call) mailAgain() error {
	_, err := c.Subjects.Mail.ResendMail(c.Context(), c.Actor, c.PathValue("id"))
	if e := web.Refused(err); e != nil {
		return c.showMail(mailShown{wrong: e, expert: true})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.MailPath, "sent")
}
