package calendar

import (
	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// alerts are what needs attention, a line each: what went wrong leads to where it is told in full, and what is asked to
// the questions further down on the page.
func (c call) alerts(v *dash.TodayPage) (err error) {
	if v.Alerts, err = c.trouble(); err != nil {
		return err
	}
	if v.News, err = c.CalendarNews(0, dash.TodayPath); err != nil {
		return err
	}
	v.Alerts = append(v.Alerts, v.News.Trouble...)
	v.News.Trouble = nil
	missed, err := c.notComing()
	if err != nil {
		return err
	}
	v.Alerts = append(v.Alerts, missed...)
	if n := len(v.News.Clashes) + v.News.More; n > 0 {
		v.Alerts = append(v.Alerts, dash.Trouble{Text: c.T("calsync_clashes", "Count", n), URL: dash.TodayCalendars,
			Label: c.T("today_show")})
	}
	if n := len(v.News.Wishes); n > 0 {
		v.Alerts = append(v.Alerts, dash.Trouble{Text: c.T("today_wishes", "Count", n), URL: dash.TodayCalendars,
			Label: c.T("today_show")})
	}
	if c.Setup.Workspace.Texts && c.May(app.MaySeeContacts) {
		n, err := c.Subjects.Text.NewMessages(c.Context(), c.Actor)
		if err != nil {
			return err
		}
		if n > 0 {
			v.Alerts = append(v.Alerts, dash.Trouble{Text: c.T("today_messages", "Count", n), URL: dash.MessagesPath, Asked: true,
				Label: c.T("today_show")})
		}
	}
	if n := len(v.Decide); n > 0 {
		v.Alerts = append(v.Alerts, dash.Trouble{Text: c.T("today_asked", "Count", n), URL: dash.TodayDecide, Asked: true,
			Label: c.T("today_show")})
	}
	return nil
}

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
		case e.SwitchedOff():
			all = append(all,
				dash.Trouble{Text: c.T("dash_trouble_hook_off", "Name", web.HostOf(e.URL)),
					When: c.Ago(e.DisabledAt), URL: url, Label: c.T("dash_trouble_hook_show")})
		case e.Fails():
			all = append(all, dash.Trouble{Text: c.T("dash_trouble_hook", "Name", web.HostOf(e.URL)),
				When: c.T("dash_trouble_first", "When", c.Ago(e.FailingSince)), URL: url, Label: c.T("dash_trouble_hook_show")})
		}
	}
	return all, nil
}

// mailTrouble returns what keeps mails from being sent, and mails that failed in the last week.
func (c call) mailTrouble() (all []dash.Trouble, err error) {
	t, err := c.Subjects.Mail.Trouble(c.Context(), c.Actor)
	if err != nil {
		return nil, err
	}
	switch {
	case t.NoServer:
		all = append(all, dash.Trouble{Text: c.T("dash_trouble_no_server"), URL: dash.MailPath, Label: c.T("dash_trouble_set_up")})
	case t.Stuck.Count > 0:
		all = append(all, dash.Trouble{Text: c.T("dash_trouble_stuck"), URL: dash.MailPath + "?state=waiting", Label: c.T("dash_trouble_mails")})
	}
	if t.Unconfirmed {
		all = append(all, dash.Trouble{Text: c.T("dash_trouble_mail_unconfirmed"), URL: dash.MailPath, Label: c.T("dash_trouble_mail_confirm")})
	}
	if len(t.Failed) > 0 {
		m := &t.Failed[0]
		text := c.T("dash_trouble_mail", "Email", m.To)
		if len(t.Failed) > 1 {
			text = c.T("dash_trouble_mail_many", "Count", len(t.Failed))
		}
		all = append(all, dash.Trouble{Text: text, When: c.Ago(m.CreatedAt), URL: dash.MailPath + "?state=failed",
			Label: c.T("dash_trouble_mails")})
	}
	return all, nil
}
