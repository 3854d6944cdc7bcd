package dashboard

import (
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

func (c call) inviteForm() error { return c.showInvite(nil) }

func (c call) showInvite(e *fault.Error) error {
	u, err := c.Rooms.Account.InvitationOf(c.Context(), c.PathValue("token"))
	if err != nil {
		return err
	}
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "email", Label: "E-mail", Kind: "email", Value: u.Email, Fixed: true, Autocomplete: "username",
			Hint: "You sign in with this."},
		{Name: "password", Label: "Choose a password", Kind: "new-password", Required: true,
			Hint: "At least 10 characters. A sentence is fine.", Focus: true},
	}}}
	w, err := c.Rooms.WorkspaceBySlug(c.Context(), u.Workspace)
	if err != nil {
		return err
	}
	v := dash.GatePage{Frame: c.Frame("Join "+w.Name, ""), Action: dash.InvitePath(c.PathValue("token")), Submit: "Join",
		Text: "You were invited as " + web.RoleNames[u.Role] + "."}
	v.Problem = web.Fill(groups, nil, e)
	v.Groups = groups
	return c.Show(web.RefusedStatus(e), dash.Gate(v))
}

func (c call) takeInvite() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	token, _, err := c.Rooms.Account.TakeInvitation(c.Context(), c.PathValue("token"), form.Get("password"), c.UserAgent())
	if e := web.Refused(err); e != nil {
		return c.showInvite(e)
	}
	if err != nil {
		return err
	}
	c.SignIn(token)
	return c.Redirect(dash.TodayPath, "")
}
