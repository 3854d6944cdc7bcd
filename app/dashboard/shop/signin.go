package shop

import (
	"net/url"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/views"
	"daybook/views/dash"
)

// roleInput asks as what somebody signs in; not offers also that they don't.
func (c call) roleInput(role app.Role, not bool) dash.Input {
	in := dash.Input{Name: "role", Label: c.T("team_signs_in_as"), Kind: "roles", Value: string(role)}
	for _, o := range c.RoleOptions() {
		in.Tiles = append(in.Tiles, dash.Tile{Value: o.Value, Title: o.Label, Text: c.T("dash_role_" + o.Value + "_may")})
	}
	if not {
		in.Tiles = append(in.Tiles, dash.Tile{Value: "", Title: c.T("team_signs_in_not"), Text: c.T("team_signs_in_later")})
	}
	return in
}

// mails reports whether an invitation can be mailed.
func (c call) mails() (bool, error) {
	route, err := c.Subjects.Mail.MailRoute(c.Context(), c.Actor.Workspace)
	return route != nil, err
}

// mailed reports whether the form asks for the invitation to be mailed, and it can be.
func (c call) mailed(form url.Values) (bool, error) {
	if !form.Has("mail") {
		return false, nil
	}
	return c.mails()
}

// asMade returns the invitation that was just made, for a page that shows it. An owner's isn't mailed, though asked for.
func asMade(email string, role app.Role, link string, asked bool) dash.Invited {
	return dash.Invited{Link: link, Email: email, Mailed: asked && account.Mailed(role), Unmailed: asked && !account.Mailed(role)}
}

// newSignIn returns the inputs that invite somebody; without an address, that of the person whose form they stand in.
// There are none for those who may not.
func (c call) newSignIn(email string) (g dash.Group, err error) {
	if !c.May(app.MayManageMembers) {
		return g, nil
	}
	if email != "" {
		g.Inputs = append(g.Inputs, dash.Input{Name: "email", Label: c.T("dash_email"), Kind: "email", Required: true,
			Value: email})
	}
	g.Inputs = append(g.Inputs, c.roleInput(app.StaffRole, email == ""))
	mails, err := c.mails()
	if mails {
		g.Inputs = append(g.Inputs, dash.Input{Name: "mail", Label: c.T("team_mail_it"), Kind: "check", Checked: true,
			Hint: c.T("team_mail_it_hint")})
	}
	return g, err
}

func (c call) signIn() error {
	return c.showSignIn(dash.Invited{}, nil, nil)
}

func (c call) showSignIn(invited dash.Invited, typed url.Values, e *fault.Error) error {
	h, err := c.host()
	if err != nil {
		return err
	}
	ref := h.ID.String()
	at := dash.HostSignInPath(ref)
	v := dash.SignInPage{HostFrame: c.hostFrame(&h, at), Action: at, Invited: invited, AllURL: dash.MembersPath}
	all, err := c.members()
	if err != nil {
		return err
	}
	mails, err := c.mails()
	if err != nil {
		return err
	}
	for _, u := range membersOf(all, h.ID) {
		m := dash.PersonMember{ID: u.ID.String(), Email: u.Email, State: c.memberText(&u), Waiting: u.PasswordHash == "",
			Mails: mails && account.Mailed(u.Role), AgainURL: dash.HostSignInAgainPath(ref)}
		role := c.roleInput(u.Role, false)
		role.ID = "role-" + m.ID
		m.Groups = []dash.Group{{Inputs: []dash.Input{role}}}
		if typed.Get("member") == m.ID {
			of := typed
			if !typed.Has("role") { // it was to end
				of = nil
			}
			v.Problem = c.Fill(m.Groups, of, e)
		}
		text := c.T("team_end_text", "Email", u.Email)
		if u.ID == c.Session.User.ID {
			text = c.T("team_end_own")
		}
		m.Remove = dash.Danger{Title: c.T("team_end"), Text: text,
			Action: dash.HostSignInEndPath(ref), Submit: c.T("team_end"), Hidden: []views.Pair{{Name: "member", Value: m.ID}}}
		v.Members = append(v.Members, m)
	}
	if len(v.Members) == 0 {
		g, err := c.newSignIn(h.Email)
		if err != nil {
			return err
		}
		v.Groups = []dash.Group{g}
		v.Problem = c.Fill(v.Groups, typed, e)
	}
	return c.Show(web.RefusedStatus(e), dash.PersonSignIn(v))
}

// memberOf returns the id of the member in the form, if they sign in as the host in the path. Errors: not_found.
func (c call) memberOf(form url.Values) (string, error) {
	h, err := c.host()
	if err != nil {
		return "", err
	}
	missing := fault.Missing("member", form.Get("member"))
	ref, err := id.Parse[app.UserIDKind](form.Get("member"))
	if err != nil {
		return "", missing
	}
	all, err := c.members()
	if err == nil && !slices.ContainsFunc(membersOf(all, h.ID), func(u app.User) bool { return u.ID == ref }) {
		err = missing
	}
	return ref.String(), err
}

// saveSignIn invites the person, or where the form names a member of theirs gives that another role.
func (c call) saveSignIn() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	mailed, err := c.mailed(form)
	if err != nil {
		return err
	}
	in := account.MemberInput{Email: strings.TrimSpace(form.Get("email")), Role: app.Role(form.Get("role")), Host: h.ID,
		Mail: mailed}
	var link string
	if form.Has("member") {
		var ref string
		if ref, err = c.memberOf(form); err != nil {
			return err
		}
		_, err = c.Subjects.Account.ChangeMember(c.Context(), c.Actor, ref, in)
	} else {
		link, err = c.Subjects.Shop.InviteHost(c.Context(), c.Actor, in)
	}
	if e := web.Refused(err); e != nil {
		return c.showSignIn(dash.Invited{}, form, e)
	}
	if err != nil {
		return err
	}
	if link == "" {
		said := "signs_in"
		if form.Has("member") {
			said = "member"
		}
		return c.Redirect(dash.HostSignInPath(h.ID.String()), said)
	}
	role, err := c.roleOf(in)
	if err != nil {
		return err
	}
	return c.showSignIn(asMade(in.Email, role, link, in.Mail), nil, nil)
}

// roleOf returns the role of the member who was just invited by in: that which they had, if they were one already.
func (c call) roleOf(in account.MemberInput) (app.Role, error) {
	all, err := c.members()
	for _, u := range all {
		if fault.EmailKey(u.Email) == fault.EmailKey(in.Email) {
			return u.Role, err
		}
	}
	return in.Role, err
}

func (c call) signInAgain() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	ref, err := c.memberOf(form)
	if err != nil {
		return err
	}
	mailed, err := c.mailed(form)
	if err != nil {
		return err
	}
	u, link, err := c.Subjects.Account.InviteAgain(c.Context(), c.Actor, ref, mailed)
	if e := web.Refused(err); e != nil {
		return c.showSignIn(dash.Invited{}, form, e)
	}
	if err != nil {
		return err
	}
	return c.showSignIn(asMade(u.Email, u.Role, link, mailed), nil, nil)
}

func (c call) endSignIn() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	ref, err := c.memberOf(form)
	if err != nil {
		return err
	}
	_, err = c.Subjects.Account.RemoveMember(c.Context(), c.Actor, ref)
	if e := web.Refused(err); e != nil {
		return c.showSignIn(dash.Invited{}, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.HostSignInPath(c.PathValue("id")), "removed")
}
