package dashboard

import (
	"net/url"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/fault"
	"daybook/views/dash"
)

var setupSteps = []string{"You and your business", "Your hours", "What can be booked", "Live"}

func steps(at int) *dash.Steps { return &dash.Steps{Labels: setupSteps, At: at} }

func (d *Door) setupForm(c *call) error { return c.showSetup(nil, nil) }

// showSetup asks the first owner for themselves and, where there is no workspace yet, for their business.
func (c *call) showSetup(typed url.Values, e *fault.Error) error {
	there, err := c.door.Account.SetupLink(c.PathValue("token"))
	if err != nil {
		return err
	}
	groups := []dash.Group{{Title: "You", Inputs: []dash.Input{
		{Name: "email", Label: "Your e-mail", Kind: "email", Required: true, Autocomplete: "username", Focus: true},
		{Name: "password", Label: "A password", Kind: "new-password", Required: true, Hint: "At least 10 characters. A sentence is fine."},
	}}}
	v := dash.GatePage{
		Frame: c.frame("Welcome to Daybook", ""), Action: dash.SetupPath(c.PathValue("token")), Submit: "Continue",
	}
	if there != nil {
		v.Text = "You will own " + there.Name + "."
	} else {
		v.Steps, v.Text = steps(1), "Two minutes from here, people can book you."
		groups = append(groups, dash.Group{Title: "Your business", Inputs: []dash.Input{
			{Name: "name", Label: "Name", Required: true, Placeholder: "Salon Linden", Autocomplete: "organization", Data: "slug-from"},
			{Name: "slug", Label: "Address of your booking page", Required: true, Prefix: trimScheme(c.door.BaseURL()) + "/",
				Placeholder: "salon-linden", Data: "slug", Hint: "a–z, 0–9 and -"},
			{Name: "timeZone", Label: "Time zone", Kind: "zone", Required: true, Value: "Europe/Berlin", Half: true, Data: "zone"},
			{Name: "currency", Label: "Currency", Kind: "select", Options: currencies, Value: "EUR", Half: true},
		}})
	}
	v.Problem = fill(groups, typed, e)
	v.Groups = groups
	return c.show(refusedStatus(e), dash.Gate(v))
}

func (d *Door) setup(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	in := account.FirstInput{Email: form.Get("email"), Password: form.Get("password"), Agent: c.UserAgent()}
	in.Workspace = app.WorkspaceInput{
		Name: form.Get("name"), Slug: form.Get("slug"), TimeZone: form.Get("timeZone"), Currency: form.Get("currency"),
	}
	token, _, err := d.Account.TakeSetupLink(c.Context(), c.PathValue("token"), in)
	if e := refused(err); e != nil {
		return c.showSetup(form, e)
	}
	if err != nil {
		return err
	}
	c.signIn(token)
	if in.Workspace == (app.WorkspaceInput{}) {
		return c.redirect(dash.TodayPath, "") // a set-up file has said the rest
	}
	return c.redirect(dash.StartHoursPath, "")
}

func trimScheme(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	return u.Host + u.Path
}

var currencies = func() (all []dash.Option) {
	for _, code := range []string{"EUR", "USD", "GBP", "CHF", "AUD", "BRL", "CAD", "CNY", "CZK", "DKK", "HUF", "INR", "JPY", "KRW", "MXN", "NOK", "NZD", "PLN", "SEK", "SGD", "TRY", "ZAR"} {
		all = append(all, dash.Option{Value: code, Label: code})
	}
	return all
}()
