package settings

import (
	"net/url"
	"strconv"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/invitation"
	"daybook/app/when"
	"daybook/views/dash"
)

// InvitationRoutes are the routes of this part, each with the right that it needs.
var InvitationRoutes = []web.Route{
	web.On("GET /dashboard/invitations", app.MaySeeInvitations, call.invitations),
	web.On("GET /dashboard/invitations/new", app.MayInvite, call.newInvitationForm),
	web.On("POST /dashboard/invitations/new", app.MayInvite, call.makeInvitation),
	web.On("POST /dashboard/invitations/{id}/resend", app.MayInvite, call.resendInvitation),
	web.On("POST /dashboard/invitations/{id}/revoke", app.MayInvite, call.revokeInvitation),
}

// invitationSection returns the entry of the navigation that leads here: staff have none for event types.
func (c call) invitationSection() string {
	if c.May(app.MayManageEventTypes) {
		return "types"
	}
	return "invitations"
}

func (c call) invitations() error { return c.showInvitations(nil) }

// showInvitations shows the links, of one event type where the address names it, and why what was asked for is refused.
func (c call) showInvitations(refused *fault.Error) error {
	q := c.URL.Query()
	of := q.Get("type")
	n := 50
	page, err := c.Subjects.Invitation.Invitations(c.Context(), c.Actor,
		invitation.ListInput{EventType: of, Limit: &n, Cursor: q.Get("cursor")})
	if err != nil {
		return err
	}
	v := dash.InvitationsPage{Frame: c.Frame(c.T("invitation_links"), c.invitationSection()), Problem: c.Sentence(refused),
		NewURL: web.WithQuery(dash.NewInvitationPath, url.Values{"type": {of}}),
		List: dash.SettingsList{Title: c.T("invitation_links"), Icon: "mail", EmptyTitle: c.T("invitation_none"),
			Empty: c.T("invitation_none_text")}}
	if c.invitationSection() == "types" {
		v.BackURL, v.BackLabel = dash.TypesPath, c.T("dash_types")
	}
	if e := c.Setup.EventType(of); e != nil {
		v.List.Title = e.Title
		if c.invitationSection() == "types" {
			v.BackURL, v.BackLabel = dash.TypePath(e.ID.String()), e.Title
		}
	}
	for i := range page.Data {
		v.List.Rows = append(v.List.Rows, c.invitationRow(&page.Data[i]))
	}
	v.List.Pager = web.PagerOf(dash.InvitationsPath, url.Values{"type": {of}}, q.Get("cursor"), page.NextCursor)
	return c.Show(web.RefusedStatus(refused), dash.Invitations(v))
}

var stateTones = map[invitation.State]string{invitation.Open: "good", invitation.Used: "", invitation.Expired: "",
	invitation.Revoked: "bad"}

var stateKeys = map[invitation.State]string{
	invitation.Open: "invitation_state_open", invitation.Used: "invitation_state_used",
	invitation.Expired: "invitation_state_expired", invitation.Revoked: "invitation_state_revoked",
}

func (c call) invitationRow(l *invitation.Invitation) dash.SettingsRow {
	state := l.State(when.At(c.Subjects.Now()))
	r := dash.SettingsRow{Title: c.invitationTitle(l), State: dash.Badge{Text: c.T(stateKeys[state]), Tone: stateTones[state]},
		Text: l.Email, Small: c.T("invitation_used_of", "Used", l.Used, "Uses", l.Uses)}
	if r.Text == "" {
		r.Text = c.T("invitation_anybody")
	}
	if l.ExpiresAt != 0 {
		r.Small += " · " + c.T("invitation_until", "When", c.Day(c.At(l.ExpiresAt-1)))
	}
	r.Small += " · " + c.T("invitation_made", "When", c.Ago(l.CreatedAt))
	if state == invitation.Open && l.Email != "" {
		r.Post, r.PostLabel = dash.InvitationResendPath(l.ID.String()), c.T("invitation_resend")
	}
	if state == invitation.Open || state == invitation.Used { // one that is used up may become free again
		r.Actions = []dash.Danger{{Title: c.T("invitation_revoke"), Text: c.T("invitation_revoke_text"),
			Action: dash.InvitationRevokePath(l.ID.String()), Submit: c.T("invitation_revoke")}}
	}
	return r
}

