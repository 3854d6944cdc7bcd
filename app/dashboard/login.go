package dashboard

import (
	"net/http"
	"net/url"
	"strings"

	"daybook/app/account"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/oauth"
	"daybook/views/dash"
)

// showGate answers with a page before the dashboard, and what was refused of it.
func (c call) showGate(e *fault.Error, v dash.GatePage) error {
	return c.Show(web.RefusedStatus(e), dash.Gate(v))
}

func (c call) loginForm() error {
	if c.Session.Hash != nil {
		return c.Redirect(dash.TodayPath, "")
	}
	return c.showLogin(nil, nil)
}

func (c call) showLogin(typed url.Values, e *fault.Error) error {
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "email", Label: c.T("dash_email"), Kind: "email", Required: true, Autocomplete: "username", Focus: true},
		{Name: "password", Label: c.T("dash_password"), Kind: "password", Required: true},
	}}}
	v := dash.GatePage{Frame: c.Frame(c.T("dash_sign_in"), ""), Action: dash.LoginPath, Submit: c.T("dash_sign_in")}
	next := safeNext(c.FormValue("next"))
	if next != dash.TodayPath {
		v.Action += "?next=" + url.QueryEscape(next)
	}
	if c.Subjects.Factor.Available() {
		v.Passkey = dash.PasskeyForm{Ask: dash.LoginPasskeyPath, Action: withNext(dash.LoginPasskeyPath+"/answer", next),
			Label: c.T("factor_sign_in_passkey"), Early: e == nil} // after a refusal it waits for the button
		groups[0].Inputs[0].Autocomplete = "username webauthn"
	}
	v.Problem = c.Fill(groups, typed, e)
	v.Groups = groups
	return c.showGate(e, v)
}

// safeNext returns the page of the dashboard to open after sign-in, or a program's request for access, whole. A next
// that is neither is ignored.
func safeNext(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, dash.TodayPath) &&
		u.Path != oauth.AuthorizePath ||
		strings.ContainsAny(next, "\\\r\n") {
		return dash.TodayPath
	}
	return u.RequestURI()
}

func (c call) login() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	before, err := c.Subjects.Account.AnySession(c.Context(), c.Token())
	if err != nil && !fault.Is(err, fault.Unauthorized) && !fault.Is(err, fault.Forbidden) { // of a suspended workspace
		return err
	}
	token, u, err := c.Subjects.Account.SignIn(c.Context(), account.SignInInput{
		Email: form.Get("email"), Password: form.Get("password"), Address: c.Address(), Agent: c.UserAgent(),
		Browser: c.Browser(),
	})
	if e := web.Refused(err); e != nil {
		return c.showLogin(form, e)
	}
	if err != nil {
		return err
	}
	if before.Hash != nil { // the previous session ends with its cookie
		if err := c.Subjects.Account.SignOut(c.Context(), before, false); err != nil {
			return err
		}
	}
	c.SignIn(token, &u)
	return c.Redirect(safeNext(c.URL.Query().Get("next")), "")
}

func (c call) logout() error {
	if c.Session.Hash != nil { // else it is of a suspended workspace, where it opens nothing
		if err := c.Subjects.Account.SignOut(c.Context(), c.Session, false); err != nil {
			return err
		}
	}
	c.SignOut()
	http.Redirect(c.ResponseWriter, c.Request, dash.LoginPath, http.StatusSeeOther)
	return nil
}

func (c call) logoutEverywhere() error {
	if err := c.Subjects.Account.SignOut(c.Context(), c.Session, true); err != nil {
		return err
	}
	c.SignOut()
	return c.Redirect(dash.LoginPath, "")
}
