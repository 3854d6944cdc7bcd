package dashboard

import (
	"net/url"
	"strconv"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

// teamRows is how many colleagues can be named at once in the first run.
const teamRows = 4

func (c call) startShopForm() error {
	if len(c.Setup.Hosts) == 0 {
		return c.Redirect(dash.StartHoursPath, "")
	}
	return c.showStartShop(nil, nil)
}

// showStartShop asks where the business is, and who else works there.
func (c call) showStartShop(typed url.Values, e *fault.Error) error {
	w, first := &c.Setup.Workspace, &c.Setup.Hosts[0]
	team := dash.Group{Title: c.T("trade_team"), Hint: c.T("trade_team_hint")}
	for i := range teamRows {
		n := strconv.Itoa(i + 1)
		team.Inputs = append(team.Inputs,
			dash.Input{Name: "colleague." + n, Label: c.T("trade_colleague", "N", i+1), Half: true},
			dash.Input{Name: "email." + n, Label: c.T("trade_colleague_mail", "N", i+1), Kind: "email", Half: true})
	}
	groups := []dash.Group{{Inputs: []dash.Input{
		{Name: "address", Label: c.T("trade_street"), Value: w.Settings.Address, Placeholder: c.T("trade_street_example"), Autocomplete: "street-address"},
		{Name: "phone", Label: c.T("dash_phone"), Kind: "tel", Value: w.Settings.Phone, Autocomplete: "tel"},
	}}, team}
	v := dash.GatePage{Frame: c.Frame(c.T("trade_shop"), ""), Steps: c.steps(4), Text: c.T("trade_shop_hint"),
		Action: dash.StartShopPath, Submit: c.T("dash_start_go"), SkipURL: dash.StartDonePath,
		Lead: c.PictureCard(c.T("trade_photo", "Name", first.Name), first.Name, dash.StartShopPath+"/picture", first.Picture)}
	v.Problem = c.Fill(groups, typed, e)
	if problem := c.PictureProblem(); problem != "" {
		v.Problem = problem
	}
	v.Groups = groups
	return c.Show(web.RefusedStatus(e), dash.Gate(v))
}

// startShop saves address and phone, and the colleagues who are named: each with the hours of who was there first, for
// all services. What has no place is at the address that is given for the first time.
func (c call) startShop() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	if len(c.Setup.Hosts) == 0 {
		return c.Redirect(dash.StartHoursPath, "")
	}
	first := c.Setup.Workspace.Settings.Address == ""
	_, err = c.Subjects.Shop.UpdateWorkspace(c.Context(), c.Actor, func(w *catalog.Workspace) {
		w.Settings.Address, w.Settings.Phone = form.Get("address"), form.Get("phone")
	})
	if err == nil && first && form.Get("address") != "" {
		err = c.placeServices(form.Get("address"))
	}
	if err == nil {
		err = c.addColleagues(form)
	}
	if e := web.Refused(err); e != nil {
		return c.showStartShop(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.StartDonePath, "")
}

// addColleagues saves the hosts who are named in the form. One who was saved is taken out of it, so that it can be sent again.
func (c call) addColleagues(form url.Values) error {
	for i := range teamRows {
		name, mail := "colleague."+strconv.Itoa(i+1), "email."+strconv.Itoa(i+1)
		if form.Get(name) == "" && form.Get(mail) == "" {
			continue
		}
		first := &c.Setup.Hosts[0]
		h, err := c.Subjects.Shop.SaveHost(c.Context(), c.Actor, catalog.Host{Name: form.Get(name), Email: form.Get(mail),
			TimeZone: first.TimeZone, Hours: catalog.Hours{Weekly: first.Weekly}})
		if e := fault.As(err); e != nil {
			field := name
			if e.Field == "host.email" || e.Field == "email" {
				field = mail
			}
			return e.About(field)
		}
		if err != nil {
			return err
		}
		for _, e := range c.Setup.EventTypes {
			_, err := c.Subjects.Shop.ChangeEventType(c.Context(), c.Actor, e.ID.String(), func(_ *catalog.Setup, e *catalog.EventType) error {
				e.Hosts = append(e.Hosts, catalog.HostRef{ID: h.ID})
				return nil
			})
			if err != nil {
				return err
			}
		}
		form.Del(name)
		form.Del(mail)
	}
	return nil
}

// placeServices gives the address to services without a place.
func (c call) placeServices(address string) error {
	for _, e := range c.Setup.EventTypes {
		if e.Location != "" {
			continue
		}
		_, err := c.Subjects.Shop.ChangeEventType(c.Context(), c.Actor, e.ID.String(), func(_ *catalog.Setup, e *catalog.EventType) error {
			if e.Location == "" {
				e.Location = address
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c call) startPicture() error {
	if len(c.Setup.Hosts) == 0 {
		return c.Redirect(dash.StartHoursPath, "")
	}
	taken, err := c.TakePicture(c.setStartPicture)
	if err != nil {
		return err
	}
	if !taken {
		return c.showStartShop(nil, nil)
	}
	return c.Redirect(dash.StartShopPath, "saved")
}

func (c call) startNoPicture() error {
	if len(c.Setup.Hosts) == 0 {
		return c.Redirect(dash.StartHoursPath, "")
	}
	if err := c.setStartPicture(0); err != nil {
		return err
	}
	return c.Redirect(dash.StartShopPath, "saved")
}

func (c call) setStartPicture(id catalog.PictureID) error {
	_, err := c.Subjects.Shop.ChangeHost(c.Context(), c.Actor, c.Setup.Hosts[0].ID.String(), func(h *catalog.Host) error {
		h.Picture = id
		return nil
	})
	return err
}
