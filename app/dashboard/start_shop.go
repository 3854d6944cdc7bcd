package dashboard

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/shop"
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
	w := &c.Setup.Workspace
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
		Action: dash.StartShopPath, Submit: c.T("dash_start_go"), SkipURL: dash.StartDonePath}
	v.Problem = c.Fill(groups, typed, e)
	v.Groups = groups
	return c.showGate(e, v)
}

// startShop saves address and phone, and the colleagues who are named: all of it, or nothing.
func (c call) startShop() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	if len(c.Setup.Hosts) == 0 {
		return c.Redirect(dash.StartHoursPath, "")
	}
	in := shop.FirstShop{Address: form.Get("address"), Phone: form.Get("phone")}
	var rows []string
	for i := range teamRows {
		n := strconv.Itoa(i + 1)
		if form.Get("colleague."+n) != "" || form.Get("email."+n) != "" {
			rows = append(rows, n)
			in.Colleagues = append(in.Colleagues, catalog.Host{Name: form.Get("colleague." + n), Email: form.Get("email." + n)})
		}
	}
	err = c.Subjects.Shop.OpenShop(c.Context(), c.Actor, in)
	if e := web.Refused(err); e != nil {
		for i, n := range rows {
			if field, is := strings.CutPrefix(e.Field, fmt.Sprintf("colleagues[%d].", i)); is {
				e.About(map[bool]string{true: "email.", false: "colleague."}[field == "email"] + n)
			}
		}
		return c.showStartShop(form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.StartDonePath, "")
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
		return c.startDone()
	}
	return c.Redirect(dash.StartDonePath, "saved")
}

func (c call) startNoPicture() error {
	if len(c.Setup.Hosts) == 0 {
		return c.Redirect(dash.StartHoursPath, "")
	}
	if err := c.setStartPicture(0); err != nil {
		return err
	}
	return c.Redirect(dash.StartDonePath, "saved")
}

func (c call) setStartPicture(id catalog.PictureID) error {
	_, err := c.Subjects.Shop.ChangeHost(c.Context(), c.Actor, c.Setup.Hosts[0].ID.String(), func(h *catalog.Host) error {
		h.Picture = id
		return nil
	})
	return err
}
