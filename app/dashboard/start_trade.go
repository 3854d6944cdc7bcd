package dashboard

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/trade"
	"daybook/views/dash"
)

// startTrade asks what the business does, for the services that are proposed.
func (c call) startTrade() error {
	if len(c.Setup.Hosts) == 0 {
		return c.Redirect(dash.StartHoursPath, "")
	}
	v := dash.TradesPage{Frame: c.Frame(c.T("trade_ask"), ""), Steps: c.steps(3), SkipURL: dash.StartShopPath}
	for _, t := range trade.All {
		to := dash.StartServicesPath + "?trade=" + string(t)
		if t == trade.Other {
			to = dash.StartServicePath
		}
		v.Tiles = append(v.Tiles, dash.TradeTile{Trade: string(t), Label: c.T("trade_is_" + string(t)), URL: to})
	}
	return c.Show(http.StatusOK, dash.Trades(v))
}

// ownRows is how many services can be added to those that are proposed.
const ownRows = 2

func (c call) startServicesForm() error {
	t := trade.Trade(c.URL.Query().Get("trade"))
	if len(c.Setup.Hosts) == 0 || len(t.Services("")) == 0 {
		return c.Redirect(dash.StartTradePath, "")
	}
	return c.showStartServices(t, nil, nil)
}

// proposed returns what is proposed to the trade, without what there is.
func (c call) proposed(t trade.Trade) (all []trade.Service) {
	there := map[string]bool{}
	for i := range c.Setup.EventTypes {
		there[strings.ToLower(c.Setup.EventTypes[i].Title)] = true
	}
	for _, s := range t.Services(c.Locale.Language()) {
		if !there[strings.ToLower(s.Title)] {
			all = append(all, s)
		}
	}
	return all
}

// showStartServices shows ten services to correct and tick. In another currency than that of the proposals no price is
// proposed: an empty one has to be filled in, since null is what costs nothing.
func (c call) showStartServices(t trade.Trade, typed url.Values, e *fault.Error) error {
	w := &c.Setup.Workspace
	v := dash.ServicesPage{Frame: c.Frame(c.T("trade_services"), ""), Steps: c.steps(3), Trade: string(t), Text: c.T("trade_services_hint"),
		BackURL: dash.StartTradePath, SkipURL: dash.StartShopPath}
	row := func(s trade.Service, ticked bool) {
		n, name := strconv.Itoa(len(v.Rows)), cmp.Or(s.Title, c.T("trade_own"))
		g := dash.Group{Title: name, Inputs: []dash.Input{
			{Name: "on." + n, Label: c.T("trade_offer", "Service", name), Kind: "check", Checked: ticked},
			{Name: "title." + n, Label: c.T("trade_name_of", "Service", name), Value: s.Title},
			{Name: "minutes." + n, Label: c.T("trade_length_of", "Service", name), Suffix: c.T("dash_minutes_unit"), Decimal: true},
			{Name: "price." + n, Label: c.T("trade_price_of", "Service", name), Suffix: w.Currency, Decimal: true},
			{Name: "place." + n, Kind: "hidden", Value: string(s.Place)},
		}}
		if s.Title == "" {
			g.Inputs[1].Placeholder = name
		} else {
			g.Inputs[2].Value = strconv.Itoa(s.Minutes)
			if w.Currency == trade.Currency {
				g.Inputs[3].Value = strconv.FormatInt(s.Price, 10)
			}
		}
		v.Rows = append(v.Rows, g)
	}
	if typed == nil {
		for i, s := range c.proposed(t) {
			row(s, i < trade.Ticked && len(c.Setup.EventTypes) == 0)
		}
		for range ownRows {
			row(trade.Service{}, false)
		}
	} else {
		for i := range len(t.Services("")) + ownRows {
			if n := strconv.Itoa(i); typed.Has("title." + n) {
				row(trade.Service{Title: typed.Get("title." + n)}, false)
			}
		}
	}
	v.Problem = c.Fill(v.Rows, typed, e)
	return c.Show(web.RefusedStatus(e), dash.Services(v))
}

// startServices saves the services that are ticked: all of them, or none.
func (c call) startServices() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	t := trade.Trade(form.Get("trade"))
	if len(c.Setup.Hosts) == 0 || len(t.Services("")) == 0 {
		return c.Redirect(dash.StartTradePath, "")
	}
	all, err := c.tickedServices(t, form)
	if err == nil {
		err = c.Subjects.Shop.AddUsual(c.Context(), c.Actor, t, all)
	}
	if e := web.Refused(err); e != nil {
		return c.showStartServices(t, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.StartShopPath, "")
}

// tickedServices returns the services that are ticked in the form. What is wrong names the field of the row.
func (c call) tickedServices(t trade.Trade, form url.Values) (all []catalog.EventType, err error) {
	setup := *c.Setup
	for i := range len(t.Services("")) + ownRows {
		n := strconv.Itoa(i)
		if !form.Has("on." + n) {
			continue
		}
		e := catalog.NewEventType()
		e.Title = form.Get("title." + n)
		switch trade.Place(form.Get("place." + n)) {
		case trade.AtShop:
			e.Where = &catalog.Where{Kind: catalog.InPerson} // at the address of the business
		case trade.Online:
			e.Where = &catalog.Where{Kind: catalog.Video}
		}
		e.Slug = setup.FreeSlug(e.Title)
		for _, h := range c.Setup.Hosts {
			e.Hosts = append(e.Hosts, catalog.HostRef{ID: h.ID})
		}
		r := web.Reader{Form: form, Currency: c.Setup.Workspace.Currency}
		e.DurationMinutes, e.Price = r.Whole("minutes."+n), r.Money("price."+n)
		switch {
		case r.Err == nil && e.Price == nil:
			r.Err = fault.Invalid("price."+n, "give a price, or 0 where it costs nothing")
		case e.Price != nil && e.Price.Amount == 0:
			e.Price = nil
		}
		wrong := r.Err
		for _, problem := range web.Parts(fault.As(e.Problems())) {
			for field, name := range map[string]string{"title": "title.", "durationMinutes": "minutes.", "price": "price."} {
				if wrong == nil && strings.HasSuffix(problem.Field, field) {
					wrong = problem.About(name + n)
				}
			}
		}
		err = fault.Join(err, wrong)
		setup.EventTypes = append(setup.EventTypes[:len(setup.EventTypes):len(setup.EventTypes)], e)
		all = append(all, e)
	}
	if len(all) == 0 && err == nil {
		err = fault.Invalid("on", "tick at least one service, or do it later")
	}
	return all, err
}

// poster is how a poster and cards are printed.
func (c call) poster() error {
	w := &c.Setup.Workspace
	v := dash.PosterPage{Frame: c.Frame(c.T("trade_poster"), ""), Cards: c.URL.Query().Get("kind") == "cards",
		Trade: string(w.Settings.Trade), URL: c.Subjects.BaseURL() + "/" + w.Slug, Phone: w.Settings.Phone}
	v.Shown = web.TrimScheme(v.URL)
	if v.Cards {
		v.Title = c.T("trade_cards")
	}
	return c.Show(http.StatusOK, dash.Poster(v))
}
