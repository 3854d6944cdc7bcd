package dashboard

import (
	"net/url"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/fault"
	"daybook/views/dash"
)

// shownLink is an invitation that was made just now.
type shownLink struct{ link, email string }

func (d *Door) members(c *call) error { return c.showMembers(shownLink{}, nil, nil) }

var roleOptions = []dash.Option{{Value: string(app.StaffRole), Label: "Staff"}, {Value: string(app.ManagerRole), Label: "Manager"}, {Value: string(app.OwnerRole), Label: "Owner"}}

func (c *call) bookedAs() []dash.Option {
	all := []dash.Option{{Value: "", Label: "No one: can’t be booked"}}
	for i := range c.setup.Hosts {
		all = append(all, dash.Option{Value: c.setup.Hosts[i].ID.String(), Label: c.setup.Hosts[i].Name})
	}
	return all
}

func (c *call) showMembers(shown shownLink, typed url.Values, e *fault.Error) error {
	users, err := c.door.Account.Members(c.Context(), c.actor)
	if err != nil {
		return err
	}
	v := dash.MembersPage{SettingsFrame: c.settingsFrame("Members", dash.MembersPath), Link: shown.link, LinkFor: shown.email}
	for i := range users {
		v.Rows = append(v.Rows, c.memberRow(&users[i]))
	}
	v.Groups = []dash.Group{{Inputs: []dash.Input{
		{Name: "email", Label: "E-mail", Kind: "email", Required: true},
		{Name: "role", Label: "Role", Kind: "select", Options: roleOptions, Value: string(app.StaffRole), Half: true},
		{Name: "host", Label: "Host", Kind: "select", Options: c.bookedAs(), Half: true, Hint: "Whose time is booked. Staff see this calendar only."},
	}}}
	v.Problem = fill(v.Groups, typed, e)
	return c.show(refusedStatus(e), dash.Members(v))
}

func (c *call) memberRow(u *app.User) dash.MemberRow {
	id := u.ID.String()
	row := dash.MemberRow{Email: u.Email, Role: roleNames[u.Role], ID: id, Waiting: u.PasswordHash == "", You: u.ID == c.session.User.ID}
	host := ""
	if h := c.setup.Host(u.HostID); h != nil {
		row.Host, host = h.Name, h.ID.String()
	}
	row.Inputs = []dash.Input{ // numbered, for the ids of the page
		{Name: "role", ID: "role-" + id, Label: "Role", Kind: "select", Options: roleOptions, Value: string(u.Role)},
		{Name: "host", ID: "host-" + id, Label: "Host", Kind: "select", Options: c.bookedAs(), Value: host},
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

func (d *Door) inviteMember(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	var shown shownLink
	in, err := memberInput(form)
	if err == nil {
		shown.email = in.Email
		_, shown.link, err = d.Account.Invite(c.Context(), c.actor, in)
	}
	if e := refused(err); e != nil {
		return c.showMembers(shownLink{}, form, e)
	}
	if err != nil {
		return err
	}
	return c.showMembers(shown, nil, nil)
}

func (d *Door) changeMember(c *call) error {
	if _, err := d.Account.Member(c.Context(), c.actor, c.PathValue("id")); err != nil {
		return err
	}
	form, err := c.posted()
	if err != nil {
		return err
	}
	in, err := memberInput(form)
	if err == nil {
		_, err = d.Account.ChangeMember(c.Context(), c.actor, c.PathValue("id"), in)
	}
	return c.membersAfter(err, "member")
}

func (d *Door) inviteAgain(c *call) error {
	u, link, err := d.Account.InviteAgain(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showMembers(shownLink{link, u.Email}, nil, nil)
}

func (d *Door) removeMember(c *call) error {
	_, err := d.Account.RemoveMember(c.Context(), c.actor, c.PathValue("id"))
	return c.membersAfter(err, "removed")
}

// membersAfter leads back to the list. What is refused stands above it: the forms there are many.
func (c *call) membersAfter(err error, said string) error {
	if e := refused(err); e != nil {
		e = &fault.Error{Code: e.Code, Reason: e.Reason, Message: sentence(e)}
		return c.showMembers(shownLink{}, nil, e)
	}
	if err != nil {
		return err
	}
	return c.redirect(dash.MembersPath, said)
}
