package dashboard

import (
	"daybook/app/dashboard/web"
	"daybook/app/factor"
	"daybook/app/fault"
	"daybook/views/dash"
)

func (c call) security() error {
	if err := c.mayChange(); err != nil {
		return err
	}
	return c.showSecurity(nil)
}

// showSecurity is what the member signs in by. Without the rest of the dashboard it is what they must set up first.
func (c call) showSecurity(e *fault.Error) error {
	state, err := c.Subjects.Factor.Factors(c.Context(), c.who())
	if err != nil {
		return err
	}
	v := dash.SecurityPage{Frame: c.Frame(c.T("factor_title"), "account"), Alone: c.Session.Half(),
		Locked:    !factor.Recent(c.Session.ProvenAt, c.Subjects.Now()),
		Available: state.Available, HasApp: state.App != 0, HasCodes: state.Any(), Required: state.Required,
		Confirm: dash.ConfirmPath}
	if v.Alone {
		v.Frame = c.aloneFrame(c.T("factor_setup_title"))
	}
	if state.App != 0 {
		v.AppSince = c.T("factor_app_since", "When", c.Ago(state.App))
	}
	v.Codes = c.T("factor_codes_left", "Count", state.Codes)
	v.FewCodes = state.Codes < 3
	for i := range state.Passkeys {
		v.Passkeys = append(v.Passkeys, c.passkeyRow(&state.Passkeys[i], state.Host))
	}
	v.New = dash.PasskeyForm{Ask: dash.PasskeyAskPath, Action: dash.PasskeysPath, Label: c.T("factor_passkey_add"),
		Make: true}
	v.Name = dash.Input{Name: "name", Label: c.T("factor_passkey_name"), Required: true,
		Value: c.browserName(c.UserAgent()), Hint: c.T("factor_passkey_name_hint")}
	if e != nil {
		v.Problem = c.Sentence(e)
	}
	return c.Show(web.RefusedStatus(e), dash.Security(v))
}

func (c call) passkeyRow(p *factor.Passkey, host string) dash.PasskeyRow {
	id := p.ID.String()
	r := dash.PasskeyRow{ID: id, Name: p.Name, Used: c.T("factor_passkey_added", "When", c.Ago(p.MadeAt()))}
	if p.UsedAt != 0 {
		r.Used += " · " + c.T("factor_passkey_used", "When", c.Ago(p.UsedAt))
	}
	if p.Host != host {
		r.Elsewhere = c.T("factor_passkey_elsewhere", "Host", p.Host)
	}
	r.Rename = dash.Input{Name: "name", ID: "name-" + id, Label: c.T("factor_passkey_name"), Value: p.Name, Required: true}
	r.Remove = dash.Danger{Title: c.T("dash_remove_one", "Name", p.Name), Text: c.T("factor_passkey_remove_text"),
		Action: dash.PasskeyRemovePath(id), Submit: c.T("factor_remove")}
	return r
}

// after shows the page again where something was refused, and returns to it where not.
func (c call) after(err error, said string) error {
	e, done, err := c.again(err)
	if done {
		return err
	}
	if e != nil {
		return c.showSecurity(e)
	}
	return c.Redirect(dash.SecurityPath, said)
}

func (c call) appForm() error {
	if err := c.mayChange(); err != nil {
		return err
	}
	if !factor.Recent(c.Session.ProvenAt, c.Subjects.Now()) {
		return c.Redirect(withNext(dash.ConfirmPath, dash.AppPath), "")
	}
	app, err := c.Subjects.Factor.BeginApp(c.Context(), c.who())
	if err != nil {
		return err
	}
	return c.showApp(app, nil)
}

func (c call) showApp(app factor.NewApp, e *fault.Error) error {
	v := dash.AppPage{Frame: c.Frame(c.T("factor_app_title"), "account"), Alone: c.Session.Half(), Token: app.Token,
		Secret: app.Secret, Grouped: grouped(app.Secret), URI: app.URI}
	if v.Alone {
		v.Frame = c.aloneFrame(v.Title)
	}
	groups := []dash.Group{{Inputs: []dash.Input{{Name: "code", Label: c.T("factor_app_code"), Required: true,
		Autocomplete: "one-time-code", Hint: c.T("factor_app_code_hint")}}}}
	v.Problem = c.Fill(groups, nil, e)
	v.Groups = groups
	return c.Show(web.RefusedStatus(e), dash.App(v))
}

// grouped writes a secret in fours, for who types it.
func grouped(secret string) (text string) {
	for i := 0; i < len(secret); i += 4 {
		if i > 0 {
			text += " "
		}
		text += secret[i:min(i+4, len(secret))]
	}
	return text
}

func (c call) addApp() error {
	if err := c.mayChange(); err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	codes, err := c.Subjects.Factor.AddApp(c.Context(), c.who(), form.Get("token"), form.Get("code"))
	e, done, err := c.again(err)
	if done {
		return err
	}
	if e == nil {
		return c.added(codes)
	}
	if app, err := c.Subjects.Factor.AppAgain(c.Context(), c.who(), form.Get("token")); err == nil {
		return c.showApp(app, e)
	}
	return c.showSecurity(e)
}

// added shows the recovery codes that came with a first factor.
func (c call) added(codes []string) error {
	if codes == nil {
		return c.Redirect(dash.SecurityPath, "factor-added")
	}
	return c.showCodes(codes)
}

func (c call) showCodes(codes []string) error {
	v := dash.CodesPage{Frame: c.Frame(c.T("factor_codes_title"), "account"), Codes: codes, Next: dash.SecurityPath,
		Alone: c.Session.Half(), File: c.Setup.Workspace.Slug + "-" + c.T("factor_codes_file") + ".txt"}
	if v.Alone {
		v.Frame, v.Next = c.aloneFrame(v.Title), dash.TodayPath
	}
	return c.Show(200, dash.Codes(v))
}

func (c call) removeApp() error {
	return c.after(c.Subjects.Factor.RemoveApp(c.Context(), c.who()), "removed")
}

func (c call) newCodes() error {
	codes, err := c.Subjects.Factor.NewCodes(c.Context(), c.who())
	e, done, err := c.again(err)
	if done {
		return err
	}
	if e != nil {
		return c.showSecurity(e)
	}
	return c.showCodes(codes)
}

func (c call) askPasskey() error {
	if err := c.mayChange(); err != nil {
		return err
	}
	return c.ask(c.Subjects.Factor.BeginPasskey(c.Context(), c.who()))
}

func (c call) addPasskey() error {
	if err := c.mayChange(); err != nil {
		return err
	}
	token, answer, err := c.answer()
	if err != nil {
		return err
	}
	codes, err := c.Subjects.Factor.AddPasskey(c.Context(), c.who(), token, c.PostFormValue("name"), answer)
	e, done, err := c.again(err)
	if done {
		return err
	}
	if e != nil {
		return c.showSecurity(e)
	}
	return c.added(codes)
}

func (c call) renamePasskey() error {
	return c.after(c.Subjects.Factor.RenamePasskey(c.Context(), c.who(), c.PathValue("id"), c.PostFormValue("name")), "saved")
}

func (c call) removePasskey() error {
	return c.after(c.Subjects.Factor.RemovePasskey(c.Context(), c.who(), c.PathValue("id")), "removed")
}