// invitationTitle returns the service, and with whom.
func (c call) invitationTitle(l *invitation.Invitation) string {
	title := l.EventType
	if e := c.Setup.EventTypeByID(l.EventTypeID); e != nil {
		title = e.Title
	}
	if l.Host != nil {
		title += " · " + l.Host.Name
	}
	return title
}

func (c call) newInvitationForm() error {
	return c.showForm(url.Values{"eventType": {c.URL.Query().Get("type")}, "uses": {"1"}}, nil)
}

func (c call) showForm(typed url.Values, e *fault.Error) error {
	service := dash.Input{Name: "eventType", Label: c.T("invitation_service"), Kind: "select", Required: true}
	for i := range c.Setup.EventTypes {
		if e := &c.Setup.EventTypes[i]; e.Active && (!c.Actor.Own() || e.ServedBy(c.Actor.Host)) {
			service.Options = append(service.Options, dash.Option{Value: e.ID.String(), Label: c.typeName(e)})
		}
	}
	inputs := []dash.Input{service}
	if !c.Actor.Own() {
		inputs = append(inputs, dash.Input{Name: "host", Label: c.T("invitation_host"), Kind: "select",
			Options: append([]dash.Option{{Label: c.T("invitation_host_any")}}, c.HostOptions()...)})
	}
	inputs = append(inputs,
		dash.Input{Name: "uses", Label: c.T("invitation_uses"), Kind: "number", Min: "1",
			Max: strconv.Itoa(invitation.MaxUses), Required: true, Half: true},
		dash.Input{Name: "expiresAt", Label: c.T("invitation_last_day"), Kind: "date", Half: true,
			Hint: c.T("invitation_last_day_hint")},
		dash.Input{Name: "email", Label: c.T("invitation_email"), Kind: "email", Autocomplete: "off",
			Hint: c.T("invitation_email_hint")})
	v := dash.FormPage{Frame: c.Frame(c.T("invitation_new"), c.invitationSection()), BackURL: dash.InvitationsPath,
		BackLabel: c.T("invitation_links"), Action: dash.NewInvitationPath, Submit: c.T("invitation_create"),
		Groups: []dash.Group{{Inputs: inputs}}}
	v.Problem = c.Fill(v.Groups, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Form(v))
}

// typeName returns an event type in the list to choose from.
func (c call) typeName(e *catalog.EventType) string {
	if e.Hidden {
		return e.Title + " (" + c.T("invitation_hidden") + ")"
	}
	return e.Title
}

func (c call) makeInvitation() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	r := web.Reader{Form: form}
	uses := r.Whole("uses")
	in := invitation.Input{EventType: form.Get("eventType"), Host: form.Get("host"), Uses: &uses,
		Email: form.Get("email")}
	if day := form.Get("expiresAt"); day != "" { // the last day that it works
		at, err := web.ParseDay(day, c.Zone())
		if err != nil {
			r.Err = fault.Join(r.Err, fault.Invalid("expiresAt", "must be a day such as 2026-12-28"))
		}
		in.ExpiresAt = when.At(when.AddDays(at, 1)).String()
	}
	if wrong := fault.As(r.Err); wrong != nil {
		return c.showForm(form, wrong)
	}
	l, err := c.Subjects.Invitation.CreateInvitation(c.Context(), c.Actor, in)
	if wrong := web.Refused(err); wrong != nil {
		return c.showForm(form, wrong)
	}
	if err != nil {
		return err
	}
	if l.URL == "" {
		return c.Redirect(dash.InvitationsPath, "invited")
	}
	c.Header().Set("Referrer-Policy", "no-referrer")
	return c.Show(200, dash.Secret(dash.SecretPage{Frame: c.Frame(c.invitationTitle(&l), c.invitationSection()),
		BackURL: dash.InvitationsPath, BackLabel: c.T("invitation_links"), Text: c.T("invitation_once"),
		Label: c.T("invitation_link"), Value: l.URL}))
}

func (c call) revokeInvitation() error {
	if err := c.Subjects.Invitation.RevokeInvitation(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(dash.InvitationsPath, "uninvited")
}

func (c call) resendInvitation() error {
	_, err := c.Subjects.Invitation.ResendInvitation(c.Context(), c.Actor, c.PathValue("id"))
	if refused := web.Refused(err); refused != nil {
		return c.showInvitations(refused)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.InvitationsPath, "invited")
}
