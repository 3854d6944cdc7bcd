package dashboard

import (
	"net/http"
	"net/url"
	"strings"

	"daybook/app/account"
	"daybook/app/fault"
	"daybook/app/serve"
	"daybook/views/dash"
)

func (d *Door) loginForm(c *call) error {
	if c.session.Hash != nil {
		return c.redirect(dash.TodayPath, "")
	}
	return c.showLogin(nil, nil)
}

func (c *call) showLogin(typed url.Values, e *fault.Error) error {
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "email", Label: "E-mail", Kind: "email", Required: true, Autocomplete: "username", Focus: true},
		{Name: "password", Label: "Password", Kind: "password", Required: true},
	}}}
	v := dash.GatePage{Frame: c.frame("Sign in", ""), Action: dash.LoginPath, Submit: "Sign in"}
	if next := safeNext(c.FormValue("next")); next != dash.TodayPath {
		v.Action += "?next=" + url.QueryEscape(next)
	}
	v.Problem = fill(groups, typed, e)
	v.Groups = groups
	return c.show(refusedStatus(e), dash.Gate(v))
}

// safeNext is a page of the dashboard to go on to, whatever the address says.
func safeNext(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, dash.TodayPath) || strings.ContainsAny(next, "\\\r\n") {
		return dash.TodayPath
	}
	return u.RequestURI()
}

func (d *Door) login(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	token, _, err := d.Account.SignIn(c.Context(), account.SignInInput{
		Email: form.Get("email"), Password: form.Get("password"), Address: c.address(), Agent: c.UserAgent(),
	})
	if e := refused(err); e != nil {
		return c.showLogin(form, e)
	}
	if err != nil {
		return err
	}
	if c.session.Hash != nil { // the session from before ends with its cookie
		if err := d.Account.SignOut(c.Context(), c.session, false); err != nil {
			return err
		}
	}
	c.signIn(token)
	return c.redirect(safeNext(c.URL.Query().Get("next")), "")
}

func (c *call) address() string {
	if a := serve.ClientIP(c.Context()); a.IsValid() {
		return a.String()
	}
	return c.RemoteAddr
}

func (d *Door) logout(c *call) error {
	if err := d.Account.SignOut(c.Context(), c.session, false); err != nil {
		return err
	}
	c.signOut()
	http.Redirect(c.ResponseWriter, c.Request, dash.LoginPath, http.StatusSeeOther)
	return nil
}

func (d *Door) logoutEverywhere(c *call) error {
	if err := d.Account.SignOut(c.Context(), c.session, true); err != nil {
		return err
	}
	c.signOut()
	return c.redirect(dash.LoginPath, "")
}
