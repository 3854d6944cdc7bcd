package dashboard

import (
	"daybook/app"
	"daybook/views/dash"
)

func (d *Door) types(c *call) error {
	v := dash.TypesPage{Frame: c.frame("Event types", "types"), NewURL: dash.NewTypePath}
	for i := range c.setup.EventTypes {
		e := &c.setup.EventTypes[i]
		id := e.ID.String()
		text := counted(e.DurationMinutes, "minute")
		if e.Price != nil {
			text += " · " + c.money(e.Price)
		} else {
			text += " · free"
		}
		if e.RequiresApproval {
			text += " · needs approval"
		}
		if e.Seats > 1 {
			text += " · " + counted(e.Seats, "seat")
		}
		text += " · " + hostNames(e)
		r := dash.TypeRow{URL: dash.TypePath(id), Title: e.Title, Text: text, Path: "/" + c.setup.Workspace.Slug + "/" + e.Slug, Link: e.BookingURL, Active: e.Active, SwitchURL: dash.TypeSwitchPath(id), CopyURL: dash.TypeCopyPath(id)}
		if i > 0 {
			r.UpURL = dash.TypeUpPath(id)
		}
		if i < len(c.setup.EventTypes)-1 {
			r.DownURL = dash.TypeDownPath(id)
		}
		v.Rows = append(v.Rows, r)
	}
	return c.show(200, dash.Types(v))
}

func hostNames(e *app.EventType) string {
	switch len(e.Hosts) {
	case 0:
		return "no host"
	case 1:
		return e.Hosts[0].Name
	case 2:
		return e.Hosts[0].Name + " and " + e.Hosts[1].Name
	}
	return counted(len(e.Hosts), "host")
}

func (d *Door) typeUp(c *call) error   { return c.moveType(-1) }
func (d *Door) typeDown(c *call) error { return c.moveType(1) }

func (c *call) moveType(by int) error {
	if err := c.door.Shop.MoveEventType(c.Context(), c.actor, c.PathValue("id"), by); err != nil {
		return err
	}
	return c.redirect(dash.TypesPath, "")
}

func (d *Door) switchType(c *call) error {
	on := c.PostFormValue("active") == "on"
	if _, err := d.Shop.SwitchEventType(c.Context(), c.actor, c.PathValue("id"), on); err != nil {
		return err
	}
	if on {
		return c.redirect(dash.TypesPath, "switched-on")
	}
	return c.redirect(dash.TypesPath, "switched-off")
}

func (d *Door) copyType(c *call) error {
	e, err := d.Shop.CopyEventType(c.Context(), c.actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.redirect(dash.TypePath(e.ID.String()), "copied")
}
