package dashboard

import (
	"net/url"

	"daybook/app"
	"daybook/views"
)

const membersPath = settingsPath + "/members"

func (d *Door) members(c *call) error { return c.showMembers(nil, nil, "", "") }

var roleOptions = []views.Option{
	{Value: "owner", Label: "Owner: everything"}, {Value: "manager", Label: "Manager: all but members, payments and keys"}, {Value: "staff", Label: "Staff: their own calendar"},
}

// showMembers lists the members; link is what was just made for the member of that address.
func (c *call) showMembers(typed url.Values, e *app.Error, link, whose string) error {
	all, err := c.door.Members(c.Context(), c.actor)
	if err != nil {
		return err
	}
	hosts := append([]views.Option{{Label: "–"}}, c.hostOptions()...)
	v := views.SettingsPage{Dash: c.dash("Settings", "settings"), Tabs: c.settingsTabs("members"), Action: membersPath, Submit: "Invite",
		Groups: []views.Group{{Title: "Invite somebody", Inputs: []views.Input{
			{Name: "email", Label: "E-mail", Kind: "email", Required: true},
			{Name: "role", Label: "Role", Kind: "select", Value: "manager", Options: roleOptions, Half: true},
			{Name: "host", Label: "Is the host", Kind: "select", Options: hosts, Half: true, Hint: "Staff see this one's calendar only."},
		}}}}
	v.Problem = fill(v.Groups, typed, e)
	list := views.SettingsList{Title: "Members"}
	if link != "" {
		list.Rows = append(list.Rows, views.SettingsRow{Title: "Send this link to " + whose, Small: "It works once, for a week, and can't be shown again.", Copy: link})
	}
	for i := range all {
		list.Rows = append(list.Rows, c.memberRow(&all[i], hosts))
	}
	v.Lists = []views.SettingsList{list}
	return c.show(refusedStatus(e), views.Settings(v))
}

func (c *call) memberRow(u *app.User, hosts []views.Option) views.SettingsRow {
	path := membersPath + "/" + u.ID.String()
	r := views.SettingsRow{Title: u.Email, Text: roleNames[u.Role], Small: "Since " + c.day(c.at(u.CreatedAt))}
	if h := c.setup.Host(u.HostID); h != nil {
		r.Text += " · " + h.Name
	}
	linkText, linkSubmit := "They choose a new password with it; the present one works until then.", "Make a link for a new password"
	if u.PasswordHash == "" {
		r.State, linkText, linkSubmit = views.Badge{Text: "Invited", Tone: "warn"}, "The link from before stops working.", "Make a new link"
	}
	if u.ID == c.actor.User {
		r.State = views.Badge{Text: "You", Tone: "good"}
	}
	r.Actions = []views.Danger{
		{Title: "Change", Quiet: true, Action: path, Submit: "Save", Inputs: []views.Input{
			{Name: "role", Label: "Role", Kind: "select", Value: string(u.Role), Options: roleOptions},
			{Name: "host", Label: "Is the host", Kind: "select", Value: u.HostID.String(), Options: hosts},
		}},
		{Title: "Link", Quiet: true, Text: linkText, Action: path + "/link", Submit: linkSubmit},
		{Title: "Remove", Text: u.Email + " is signed out everywhere and can't sign in any more.", Action: path + "/remove", Submit: "Remove the member"},
	}
	for i := range r.Actions {
		for j := range r.Actions[i].Inputs {
			r.Actions[i].Inputs[j].ID = u.ID.String() + "-" + r.Actions[i].Inputs[j].Name
		}
	}
	return r
}

func (c *call) memberInput(form url.Values) (in app.MemberInput, err error) {
	in = app.MemberInput{Email: form.Get("email"), Role: app.Role(form.Get("role"))}
	if ref := form.Get("host"); ref != "" {
		h, err := c.door.Host(c.actor, ref)
		if err != nil {
			return in, app.Invalid("host", "there is no such host")
		}
		in.Host = h.ID
	}
	return in, nil
}

func (d *Door) invite(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	in, err := c.memberInput(form)
	var link string
	if err == nil {
		_, link, err = d.Invite(c.Context(), c.actor, in)
	}
	if e := refused(err); e != nil {
		return c.showMembers(form, e, "", "")
	}
	if err != nil {
		return err
	}
	return c.showMembers(nil, nil, link, in.Email)
}

func (d *Door) changeMember(c *call) error {
	form, err := c.posted()
	if err != nil {
		return err
	}
	in, err := c.memberInput(form)
	if err == nil {
		_, err = d.ChangeMember(c.Context(), c.actor, c.PathValue("id"), in)
	}
	return c.memberDone(err, "member")
}

func (c *call) memberDone(err error, said string) error {
	if e := refused(err); e != nil {
		return c.showMembers(nil, &app.Error{Code: e.Code, Message: sentence(e)}, "", "")
	}
	if err != nil {
		return err
	}
	return c.redirect(membersPath, said)
}

func (d *Door) memberLink(c *call) error {
	u, link, err := d.InviteAgain(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showMembers(nil, nil, link, u.Email)
}

func (d *Door) removeMember(c *call) error {
	_, err := d.RemoveMember(c.Context(), c.actor, c.PathValue("id"))
	return c.memberDone(err, "removed")
}
