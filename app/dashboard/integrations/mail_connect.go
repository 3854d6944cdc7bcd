package integrations

import (
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"

	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/mail/discover"
	"daybook/app/mail/smtp"
	"daybook/app/when"
	"daybook/views/dash"
)

// askAddress returns the first step: the address of the business.
func (c call) askAddress(typed url.Values, e *fault.Error) dash.MailConnect {
	v := dash.MailConnect{Title: c.T("connect_mail_address_title"), Text: c.T("connect_mail_address_text"),
		Action: dash.MailFindPath, Submit: c.T("connect_mail_find"), Groups: []dash.Group{{Inputs: []dash.Input{
			{Name: "address", Label: c.T("connect_mail_address"), Kind: "email", Required: true, Autocomplete: "email",
				Placeholder: "info@example.com"}}}}}
	v.Problem = c.Fill(v.Groups, typed, e)
	return v
}

// findMail looks for the server of an address, and asks for the password that it takes.
func (c call) findMail() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	servers, advice, err := c.Subjects.Mail.FindServers(c.Context(), c.Actor, form.Get("address"))
	return c.showFound(form, servers, &advice, err)
}

// showFound shows the servers that were found for the address in a form. err is why there are none, or what went wrong
// with the one that was tried.
func (c call) showFound(form url.Values, servers []discover.Server, advice *discover.Advice, err error) error {
	e, f := web.Refused(err), (*smtp.Failure)(nil)
	silent := errors.Is(err, discover.ErrSilent)
	if err != nil && e == nil && !silent && !errors.As(err, &f) {
		return err
	}
	var step dash.MailConnect
	status := 200
	switch {
	case e != nil && len(servers) == 0:
		step, status = c.askAddress(form, e), web.RefusedStatus(e)
		return c.showMail(mailShown{connect: &step, status: status})
	case advice.Passwords == discover.NoPassword:
		step = c.noPassword(advice)
	case len(servers) == 0:
		step, status = c.askAddress(form, nil), 422
		step.Problem = c.T("connect_mail_not_found", "Address", form.Get("address"))
		if silent {
			step.Problem = c.T("connect_mail_silent", "Address", form.Get("address"))
		}
	default:
		step = c.askPassword(form, servers, advice, f, e)
		if f != nil || e != nil {
			status = 422
		}
	}
	return c.showMail(mailShown{connect: &step, status: status, expert: status == 422 && len(servers) == 0})
}

// noPassword says that a provider takes no password from programs, and what to do.
func (c call) noPassword(advice *discover.Advice) dash.MailConnect {
	v := dash.MailConnect{Title: c.T("connect_mail_refuses", "Name", advice.Provider),
		Text: c.T("connect_mail_refuses_text", "Name", advice.Provider),
		Help: []dash.MailLink{{Label: c.T("connect_mail_relay"), URL: dash.MailPath + "?provider=brevo#technicians"},
			{Label: c.T("connect_mail_other_address"), URL: dash.MailPath}}}
	if advice.Help != "" {
		v.Help = append(v.Help, dash.MailLink{Label: c.T("connect_mail_help", "Name", advice.Provider), URL: advice.Help,
			Away: true})
	}
	return v
}

// passwordTexts are the keys of the messages about the password that a provider takes, and of the link to its page.
var passwordTexts = map[discover.Passwords][2]string{
	discover.AnyPassword: {"connect_mail_password_any", ""},
	discover.AppPassword: {"connect_mail_password_app", "connect_mail_make_app"},
	discover.OwnPassword: {"connect_mail_password_own", "connect_mail_help"},
	discover.Switched:    {"connect_mail_password_switch", "connect_mail_help"},
	discover.SecondApp:   {"connect_mail_password_second", "connect_mail_help"},
}

// askPassword returns the second step. After a server has failed the others can be chosen; none is tried until then.
func (c call) askPassword(form url.Values, servers []discover.Server, advice *discover.Advice, f *smtp.Failure,
	e *fault.Error) dash.MailConnect {
	name := advice.Provider
	if name == "" {
		name = servers[0].Host
	}
	texts := passwordTexts[advice.Passwords]
	v := dash.MailConnect{Title: c.T("connect_mail_found", "Name", name), Text: c.T(texts[0], "Name", name),
		Action: dash.MailConnectPath, Submit: c.T("connect_mail_connect"), Address: form.Get("address")}
	if texts[1] != "" {
		v.Help = []dash.MailLink{{Label: c.T(texts[1], "Name", name), URL: advice.Help, Away: true}}
	}
	password := dash.Input{ID: "connect-password", Name: "password", Label: c.T("connect_mail_password_of", "Address",
		form.Get("address")), Kind: "new-password", Required: true}
	if advice.Passwords == discover.AppPassword {
		password.Label = c.T("connect_mail_app_password")
	}
	user := dash.Input{ID: "connect-user", Name: "user", Label: c.T("connect_mail_user_name"),
		Placeholder: servers[0].User}
	tried := slices.IndexFunc(servers, func(s discover.Server) bool { return s.Address() == form.Get("server") })
	why := ""
	var inputs []dash.Input
	if f != nil && len(servers) > 1 {
		why = c.failureText(form.Get("server"), f)
		choice := dash.Input{Name: "server", Label: c.T("connect_mail_which"), Kind: "select"}
		for i := range servers {
			choice.Options = append(choice.Options, dash.Option{Value: servers[i].Address(), Label: servers[i].Address()})
		}
		inputs = append(inputs, choice)
		if f.Why != smtp.WrongSignIn && f.Why != smtp.WrongSender && tried+1 < len(servers) {
			form.Set("server", servers[tried+1].Address())
		}
	} else {
		if f != nil {
			why = c.failureText(form.Get("server"), f)
		}
		servers = servers[max(0, tried):][:1]
		v.Server = servers[0].Address()
	}
	if hosts := unsure(servers); len(hosts) > 0 {
		domain := form.Get("address")[strings.LastIndexByte(form.Get("address"), '@')+1:]
		sure := dash.Input{Name: "provider", Label: c.T("connect_mail_sure", "Domain", domain), Kind: "checks"}
		for _, host := range hosts {
			sure.Options = append(sure.Options, dash.Option{Value: host, Label: c.T("connect_mail_sure_yes", "Host", host)})
		}
		inputs = append(inputs, sure)
	}
	v.Groups = []dash.Group{{Inputs: append(inputs, password)},
		{Fold: c.T("connect_mail_user_other"), Inputs: []dash.Input{user}}}
	v.Problem = c.Fill(v.Groups, form, e)
	if why != "" {
		v.Problem = why
	}
	return v
}

