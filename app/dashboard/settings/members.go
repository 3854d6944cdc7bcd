package settings

import (
	"net/url"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// shownLink is an invitation that was just made.
type shownLink struct{ link, email string }

func (c call) members() error { return c.showMembers(shownLink{}, nil, nil) }

func (c call) bookedAs() []dash.Option {
	all := []dash.Option{{Value: "", Label: c.T("dash_host_none")}}
	for i := range c.Setup.Hosts {
		all = append(all, dash.Option{Value: c.Setup.Hosts[i].ID.String(), Label: c.Setup.Hosts[i].Name})
	}
	return all
}

func (c call) showMembers(shown shownLink, typed url.Values, e *fault.Error) error {
	users, err := c.Subjects.Account.Members(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	v := dash.MembersPage{SettingsFrame: c.settingsFrame(c.T("dash_members"), dash.MembersPath), Link: shown.link,
		LinkFor: shown.email}
	for i := range users {
		v.Rows = append(v.Rows, c.memberRow(&users[i]))
	}
	v.Groups = []dash.Group{{Inputs: []dash.Input{
		{Name: "email", Label: c.T("dash_email"), Kind: "email", Required: true},
		{Name: "role", Label: c.T("dash_role"), Kind: "select", Options: c.RoleOptions(),
			Value: string(app.StaffRole), Half: true},
		{Name: "host", Label: c.T("dash_host"), Kind: "select", Options: c.bookedAs(), Half: true,
			Hint: c.T("dash_member_host_hint")},
	}}}
	v.Factor = dash.Input{Name: "role", ID: "factor-role", Label: c.T("factor_required_roles"), Kind: "checks",
		Hint: c.T("factor_required_hint"), Options: c.RoleOptions()}
	roles, err := c.Subjects.Factor.Required(c.Context(), c.Actor)
	if err != nil {
		return err
	}
	for _, r := range roles {
		v.Factor.Values = append(v.Factor.Values, string(r))
	}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Members(v))
}

func (c call) memberRow(u *app.User) dash.MemberRow {
	id := u.ID.String()
	row := dash.MemberRow{Email: u.Email, Role: c.RoleName(u.Role), ID: id, Waiting: u.PasswordHash == "",
		You: u.ID == c.Session.User.ID}
	host := ""
	if h := c.Setup.Host(u.HostID); h != nil {
		row.Host, host = h.Name, h.ID.String()
	}
	row.Inputs = []dash.Input{ // numbered, for the ids of the page
		{Name: "role", ID: "role-" + id, Label: c.T("dash_role"), Kind: "select", Options: c.RoleOptions(),
			Value: string(u.Role)},
		{Name: "host", ID: "host-" + id, Label: c.T("dash_host"), Kind: "select", Options: c.bookedAs(), Value: host},
	}
	return row
}

func memberInput(form url.Values) (in account.MemberInput, err error) {
	in = account.MemberInput{Email: form.Get("email"), Role: app.Role(form.Get("role"))}
	if ref := form.Get("host"); ref != "" {
		if err := in.Host.UnmarshalText([]byte(ref)); err != nil {
			return in, fault.Invalid("host", "there is no such host in this workspace")
		}
	}
	return in, nil
}

func (c call) inviteMember() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	var shown shownLink
	in, err := memberInput(form)
	if err == nil {
		shown.email = in.Email
		_, shown.link, err = c.Subjects.Account.Invite(c.Context(), c.Actor, in)
	}
	if e := web.Refused(err); e != nil {
		return c.showMembers(shownLink{}, form, e)
	}
	if err != nil {
		return err
	}
	return c.showMembers(shown, nil, nil)
}

func (c call) changeMember() error {
	if _, err := c.Subjects.Account.Member(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	in, err := memberInput(form)
	if err == nil {
		_, err = c.Subjects.Account.ChangeMember(c.Context(), c.Actor, c.PathValue("id"), in)
	}
	return c.membersAfter(err, "member")
}

func (c call) inviteAgain() error {
	u, link, err := c.Subjects.Account.InviteAgain(c.Context(), c.Actor, c.PathValue("id"), false)
	if err != nil {
		return err
	}
	return c.showMembers(shownLink{link, u.Email}, nil, nil)
}

func (c call) removeMember() error {
	_, err := c.Subjects.Account.RemoveMember(c.Context(), c.Actor, c.PathValue("id"))
	return c.membersAfter(err, "removed")
}

// requireFactor has members of the roles that are ticked show a second factor.
func (c call) requireFactor() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	var roles []app.Role
	for _, r := range form["role"] {
		roles = append(roles, app.Role(r))
	}
	return c.membersAfter(c.Subjects.Factor.Require(c.Context(), c.Actor, roles), "saved")
}

// membersAfter redirects to the list. An error is shown above it, because the page has many forms.
func (c call) membersAfter(err error, said string) error {
	if e := web.Refused(err); e != nil {
		e = fault.New(e.Code, e.Reason, "%s", c.Sentence(e))
		return c.showMembers(shownLink{}, nil, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.MembersPath, said)
}
