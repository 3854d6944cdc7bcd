package dashboard

import (
	"net/url"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

var setupSteps = []string{"You and your business", "Your hours", "What can be booked", "Live"}

func steps(at int) *dash.Steps { return &dash.Steps{Labels: setupSteps, At: at} }

func (c call) setupForm() error { return c.showSetup(nil, nil) }

// showSetup asks the first owner for a name, address and password and, if there is no workspace yet, about the
// business.
func (c call) showSetup(typed url.Values, e *fault.Error) error {
	there, err := c.Rooms.Account.SetupLink(c.Context(), c.PathValue("token"))
	if err != nil {
		return err
	}
	groups := []dash.Group{{Title: "You", Inputs: []dash.Input{
		{Name: "email", Label: "Your e-mail", Kind: "email", Required: true, Autocomplete: "username", Focus: true},
		{Name: "password", Label: "A password", Kind: "new-password", Required: true,
			Hint: "At least 10 characters. A sentence is fine."},
	}}}
	v := dash.GatePage{
		Frame: c.Frame("Welcome to Daybook", ""), Action: dash.SetupPath(c.PathValue("token")), Submit: "Continue",
	}
	if there != nil {
		v.Text = "You will own " + there.Name + "."
	} else {
		v.Steps, v.Text = steps(1), "Two minutes from here, people can book you."
		groups = append(groups, dash.Group{Title: "Your business", Inputs: []dash.Input{
			{Name: "name", Label: "Name", Required: true, Placeholder: "Salon Linden", Autocomplete: "organization",
				Data: "slug-from"},
			{Name: "slug", Label: "Address of your booking page", Required: true,
				Prefix:      web.TrimScheme(c.Rooms.BaseURL()) + "/",
				Placeholder: "salon-linden", Data: "slug", Hint: "a–z, 0–9 and -"},
			{Name: "timeZone", Label: "Time zone", Kind: "zone", Required: true, Value: "Europe/Berlin", Half: true,
				Data: "zone"},
			{Name: "currency", Label: "Currency", Kind: "select", Options: web.Currencies, Value: "EUR", Half: true},
		}})
	}
	v.Problem = web.Fill(groups, typed, e)
	v.Groups = groups
	return c.Show(web.RefusedStatus(e), dash.Gate(v))
}

func (c call) takeSetup() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	in := account.FirstInput{Email: form.Get("email"), Password: form.Get("password"), Agent: c.UserAgent()}
	in.Workspace = app.WorkspaceInput{
		Name: form.Get("name"), Slug: form.Get("slug"), TimeZone: form.Get("timeZone"), Currency: form.Get("currency"),
	}
	token, _, err := c.Rooms.Account.TakeSetupLink(c.Context(), c.PathValue("token"), in)
	if e := web.Refused(err); e != nil {
		return c.showSetup(form, e)
	}
	if err != nil {
		return err
	}
	c.SignIn(token)
	if in.Workspace == (app.WorkspaceInput{}) {
		return c.Redirect(dash.TodayPath, "") // the set-up file has everything else
	}
	return c.Redirect(dash.StartHoursPath, "")
}
