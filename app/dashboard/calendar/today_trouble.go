package calendar

import (
	"slices"

	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/app/mail"
	"daybook/app/webhook"
	"daybook/app/when"
	"daybook/views/dash"
)

// trouble returns what went wrong lately and has not been fixed: mails, the server, endpoints that fail or were
// disabled.
func (c call) trouble() (all []dash.Trouble, err error) {
	if !c.May(app.MaySeeEndpoints) {
		return nil, nil
	}
	if all, err = c.mailTrouble(); err != nil {
		return nil, err
	}
	server, err := c.serverTrouble()
	if err != nil {
		return nil, err
	}
	all = append(all, server...)
	endpoints, err := c.Subjects.Webhook.Endpoints(c.Context(), c.Actor)
	if err != nil {
		return nil, err
	}
	for i := range endpoints {
		e := &endpoints[i]
		url := dash.WebhookPath(e.ID.String())
		switch {
		case e.DisabledReason == webhook.DisabledGone || e.DisabledReason == webhook.DisabledFailing:
			all = append(all,
				dash.Trouble{Text: c.T("dash_trouble_hook_off", "Name", web.HostOf(e.URL)),
					When: c.Ago(e.DisabledAt), URL: url, Label: c.T("dash_trouble_hook_show")})
		case e.Enabled && e.FailingSince != 0:
			all = append(all, dash.Trouble{Text: c.T("dash_trouble_hook", "Name", web.HostOf(e.URL)),
				When: c.T("dash_trouble_first", "When", c.Ago(e.FailingSince)), URL: url, Label: c.T("dash_trouble_hook_show")})
		}
	}
	return all, nil
}

// mailTrouble returns what keeps mails from being sent, and mails that failed in the last week.
func (c call) mailTrouble() (all []dash.Trouble, err error) {
	route, err := c.Subjects.Mail.MailRoute(c.Context(), c.Actor.Workspace)
	if err != nil {
		return nil, err
	}
	stuck, err := c.Subjects.Mail.StuckMails(c.Context(), c.Actor)
	if err != nil {
		return nil, err
	}
	switch {
	case route == nil:
		all = append(all,
			dash.Trouble{Text: c.T("dash_trouble_no_server") + c.StuckText(&stuck),
				URL: dash.MailPath, Label: c.T("dash_trouble_set_up")})
	case stuck.Count > 0:
		all = append(all, dash.Trouble{Text: c.T("dash_trouble_stuck") + c.StuckText(&stuck),
			URL: dash.MailPath + "?state=waiting", Label: c.T("dash_trouble_mails")})
	}
	unchecked, err := c.Subjects.Mail.ServerCheck(c.Context(), c.Actor.Workspace)
	if err != nil {
		return nil, err
	}
	if route != nil && unchecked != nil {
		all = append(all, dash.Trouble{Text: c.T("dash_trouble_mail_unconfirmed"), URL: dash.MailPath,
			Label: c.T("dash_trouble_mail_confirm")})
	}
	n := 100
	failed, err := c.Subjects.Mail.Mails(c.Context(), c.Actor,
		mail.ListInput{State: string(mail.Failed), Limit: &n})
	if err != nil {
		return nil, err
	}
	recent := slices.DeleteFunc(failed.Data,
		func(m mail.Mail) bool { return m.CreatedAt <= when.At(c.Subjects.Now().AddDate(0, 0, -7)) })
	if len(recent) > 0 {
		m := &recent[0]
		text := c.T("dash_trouble_mail", "Email", m.To, "Why", m.Answer)
		if len(recent) > 1 {
			text = c.T("dash_trouble_mail_many", "Count", len(recent), "Email", m.To, "Why", m.Answer)
		}
		all = append(all, dash.Trouble{Text: text, When: c.Ago(m.CreatedAt), URL: dash.MailPath + "?state=failed",
			Label: c.T("dash_trouble_mails")})
	}
	return all, nil
}
