package dashboard

import (
	"daybook/app/fault"
	"daybook/views/dash"
)

func (d *Door) inviteForm(c *call) error { return c.showInvite(nil) }

func (c *call) showInvite(e *fault.Error) error {
	u, err := c.door.Account.InvitationOf(c.PathValue("token"))
	if err != nil {
		return err
	}
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "email", Label: "E-mail", Kind: "email", Value: u.Email, Fixed: true, Autocomplete: "username", Hint: "You sign in with this."},
		{Name: "password", Label: "Choose a password", Kind: "new-password", Required: true, Hint: "At least 10 characters. A sentence is fine.", Focus: true},
	}}}
	w, err := c.door.WorkspaceBySlug(u.Workspace)
	if err != nil {
		return err
	}
	v := dash.GatePage{Frame: c.frame("Join "+w.Name, ""), Action: dash.InvitePath(c.PathValue("token")), Submit: "Join",
		Text: "You were invited as " + roleNames[u.Role] + "."}
	v.Problem = fill(groups, nil, e)
	v.Groups = groups
	return c.show(refusedStatus(e), dash.Gate(v))
}

func (d *Door) takeInvite(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	token, _, err := d.Account.TakeInvitation(c.Context(), c.PathValue("token"), form.Get("password"), c.UserAgent())
	if e := refused(err); e != nil {
		return c.showInvite(e)
	}
	if err != nil {
		return err
	}
	c.signIn(token)
	return c.redirect(dash.TodayPath, "")
}
