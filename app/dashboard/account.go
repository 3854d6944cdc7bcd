package dashboard

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"daybook/app/dashboard/integrations"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views"
	"daybook/views/dash"
)

func (c call) account() error { return c.showAccount(nil) }

func (c call) showAccount(e *fault.Error) error {
	sessions, err := c.Subjects.Account.Sessions(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	v := dash.AccountPage{Frame: c.Frame(c.T("dash_account_title"), "account"), Language: c.languageInput(),
		Groups: []dash.Group{{Inputs: []dash.Input{
			{Name: "old", Label: c.T("dash_account_old"), Kind: "password", Required: true},
			{Name: "password", Label: c.T("dash_account_new"), Kind: "new-password", Required: true,
				Hint: c.T("dash_password_hint")},
		}}}}
	v.Problem = c.Fill(v.Groups, nil, e)
	if v.Push, err = c.devices(); err != nil {
		return err
	}
	if v.Grants, err = integrations.Grants(c.Call, dash.AccountPath); err != nil {
		return err
	}
	for _, s := range sessions {
		v.Sessions = append(v.Sessions, dash.SessionRow{
			Browser: c.browserName(s.Agent), Seen: c.T("dash_account_seen", "When", c.Ago(s.CreatedAt),
				"Seen", c.Ago(s.SeenAt)), Current: bytes.Equal(s.Hash, c.Session.Hash),
		})
	}
	return c.Show(web.RefusedStatus(e), dash.Account(v))
}

func (c call) changePassword() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	err = c.Subjects.Account.ChangePassword(c.Context(), c.Session, form.Get("old"), form.Get("password"))
	if e := web.Refused(err); e != nil {
		return c.showAccount(e)
	}
	if err != nil {
		return err
	}
	now, err := c.Subjects.Account.AnySession(c.Context(), c.Token()) // with the new password, which the browser is known by
	if err != nil {
		return err
	}
	c.KnowBrowser(&now.User)
	return c.Redirect(dash.AccountPath, "password")
}

// browserName returns a browser and its system in a few words, from its User-Agent.
func (c call) browserName(agent string) string {
	find := func(names ...string) string {
		for i := 0; i+1 < len(names); i += 2 {
			if strings.Contains(agent, names[i]) {
				return names[i+1]
			}
		}
		return ""
	}
	browser := find("Edg/", "Edge", "OPR/", "Opera", "Firefox/", "Firefox", "Chrome/", "Chrome", "Safari/", "Safari")
	system := find("iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "Windows", "Windows", "Mac OS", "macOS",
		"Linux", "Linux")
	switch {
	case browser == "":
		return c.T("dash_account_browser")
	case system == "":
		return browser
	}
	return c.T("dash_account_on", "Browser", browser, "System", system)
}

// language keeps the language that the member wants to read, and returns to the page that asked.
func (c call) language() error {
	if err := c.Subjects.Account.SetLocale(c.Context(), c.Session, c.PostFormValue("locale")); err != nil {
		return err
	}
	back, err := url.Parse(c.Referer())
	if err != nil || back.Host != c.Host {
		return c.Redirect(dash.AccountPath, "saved")
	}
	return c.Redirect(safeNext(back.RequestURI()), "")
}

func (c call) languageInput() dash.Input {
	in := dash.Input{Name: "locale", Label: c.T("dash_language_is"), Kind: "select", Value: c.Session.User.Locale,
		Hint: c.T("dash_language_hint"), Options: []dash.Option{{Label: c.T("dash_language_browser")}}}
	for _, l := range views.Locales {
		in.Options = append(in.Options, dash.Option{Value: l.Tag, Label: l.Name})
		if in.Value == l.Language() && in.Value != l.Tag { // as the menu names it
			in.Value = l.Tag
		}
	}
	return in
}

// theme sets light, dark or the system's colours for this browser.
func (c call) theme() error {
	value := c.PostFormValue("theme")
	age := 365 * 24 * 3600
	if value != "light" && value != "dark" {
		value, age = "", -1
	}
	http.SetCookie(c.ResponseWriter,
		&http.Cookie{Name: web.ThemeCookie, Value: value, Path: "/", HttpOnly: true, Secure: c.Secure,
			SameSite: http.SameSiteLaxMode, MaxAge: age})
	return c.Redirect(dash.AccountPath, "")
}
