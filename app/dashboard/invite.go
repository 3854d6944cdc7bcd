package dashboard

import (
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

func (c call) inviteForm() error { return c.showInvite(nil) }

func (c call) showInvite(e *fault.Error) error {
	u, err := c.Subjects.Account.InvitationOf(c.Context(), c.PathValue("token"))
	if err != nil {
		return err
	}
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "email", Label: c.T("dash_email"), Kind: "email", Value: u.Email, Fixed: true,
			Autocomplete: "username",
			Hint:         c.T("dash_invite_hint")},
		{Name: "password", Label: c.T("dash_invite_password"), Kind: "new-password", Required: true,
			Hint: c.T("dash_password_hint"), Focus: true},
	}}}
	w, err := c.Subjects.WorkspaceBySlug(c.Context(), u.Workspace)
	if err != nil {
		return err
	}
	v := dash.GatePage{Frame: c.Frame(c.T("dash_invite_title", "Name", w.Name), ""),
		Action: dash.InvitePath(c.PathValue("token")), Submit: c.T("dash_invite_join"),
		Text: c.T("dash_invite_as", "Role", c.RoleName(u.Role))}
	v.Problem = c.Fill(groups, nil, e)
	v.Groups = groups
	return c.showGate(e, v)
}

func (c call) takeInvite() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	token, u, err := c.Subjects.Account.TakeInvitation(c.Context(), c.PathValue("token"), form.Get("password"),
		c.UserAgent())
	if e := web.Refused(err); e != nil {
		return c.showInvite(e)
	}
	if err != nil {
		return err
	}
	c.SignIn(token, &u)
	return c.Redirect(dash.TodayPath, "")
}
