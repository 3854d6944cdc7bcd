package integrations

import (
	"daybook/app"
	"daybook/views/dash"
)

// integration is an outside service that bookings are connected with: a tab, and a row of the overview.
type integration struct {
	label, url, text string // label and text are keys of messages
	needs            app.Command
}

var integrations = []integration{
	{"connect_calendars", dash.CalendarsPath, "calsync_text", app.MayConnectCalendars},
	{"connect_mail", dash.MailPath, "connect_mail_text", app.MayManageMails},
	{"connect_texts", dash.TextsPath, "connect_texts_text", app.MayManageMails},
	{"connect_payments", dash.PaymentsPath, "connect_payments_text", app.MayManagePayments},
	{"connect_website", dash.EmbedPath, "connect_website_text", app.MayManageWorkspace},
	{"connect_developers", dash.KeysPath, "connect_developers_text", app.MaySeeEndpoints},
}

// integrationTabs returns the tabs that the role may see; at is the path of the current one.
func (c call) integrationTabs(at string) []dash.Tab {
	tabs := []dash.Tab{{Label: c.T("connect_overview"), URL: dash.IntegrationsPath, Current: at == dash.IntegrationsPath}}
	for _, i := range integrations {
		if c.May(i.needs) {
			tabs = append(tabs, dash.Tab{Label: c.T(i.label), URL: i.url, Current: i.url == at})
		}
	}
	return tabs
}

// integrationFrame returns the part that the pages of integrations share with those of the settings.
func (c call) integrationFrame(title, at string) dash.SettingsFrame {
	return dash.SettingsFrame{Frame: c.Frame(title, "integrations"), Heading: c.T("connect_title"),
		Tabs: c.integrationTabs(at)}
}

func (c call) integrations() error {
	v := dash.SettingsListsPage{}
	v.SettingsFrame = c.integrationFrame(c.T("connect_title"), dash.IntegrationsPath)
	list := dash.SettingsList{Title: c.T("connect_list")}
	for _, i := range integrations {
		if c.May(i.needs) {
			state, err := c.integrationState(i.url)
			if err != nil {
				return err
			}
			list.Rows = append(list.Rows,
				dash.SettingsRow{Title: c.T(i.label), Text: c.T(i.text), State: state, URL: i.url,
					URLLabel: c.T("connect_open")})
		}
	}
	v.Lists = []dash.SettingsList{list}
	return c.Show(200, dash.SettingsLists(v))
}

// integrationState says of mail and payments, which work only once they are set up, whether they are.
func (c call) integrationState(path string) (dash.Badge, error) {
	switch path {
	case dash.MailPath:
		route, err := c.Subjects.Mail.MailRoute(c.Context(), c.Actor.Workspace)
		if err != nil { // its page says what is wrong
			return dash.Badge{Text: c.T("connect_broken"), Tone: "warn"}, nil
		}
		if route == nil {
			return dash.Badge{Text: c.T("connect_not_set_up"), Tone: "warn"}, nil
		}
		if unchecked, err := c.Subjects.Mail.ServerCheck(c.Context(), c.Actor.Workspace); err != nil || unchecked != nil {
			return dash.Badge{Text: c.T("connect_mail_unconfirmed"), Tone: "warn"}, err
		}
		return dash.Badge{Text: c.T("connect_set_up"), Tone: "good"}, nil
	case dash.TextsPath:
		if c.Setup.Workspace.Texts {
			return dash.Badge{Text: c.T("connect_set_up"), Tone: "good"}, nil
		}
		return dash.Badge{Text: c.T("connect_off")}, nil
	case dash.CalendarsPath:
		return c.calendarsState()
	case dash.PaymentsPath:
		is, err := c.Subjects.Payment.Connection(c.Context(), c.Actor, false)
		if err != nil || !is.Connected {
			return dash.Badge{Text: c.T("connect_off")}, err
		}
		return dash.Badge{Text: c.T("connect_on"), Tone: "good"}, nil
	}
	return dash.Badge{}, nil
}
