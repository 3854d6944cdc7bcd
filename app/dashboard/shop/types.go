package shop

import (
	"daybook/app/catalog"
	"daybook/views/dash"
)

func (c call) types() error {
	v := dash.TypesPage{Frame: c.Frame(c.T("dash_types"), "types"), NewURL: dash.NewTypePath,
		InviteURL: dash.InvitationsPath}
	for i := range c.Setup.EventTypes {
		e := &c.Setup.EventTypes[i]
		id := e.ID.String()
		text := c.Lengths(e) + " · " + c.Costs(e)
		if e.RequiresApproval {
			text += " · " + c.T("dash_needs_approval")
		}
		if e.Seats > 1 {
			text += " · " + c.T("dash_seats_count", "Count", e.Seats)
		}
		text += " · " + c.hostNames(e)
		r := dash.TypeRow{URL: dash.TypePath(id), Title: e.Title, Text: text,
			Path: "/" + c.Setup.Workspace.Slug + "/" + e.Slug, Link: e.BookingURL, Active: e.Active, Hidden: e.Hidden,
			SwitchURL: dash.TypeSwitchPath(id), CopyURL: dash.TypeCopyPath(id)}
		if i > 0 {
			r.UpURL = dash.TypeUpPath(id)
		}
		if i < len(c.Setup.EventTypes)-1 {
			r.DownURL = dash.TypeDownPath(id)
		}
		v.Rows = append(v.Rows, r)
	}
	return c.Show(200, dash.Types(v))
}

func (c call) hostNames(e *catalog.EventType) string {
	switch len(e.Hosts) {
	case 0:
		return c.T("dash_no_host")
	case 1:
		return e.Hosts[0].Name
	case 2:
		return c.T("dash_and", "A", e.Hosts[0].Name, "B", e.Hosts[1].Name)
	}
	return c.T("dash_hosts_count", "Count", len(e.Hosts))
}

func (c call) typeUp() error   { return c.moveType(-1) }
func (c call) typeDown() error { return c.moveType(1) }

func (c call) moveType(by int) error {
	if err := c.Subjects.Shop.MoveEventType(c.Context(), c.Actor, c.PathValue("id"), by); err != nil {
		return err
	}
	return c.Redirect(dash.TypesPath, "")
}

func (c call) switchType() error {
	on := c.PostFormValue("active") == "on"
	if _, err := c.Subjects.Shop.SwitchEventType(c.Context(), c.Actor, c.PathValue("id"), on); err != nil {
		return err
	}
	if on {
		return c.Redirect(dash.TypesPath, "switched-on")
	}
	return c.Redirect(dash.TypesPath, "switched-off")
}

func (c call) copyType() error {
	e, err := c.Subjects.Shop.CopyEventType(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.Redirect(dash.TypePath(e.ID.String()), "copied")
}
