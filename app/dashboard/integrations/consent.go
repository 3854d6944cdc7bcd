package integrations

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/app/oauth"
	"daybook/views/dash"
)

// What the scopes let a program do, as the page asks it and as lists have it.
var (
	mayBe = map[oauth.Scope]string{oauth.ReadScope: "oauth_may_read", oauth.WriteScope: "oauth_may_write",
		oauth.DeskScope: "oauth_may_desk", oauth.SettingsScope: "oauth_may_settings"}
	may = map[oauth.Scope]string{oauth.ReadScope: "oauth_reads", oauth.WriteScope: "oauth_writes",
		oauth.DeskScope: "oauth_desk", oauth.SettingsScope: "oauth_settings"}
)

// consent asks the member whether a program may use the agent tools for them. It is asked for every request: nothing
// that a program says of itself is checked, so that one that was allowed before need not be the same (RFC 6749 §10.2,
// RFC 8252 §8.6).
func (c call) consent() error {
	ask, err := c.Subjects.OAuth.AskConsent(c.Context(), c.Actor, c.URL.Query())
	if wrong := (*oauth.Error)(nil); errors.As(err, &wrong) {
		return c.refuseProgram(wrong)
	}
	if err != nil {
		return err
	}
	title := c.T("oauth_title", "Workspace", c.Setup.Workspace.Name)
	v := dash.ConsentPage{Frame: c.Frame(title, ""), Action: c.URL.RequestURI(), Name: ask.Client.Name,
		Where: ask.Target.Host, Here: c.T("oauth_to_site"),
		Account: c.Session.User.Email + " · " + c.RoleName(c.Actor.Role),
		Until:   c.T("oauth_until_day", "Day", c.Locale.Date(c.At(ask.EndsAt)))}
	switch {
	case ask.Target.App != "":
		v.Where, v.Here = ask.Target.App+":", c.T("oauth_to_app")
	case ask.Target.Here:
		v.Here = c.T("oauth_to_device")
	}
	if v.Name == "" {
		v.Name = c.T("oauth_nameless")
	}
	for _, s := range oauth.Scopes {
		if ask.Most.Includes(s) {
			v.Scopes = append(v.Scopes, dash.Option{Value: string(s), Label: c.T(mayBe[s])})
		}
	}
	if ask.Client.Document != "" {
		v.Document = web.HostOf(ask.Client.Document)
	}
	c.allowForm(ask.Redirect)
	return c.Show(http.StatusOK, dash.Consent(v))
}

// allowForm lets the page's form lead to the program: browsers hold the redirect that answers a form against
// form-action too.
func (c call) allowForm(redirect string) {
	u, err := url.Parse(redirect)
	if err != nil {
		return
	}
	to := u.Scheme + ":"
	if u.Scheme == "https" || u.Scheme == "http" {
		to += "//" + u.Host
	}
	if strings.ContainsAny(to, " ;,'\"") { // it would be more than one word of the policy
		return
	}
	h := c.Header()
	h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "form-action 'self'",
		"form-action 'self' "+to, 1))
}

// refuseProgram says that a program's request is wrong. The browser does not go to the program by itself, since anybody
// may have registered it with any address (RFC 9700 §4.11.2): where there is an address that is the program's, a link
// leads there.
func (c call) refuseProgram(wrong *oauth.Error) error {
	text := c.T("oauth_wrong_text")
	if wrong.Code == oauth.InvalidClient {
		text = c.T("oauth_unknown_text")
	}
	page := dash.NoticePage{Frame: c.Frame(c.T("oauth_wrong_title"), ""), Text: text + " (" + wrong.Text + ")",
		URL: dash.TodayPath, Label: c.T("dash_back_dashboard")}
	if wrong.Redirect != "" {
		to := oauth.TargetOf(wrong.Redirect)
		page.Second, page.SecondL = wrong.Redirect, c.T("oauth_back", "Where", to.Host)
		if to.App != "" {
			page.SecondL = c.T("oauth_back", "Where", to.App+":")
		}
	}
	return c.Show(http.StatusBadRequest, dash.Notice(page))
}

// decideConsent carries out the member's answer. Anything but a clear yes is a no.
func (c call) decideConsent() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	to, err := c.Subjects.OAuth.Consent(c.Context(), c.Actor, c.URL.Query(),
		oauth.Consent{Allow: form.Get("do") == "allow", Scope: oauth.Scope(form.Get("scope"))})
	if wrong := (*oauth.Error)(nil); errors.As(err, &wrong) {
		return c.refuseProgram(wrong)
	}
	if err != nil {
		return err
	}
	c.allowForm(to)
	c.Header().Set("Location", to) // as it is: http.Redirect would write it anew
	c.WriteHeader(http.StatusSeeOther)
	return nil
}

// Grants returns the rows of what members allowed programs: everybody's for those who manage API keys, else the
// member's own. Only the member's own are wanted on the page of their account. at is the page that shows them.
func Grants(c *web.Call, at string) (rows []dash.GrantRow, err error) {
	all, err := c.Subjects.OAuth.Grants(c.Context(), c.Actor)
	if err != nil {
		return nil, err
	}
	for i := range all {
		g := &all[i]
		if at == dash.AccountPath && g.Member.ID != c.Actor.User {
			continue
		}
		to := oauth.TargetOf(g.Redirect)
		r := dash.GrantRow{Name: g.Name, Where: to.Host, Who: g.Email, Scope: c.T(may[g.Scope]),
			Used:  c.T("connect_key_used", "When", c.Ago(g.LastUsedAt)),
			Until: c.T("oauth_ends", "Day", c.Day(c.At(g.EndsAt)))}
		if to.App != "" {
			r.Where = to.App + ":"
		}
		if r.Name == "" {
			r.Name = c.T("oauth_nameless")
		}
		if at == dash.AccountPath {
			r.Who = ""
		}
		r.End = dash.Danger{Title: c.T("oauth_end"), Text: c.T("oauth_end_text", "Name", r.Name),
			Action: dash.GrantEndPath(g.ID.String(), at), Submit: c.T("oauth_end")}
		rows = append(rows, r)
	}
	return rows, nil
}

func (c call) endGrant() error {
	if _, err := c.Subjects.OAuth.EndGrant(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	if c.May(app.MayManageKeys) && c.URL.Query().Get("at") != dash.AccountPath {
		return c.Redirect(dash.KeysPath, "disconnected")
	}
	return c.Redirect(dash.AccountPath, "disconnected")
}
