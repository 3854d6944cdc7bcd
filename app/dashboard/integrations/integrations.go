package integrations

import (
	"daybook/app"
	"daybook/views/dash"
)

// integration is an outside service that bookings are connected with: a tab, and a row of the overview.
type integration struct {
	label, url, text string
	needs            app.Command
}

var integrations = []integration{
	{"Calendars", dash.FeedsPath, "See the bookings in Google Calendar, Apple Calendar or Outlook.", app.MayManageFeeds},
	{"Mail", dash.MailPath, "The server that sends confirmations and reminders, and what was sent.", app.MayManageMails},
	{"Payments", dash.PaymentsPath, "Take prices and no-show fees with your own Stripe account.", app.MayManagePayments},
	{"Website", dash.EmbedPath, "Show the booking page on your own website.", app.MayManageWorkspace},
	{"Developers", dash.KeysPath, "API keys, webhooks and agents.", app.MaySeeEndpoints},
}

// integrationTabs are the tabs that the role may see; at is the path of the current one.
func (c call) integrationTabs(at string) []dash.Tab {
	tabs := []dash.Tab{{Label: "Overview", URL: dash.IntegrationsPath, Current: at == dash.IntegrationsPath}}
	for _, i := range integrations {
		if c.May(i.needs) {
			tabs = append(tabs, dash.Tab{Label: i.label, URL: i.url, Current: i.url == at})
		}
	}
	return tabs
}

// integrationFrame is the part that the pages of integrations share with those of the settings.
func (c call) integrationFrame(title, at string) dash.SettingsFrame {
	return dash.SettingsFrame{Frame: c.Frame(title, "integrations"), Heading: "Integrations", Tabs: c.integrationTabs(at)}
}

func (c call) integrations() error {
	v := dash.SettingsListsPage{}
	v.SettingsFrame = c.integrationFrame("Integrations", dash.IntegrationsPath)
	list := dash.SettingsList{Title: "Connect your bookings"}
	for _, i := range integrations {
		if c.May(i.needs) {
			state, err := c.integrationState(i.url)
			if err != nil {
				return err
			}
			list.Rows = append(list.Rows,
				dash.SettingsRow{Title: i.label, Text: i.text, State: state, URL: i.url, URLLabel: "Open"})
		}
	}
	v.Lists = []dash.SettingsList{list}
	return c.Show(200, dash.SettingsLists(v))
}

// integrationState says of mail and payments, which work only once they are set up, whether they are.
func (c call) integrationState(path string) (dash.Badge, error) {
	switch path {
	case dash.MailPath:
		route, err := c.Rooms.Mail.MailRoute(c.Context(), c.Actor.Workspace)
		if err != nil { // its page says what is wrong
			return dash.Badge{Text: "Doesn't work", Tone: "warn"}, nil
		}
		if route == nil {
			return dash.Badge{Text: "Not set up", Tone: "warn"}, nil
		}
		return dash.Badge{Text: "Set up", Tone: "good"}, nil
	case dash.PaymentsPath:
		is, err := c.Rooms.Payment.Connection(c.Context(), c.Actor, false)
		if err != nil || !is.Connected {
			return dash.Badge{Text: "Not connected"}, err
		}
		return dash.Badge{Text: "Connected", Tone: "good"}, nil
	}
	return dash.Badge{}, nil
}
