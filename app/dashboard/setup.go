package dashboard

import (
	"net/url"

	"daybook/app/account"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

func (c call) steps(at int) *dash.Steps {
	return &dash.Steps{At: at, Labels: []string{c.T("dash_setup_step_you"), c.T("dash_setup_step_hours"),
		c.T("dash_setup_step_what"), c.T("trade_step_shop"), c.T("dash_setup_step_live")}}
}

func (c call) setupForm() error { return c.showSetup(nil, nil) }

// showSetup asks the first owner for a name, address and password and, if there is no workspace yet, about the
// business.
func (c call) showSetup(typed url.Values, e *fault.Error) error {
	there, err := c.Subjects.Account.SetupLink(c.Context(), c.PathValue("token"))
	if err != nil {
		return err
	}
	groups := []dash.Group{{Title: c.T("dash_setup_you"), Inputs: []dash.Input{
		{Name: "email", Label: c.T("dash_setup_email"), Kind: "email", Required: true, Autocomplete: "username",
			Focus: true},
		{Name: "password", Label: c.T("dash_setup_password"), Kind: "new-password", Required: true,
			Hint: c.T("dash_password_hint")},
	}}}
	v := dash.GatePage{
		Frame: c.Frame(c.T("dash_setup_welcome"), ""), Action: dash.SetupPath(c.PathValue("token")),
		Submit: c.T("dash_continue"),
	}
	if there != nil {
		v.Text = c.T("dash_setup_owner", "Name", there.Name)
	} else {
		v.Steps, v.Text = c.steps(1), c.T("dash_setup_minutes")
		groups = append(groups, dash.Group{Title: c.T("dash_setup_business"), Inputs: []dash.Input{
			{Name: "name", Label: c.T("dash_name"), Required: true, Placeholder: "Salon Linden",
				Autocomplete: "organization",
				Data:         "slug-from"},
			{Name: "slug", Label: c.T("dash_setup_slug"), Required: true,
				Prefix:      web.TrimScheme(c.Subjects.BaseURL()) + "/",
				Placeholder: "salon-linden", Data: "slug", Hint: c.T("dash_slug_hint")},
			{Name: "timeZone", Label: c.T("dash_time_zone"), Kind: "zone", Required: true, Value: "Europe/Berlin",
				Half: true,
				Data: "zone"},
			{Name: "currency", Label: c.T("dash_currency"), Kind: "select", Options: web.Currencies, Value: "EUR",
				Half: true},
			{Name: "assistants", Label: c.T("guest_switch"), Kind: "check", Hint: c.T("guest_switch_hint")},
		}})
	}
	v.Problem = c.Fill(groups, typed, e)
	v.Groups = groups
	return c.showGate(e, v)
}

func (c call) takeSetup() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	in := account.FirstInput{Email: form.Get("email"), Password: form.Get("password"), Agent: c.UserAgent()}
	in.Workspace = catalog.WorkspaceInput{
		Name: form.Get("name"), Slug: form.Get("slug"), TimeZone: form.Get("timeZone"),
		Currency: form.Get("currency"), AssistantsMayBook: form.Get("assistants") == "on",
	}
	token, u, err := c.Subjects.Account.TakeSetupLink(c.Context(), c.PathValue("token"), in)
	if e := web.Refused(err); e != nil {
		return c.showSetup(form, e)
	}
	if err != nil {
		return err
	}
	c.SignIn(token, &u)
	if in.Workspace == (catalog.WorkspaceInput{}) {
		return c.Redirect(dash.TodayPath, "") // the set-up file has everything else
	}
	return c.Redirect(dash.StartHoursPath, "")
}
