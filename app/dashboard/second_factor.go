package dashboard

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"

	"daybook/app/dashboard/web"
	"daybook/app/factor"
	"daybook/app/fault"
	"daybook/views/dash"
)

// who returns the member of the session, whole or half.
func (c call) who() factor.Who { return factor.Who{User: c.Session.User, Session: c.Session.Hash} }

// withNext leads on to another page of the dashboard.
func withNext(path, next string) string {
	if next == "" || next == dash.TodayPath {
		return path
	}
	return path + "?next=" + url.QueryEscape(next)
}

func (c call) next() string { return safeNext(c.URL.Query().Get("next")) }

// ask answers with what the browser is to do with a passkey.
func (c call) ask(q factor.Asked, err error) error {
	if e := fault.As(err); e != nil {
		c.Header().Set("Content-Type", "text/plain; charset=utf-8")
		c.WriteHeader(web.StatusOf(e.Code))
		_, err := c.ResponseWriter.Write([]byte(c.Sentence(e)))
		return err
	}
	if err != nil {
		return err
	}
	c.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(c.ResponseWriter).Encode(q)
}

func (c call) askSignIn() error {
	from, err := netip.ParseAddr(c.Address())
	if err != nil {
		from = netip.IPv6Unspecified()
	}
	return c.ask(c.Subjects.Factor.BeginSignIn(c.Context(), from))
}

// answer returns what the browser did with a passkey.
func (c call) answer() (token string, answer []byte, err error) {
	form, err := c.Posted()
	return form.Get("token"), []byte(form.Get("answer")), err
}

func (c call) signInByPasskey() error {
	question, answer, err := c.answer()
	if err != nil {
		return err
	}
	before, err := c.Subjects.Account.AnySession(c.Context(), c.Token())
	if err != nil && !fault.Is(err, fault.Unauthorized) && !fault.Is(err, fault.Forbidden) { // of a suspended workspace
		return err
	}
	token, u, err := c.Subjects.Factor.SignIn(c.Context(), question, answer, c.UserAgent())
	if e := web.Refused(err); e != nil {
		return c.showLogin(nil, e)
	}
	if err != nil {
		return err
	}
	if before.Hash != nil {
		if err := c.Subjects.Account.SignOut(c.Context(), before, false); err != nil {
			return err
		}
	}
	c.SignIn(token, &u)
	return c.Redirect(c.next(), "")
}

func (c call) secondForm() error {
	if !c.Session.Half() {
		return c.Redirect(c.next(), "")
	}
	if !c.Session.HasFactor {
		return c.Redirect(withNext(dash.SecurityPath, c.next()), "")
	}
	return c.showSecond(nil)
}

// showSecond asks for the second factor of a member who gave their password.
func (c call) showSecond(e *fault.Error) error {
	if !factor.Recent(c.Session.ProvenAt, c.Subjects.Now()) { // the password was long ago
		return c.startAgain()
	}
	v := dash.GatePage{Frame: c.aloneFrame(c.T("factor_second_title")), Text: c.T("factor_second_text"),
		Action: withNext(dash.SecondPath, c.next()), Submit: c.T("factor_continue"), Leave: true}
	groups := []dash.Group{{Inputs: []dash.Input{c.codeInput(true)}}}
	state, err := c.Subjects.Factor.Factors(c.Context(), c.who())
	if err != nil {
		return err
	}
	if state.Available && len(state.Passkeys) > 0 {
		v.Passkey = dash.PasskeyForm{Ask: dash.SecondPasskeyPath, Label: c.T("factor_use_passkey"),
			Action: withNext(dash.SecondPasskeyPath+"/answer", c.next())}
	}
	v.Problem = c.Fill(groups, nil, e)
	v.Groups = groups
	return c.showGate(e, v)
}

// startAgain ends a half session whose password was given long ago.
func (c call) startAgain() error {
	if err := c.Subjects.Account.SignOut(c.Context(), c.Session, false); err != nil {
		return err
	}
	c.SignOut()
	return c.Redirect(withNext(dash.LoginPath, c.next()), "")
}

func (c call) codeInput(focus bool) dash.Input {
	return dash.Input{Name: "code", Label: c.T("factor_code"), Required: true, Autocomplete: "one-time-code",
		Hint: c.T("factor_code_hint"), Focus: focus}
}

