package shop

import (
	"strconv"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

func (c call) types() error { return c.showTypes("", "", nil) }

// showTypes lists the services as customers see them. typed is a price that was refused for the service of that id.
func (c call) showTypes(id, typed string, wrong *fault.Error) error {
	v := dash.TypesPage{Frame: c.Frame(c.T("dash_types"), "types"), NewURL: dash.NewTypePath,
		InviteURL: dash.InvitationsPath}
	menu := c.Setup.Menu()
	categories := len(menu)
	if categories > 0 && menu[categories-1][0].Category == "" {
		categories--
	}
	for i, all := range menu {
		part := dash.TypesPart{Title: all[0].Category, ID: all[0].ID.String()}
		if part.Title != "" {
			part.Place, part.Of = i+1, categories
		} else if categories > 0 {
			part.Title = c.T("shop_other")
		}
		for n, e := range all {
			r := c.typeRow(e)
			r.Place, r.Of = n+1, len(all)
			if r.ID == id {
				r.Price, r.Wrong = typed, c.Sentence(wrong)
			}
			part.Rows = append(part.Rows, r)
		}
		v.Parts = append(v.Parts, part)
	}
	return c.Show(web.RefusedStatus(wrong), dash.Types(v))
}

func (c call) typeRow(e *catalog.EventType) dash.TypeRow {
	id := e.ID.String()
	r := dash.TypeRow{ID: id, URL: dash.TypePath(id), Title: e.Title, Text: c.Lengths(e), Link: e.BookingURL,
		Active: e.Active, Hidden: e.Hidden, Price: web.AmountText(e.Price), Currency: c.currencyOf(e)}
	if e.RequiresApproval {
		r.Text += " · " + c.T("dash_needs_approval")
	}
	if e.Seats > 1 {
		r.Text += " · " + c.T("dash_seats_count", "Count", e.Seats)
	}
	r.Text += " · " + c.hostNames(e)
	if cost := c.Costs(e); cost != c.Price(e.Price) {
		r.From = cost
	}
	if p := c.Setup.Picture(e.Picture); p != nil {
		r.Picture = web.Image(p, "")
	}
	return r
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

// moveTypeBy moves a service by so many places among those of its category.
func (c call) moveTypeBy() error {
	err := c.Subjects.Shop.MoveEventType(c.Context(), c.Actor, c.PathValue("id"), c.placesBy())
	if err != nil {
		return err
	}
	return c.Redirect(dash.TypesPath, "")
}

// moveCategory moves the category of a service by so many places.
func (c call) moveCategory() error {
	err := c.Subjects.Shop.MoveCategory(c.Context(), c.Actor, c.PathValue("id"), c.placesBy())
	if err != nil {
		return err
	}
	return c.Redirect(dash.TypesPath, "")
}

// placesBy returns by how many places something is moved; what is no number moves nothing.
func (c call) placesBy() int {
	by, _ := strconv.Atoi(c.PostFormValue("by"))
	return min(max(by, -catalog.MaxEventTypes), catalog.MaxEventTypes)
}

// priceType sets the price in the list.
func (c call) priceType() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	e := c.Setup.EventType(c.PathValue("id"))
	if e == nil {
		return fault.Missing("event type", c.PathValue("id"))
	}
	r := web.Reader{Form: form, Currency: c.currencyOf(e)}
	price := r.Money("price")
	if err = r.Err; err == nil {
		_, err = c.Subjects.Shop.ChangeEventType(c.Context(), c.Actor, e.ID.String(),
			func(_ *catalog.Setup, e *catalog.EventType) error { e.Price = price; return nil })
	}
	if wrong := web.Refused(err); wrong != nil {
		return c.showTypes(e.ID.String(), form.Get("price"), wrong)
	}
	if err != nil {
		return err
	}
	changed := *e
	if changed.Price = price; c.Setup.CantCharge(&changed) != "" {
		return c.Redirect(dash.TypesPath, "saved-not-charged")
	}
	return c.Redirect(dash.TypesPath, "saved")
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