// unsure returns the hosts that a password goes to only if the owner says that they are the provider's.
func unsure(servers []discover.Server) (hosts []string) {
	for _, s := range servers {
		if !s.Sure && !slices.Contains(hosts, s.Host) {
			hosts = append(hosts, s.Host)
		}
	}
	return hosts
}

// connectMail signs in to the server that was chosen, once, and sends the digits.
func (c call) connectMail() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	server := form.Get("server")
	host, _, err := net.SplitHostPort(server)
	if err != nil {
		host = ""
	}
	in := mail.ConnectInput{Address: form.Get("address"), Server: server, User: form.Get("user"),
		Password: form.Get("password"), Name: c.Setup.Workspace.Name, To: c.Session.User.Email}
	if slices.Contains(form["provider"], host) {
		in.Provider = host
	}
	servers, advice, err := c.Subjects.Mail.ConnectServer(c.Context(), c.Actor, in)
	if err != nil {
		return c.showFound(form, servers, &advice, err)
	}
	return c.Redirect(dash.MailPath, "")
}

// failureKeys are the messages about what to change; others have the server's answer.
var failureKeys = map[smtp.Why]string{
	smtp.WrongSignIn: "connect_mail_why_sign_in", smtp.WrongSender: "connect_mail_why_sender",
	smtp.Unreachable: "connect_mail_why_unreachable", smtp.WrongName: "connect_mail_why_certificate",
	smtp.NoSecurity: "connect_mail_why_no_tls",
}

func (c call) failureText(server string, f *smtp.Failure) string {
	if key := failureKeys[f.Why]; key != "" {
		return c.T(key, "Server", server)
	}
	return c.T("connect_mail_test_failed", "Why", f.Text)
}

// mailDigits asks for the digits of a test mail while the own server is not known to work; nil else.
func (c call) mailDigits(own bool, wrong *fault.Error) (*dash.MailDigits, error) {
	if !own {
		return nil, nil
	}
	check, err := c.Subjects.Mail.ServerCheck(c.Context(), c.Actor.Workspace)
	if err != nil || check == nil {
		return nil, err
	}
	v := &dash.MailDigits{Text: c.T("connect_mail_digits_first", "Email", c.Session.User.Email),
		Again: c.T("connect_mail_test_do")}
	if check.Hash != "" {
		v.Text, v.Again = c.T("connect_mail_digits_over", "Email", check.To), c.T("connect_mail_digits_again")
	}
	if check.Open(when.At(c.Subjects.Now())) {
		v.Text = c.T("connect_mail_digits_sent", "Email", check.To)
		v.Groups = []dash.Group{{Inputs: []dash.Input{{Name: "code", Label: c.T("connect_mail_digits_label"),
			Required: true, Autocomplete: "one-time-code", Digits: true, Focus: true}}}}
	}
	v.Problem = c.Fill(v.Groups, nil, wrong)
	return v, nil
}

// confirmMail takes the digits.
func (c call) confirmMail() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	err = c.Subjects.Mail.ConfirmServer(c.Context(), c.Actor, form.Get("code"))
	return c.afterDigits(err, "mail-works")
}

// sendMailCode sends other digits.
func (c call) sendMailCode() error {
	err := c.Subjects.Mail.SendCheck(c.Context(), c.Actor, c.Session.User.Email)
	if f := (*smtp.Failure)(nil); errors.As(err, &f) {
		server, err := c.Subjects.Mail.MailServer(c.Context(), c.Actor)
		if err != nil || server == nil {
			return err
		}
		return c.showMail(mailShown{digits: fault.New(fault.BadRequest, "", "%s", c.failureText(server.Address(), f)),
			status: 422})
	}
	if fault.Is(err, fault.NotFound) { // somebody has typed them in meanwhile
		err = nil
	}
	return c.afterDigits(err, "")
}

func (c call) afterDigits(err error, said string) error {
	if e := web.Refused(err); e != nil {
		return c.showMail(mailShown{digits: e, status: web.RefusedStatus(e)})
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.MailPath, said)
}