// aloneFrame returns the frame of a page without the dashboard around it.
func (c call) aloneFrame(title string) dash.Frame {
	f := c.Frame(title, "")
	f.Nav, f.NewURL = nil, ""
	return f
}

func (c call) second() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	if c.Session.HasFactor {
		err = c.Subjects.Factor.ShowCode(c.Context(), c.who(), form.Get("code"), false)
	}
	return c.afterSecond(err)
}

// afterSecond goes on once the factor was shown.
func (c call) afterSecond(err error) error {
	e := web.Refused(err)
	if e != nil && e.Reason == "sign_in_again" {
		return c.startAgain()
	}
	if e != nil {
		return c.showSecond(e)
	}
	if err != nil {
		return err
	}
	c.KnowBrowser(&c.Session.User)
	return c.Redirect(c.next(), "")
}

func (c call) askSecond() error {
	return c.ask(c.Subjects.Factor.BeginShow(c.Context(), c.who(), false))
}

func (c call) secondByPasskey() error {
	token, answer, err := c.answer()
	if err != nil {
		return err
	}
	return c.afterSecond(c.Subjects.Factor.ShowPasskey(c.Context(), c.who(), token, answer))
}

// mayChange refuses who has a second factor and has not shown it: they are led to the page that asks for it. Who has
// none, and needs one, sets it up.
func (c call) mayChange() error {
	if c.Session.Half() && c.Session.HasFactor {
		return &halfSession{true}
	}
	return nil
}

func (c call) confirmForm() error {
	if err := c.mayChange(); err != nil {
		return err
	}
	return c.showConfirm(nil)
}

// showConfirm has the member sign in again, before they change what they sign in by.
func (c call) showConfirm(e *fault.Error) error {
	v := dash.GatePage{Frame: c.aloneFrame(c.T("factor_confirm_title")), Text: c.T("factor_confirm_text"),
		Action: withNext(dash.ConfirmPath, c.back()), Submit: c.T("factor_continue"), SkipURL: dash.SecurityPath,
		SkipLabel: c.T("factor_cancel")}
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "old", Label: c.T("dash_password"), Kind: "password", Required: true, Focus: true}}}}
	state, err := c.Subjects.Factor.Factors(c.Context(), c.who())
	if err != nil {
		return err
	}
	if state.Any() {
		groups[0].Inputs = append(groups[0].Inputs, c.codeInput(false))
	}
	if state.Available && len(state.Passkeys) > 0 {
		v.Passkey = dash.PasskeyForm{Ask: dash.ConfirmPasskeyPath, Label: c.T("factor_use_passkey"),
			Action: withNext(dash.ConfirmPasskeyPath+"/answer", c.back())}
	}
	v.Problem = c.Fill(groups, nil, e)
	v.Groups = groups
	return c.showGate(e, v)
}

// back returns the page that asked for the confirmation.
func (c call) back() string {
	if c.URL.Query().Get("next") == "" {
		return dash.SecurityPath
	}
	return c.next()
}

func (c call) confirm() error {
	if err := c.mayChange(); err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	check := func() error { return c.Subjects.Account.ProvePassword(c.Context(), c.Session, form.Get("old")) }
	return c.afterConfirm(c.Subjects.Factor.Confirm(c.Context(), c.who(), check, form.Get("code")))
}

func (c call) afterConfirm(err error) error {
	if e := web.Refused(err); e != nil {
		return c.showConfirm(e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(c.back(), "")
}

func (c call) askConfirm() error {
	if err := c.mayChange(); err != nil {
		return err
	}
	return c.ask(c.Subjects.Factor.BeginShow(c.Context(), c.who(), true))
}

func (c call) confirmByPasskey() error {
	if err := c.mayChange(); err != nil {
		return err
	}
	token, answer, err := c.answer()
	if err != nil {
		return err
	}
	return c.afterConfirm(c.Subjects.Factor.ShowPasskey(c.Context(), c.who(), token, answer))
}

// again leads to the page that asks for the password, when the member signed in too long ago.
func (c call) again(err error) (e *fault.Error, done bool, out error) {
	e = web.Refused(err)
	if e != nil && e.Reason == "sign_in_again" {
		http.Redirect(c.ResponseWriter, c.Request, dash.ConfirmPath, http.StatusSeeOther)
		return nil, true, nil
	}
	if e == nil && err != nil {
		return nil, true, err
	}
	return e, false, nil
}
