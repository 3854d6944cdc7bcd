package integrations

import (
	"net/url"

	"daybook/app"
	"daybook/app/calsync"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// clientSteps are the messages that say how a client is made.
var clientSteps = map[calsync.Kind][]string{
	calsync.Google: {"calsync_client_google_1", "calsync_client_google_2", "calsync_client_google_3",
		"calsync_client_google_4"},
	calsync.Microsoft: {"calsync_client_microsoft_1", "calsync_client_microsoft_2", "calsync_client_microsoft_3",
		"calsync_client_microsoft_4"},
}

// clients lists the clients at Google and Microsoft, for those who may change them.
func (c call) clients() (dash.SettingsList, error) {
	list := dash.SettingsList{Title: c.T("calsync_clients"), Text: c.T("calsync_clients_text")}
	if !c.May(app.MayManageWorkspace) {
		return list, nil
	}
	all, err := c.Subjects.Calendars.CalendarClients(c.Context(), c.Actor)
	for i := range all {
		row := c.clientRow(&all[i])
		row.URL, row.URLLabel = dash.CalendarsClientPath(string(all[i].Kind)), c.T("calsync_open")
		if all[i].ID == "" {
			row.URLLabel = c.T("calsync_client_set")
		}
		list.Rows = append(list.Rows, row)
	}
	return list, err
}

// clientRow says which client is used at a provider.
func (c call) clientRow(x *calsync.ClientView) dash.SettingsRow {
	row := dash.SettingsRow{Title: signInNames[x.Kind], Text: c.T("calsync_client_none"),
		State: dash.Badge{Text: c.T("connect_not_set_up")}}
	if x.ID != "" {
		row.Text, row.State = c.T("calsync_client_own", "ID", x.ID), dash.Badge{Text: c.T("connect_set_up"), Tone: "good"}
	}
	if x.Server {
		row.Text = c.T("calsync_client_server")
	}
	return row
}

// client shows the business's own client at a provider: how it is made, and the form for it.
func (c call) client() error {
	kind, err := c.signInKind()
	if err != nil {
		return err
	}
	return c.showClient(kind, nil, nil)
}

// showClient never shows the secret, typed or saved.
func (c call) showClient(kind calsync.Kind, typed url.Values, e *fault.Error) error {
	all, err := c.Subjects.Calendars.CalendarClients(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	var x calsync.ClientView
	for i := range all {
		if all[i].Kind == kind {
			x = all[i]
		}
	}
	own, path := x.ID != "" && !x.Server, dash.CalendarsClientPath(string(kind))
	row := c.clientRow(&x)
	if row.Small, err = c.signedInText(kind); err != nil {
		return err
	}
	if own {
		row.Actions = []dash.Danger{{Title: c.T("calsync_client_end"), Text: c.T("calsync_client_end_text"),
			Action: path + "/remove", Submit: c.T("calsync_client_end")}}
	}
	made := dash.SettingsList{Title: c.T("calsync_client_steps")}
	steps := clientSteps[kind]
	for i, key := range steps {
		row := dash.SettingsRow{Title: c.T("dash_step_of", "At", i+1, "All", len(steps)), Text: c.T(key)}
		if key == "calsync_client_google_3" || key == "calsync_client_microsoft_2" {
			row.Copy, row.CopyLabel = x.Redirect, c.T("calsync_client_redirect")
		}
		made.Rows = append(made.Rows, row)
	}
	g := dash.Group{Title: c.T("calsync_client_form"), Inputs: []dash.Input{
		{Name: "id", Label: c.T("calsync_client_id"), Required: true},
		{Name: "secret", Label: c.T("calsync_client_secret"), Kind: "new-password", Required: !own,
			Hint: c.T("calsync_client_secret_hint")},
	}}
	if own {
		g.Inputs[0].Hint, g.Inputs[1].Hint = c.T("calsync_client_id_hint"), c.T("calsync_client_secret_kept")
	}
	if kind == calsync.Microsoft {
		g.Inputs[0].Label = c.T("calsync_client_id_microsoft")
		g.Inputs = append(g.Inputs, dash.Input{Name: "tenant", Label: c.T("calsync_client_tenant"),
			Hint: c.T("calsync_client_tenant_hint")})
	}
	if typed == nil && own {
		typed = url.Values{"id": {x.ID}, "tenant": {x.Tenant}}
	}
	v := dash.SettingsListsPage{}
	v.SettingsFrame, v.Action = c.integrationFrame(signInNames[kind], dash.CalendarsPath), path
	v.First = []dash.SettingsList{{Title: c.T("connect_connection"), Rows: []dash.SettingsRow{row}}, made}
	v.Groups = []dash.Group{g}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.SettingsLists(v))
}

// signedInText says how many accounts are connected by signing in at a provider; "" for none.
func (c call) signedInText(kind calsync.Kind) (string, error) {
	all, err := c.Subjects.Calendars.CalendarConnections(c.Context(), c.Actor)
	n := 0
	for i := range all {
		if all[i].Kind == kind {
			n++
		}
	}
	if n == 0 || err != nil {
		return "", err
	}
	return c.T("calsync_client_used", "Count", n), nil
}

func (c call) saveClient() error {
	kind, err := c.signInKind()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	err = c.Subjects.Calendars.SetCalendarClient(c.Context(), c.Actor, calsync.Client{Kind: kind, ID: form.Get("id"),
		Secret: form.Get("secret"), Tenant: form.Get("tenant")})
	if e := web.Refused(err); e != nil {
		form.Del("secret")
		return c.showClient(kind, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.CalendarsClientPath(string(kind)), "saved")
}

func (c call) removeClient() error {
	kind, err := c.signInKind()
	if err != nil {
		return err
	}
	if err := c.Subjects.Calendars.RemoveCalendarClient(c.Context(), c.Actor, kind); err != nil {
		return err
	}
	return c.Redirect(dash.CalendarsClientPath(string(kind)), "removed")
}
