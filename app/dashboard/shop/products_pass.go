package shop

import (
	"slices"
	"strconv"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/views/dash"
)

// What a product is, as its form sends it; "" is a thing.
const (
	sellsVisits = "credits"
	sellsAmount = "amount"
)

// sellsInput asks whether the product is a thing or a pass.
func (c call) sellsInput(p *catalog.PassTerms) dash.Input {
	in := dash.Input{Name: "sells", Label: c.T("pass_sells"), Kind: "select", Options: []dash.Option{{Label: c.T("pass_sells_thing")},
		{Value: sellsVisits, Label: c.T("pass_sells_visits")}, {Value: sellsAmount, Label: c.T("pass_sells_amount")}}}
	switch {
	case p == nil:
	case p.Credits > 0:
		in.Value = sellsVisits
	default:
		in.Value = sellsAmount
	}
	return in
}

// passGroup says what a pass pays for. The page hides it for a thing.
func (c call) passGroup(p *catalog.Product) dash.Group {
	terms := p.Pass
	if terms == nil {
		terms = &catalog.PassTerms{}
	}
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	visits := dash.Input{Name: "credits", Label: c.T("pass_visits"), Value: number(terms.Credits), Kind: "number", Min: "1",
		Max: strconv.Itoa(catalog.MaxCredits), Required: true, Half: true, Hint: c.T("pass_visits_hint")}
	amount := dash.Input{Name: "amount", Label: c.T("pass_amount"), Suffix: p.Price.Currency, Decimal: true, Required: true, Half: true,
		Hint: c.T("pass_amount_hint")}
	if terms.Amount > 0 {
		amount.Value = web.AmountText(&money.Money{Amount: terms.Amount, Currency: p.Price.Currency})
	}
	days := dash.Input{Name: "days", Label: c.T("pass_days"), Value: number(int64(terms.Days)), Kind: "number", Min: "1", Max: "3660", Half: true,
		Suffix: c.T("pass_days_unit"), Hint: c.T("pass_days_hint")}
	services := dash.Input{Name: "eventTypes", Label: c.T("pass_services"), Kind: "checks", Hint: c.T("pass_services_hint")}
	for i := range c.Setup.EventTypes {
		e := &c.Setup.EventTypes[i]
		picked := slices.Contains(terms.EventTypes, e.ID)
		if picked {
			services.Values = append(services.Values, e.ID.String())
		}
		if e.Active || picked {
			services.Options = append(services.Options, dash.Option{Value: e.ID.String(), Label: e.Title})
		}
	}
	g := dash.Group{ID: "pass", Title: c.T("pass_terms"), Inputs: []dash.Input{visits, amount, days}}
	if len(services.Options) > 0 {
		g.Inputs = append(g.Inputs, services)
	}
	return g
}

// readPassTerms reads what a pass pays for; nil for a thing.
func readPassTerms(r *web.Reader) *catalog.PassTerms {
	terms := &catalog.PassTerms{}
	missing := ""
	switch r.Form.Get("sells") {
	case sellsVisits:
		if terms.Credits = int64(r.Whole("credits")); terms.Credits == 0 {
			missing = "credits"
		}
	case sellsAmount:
		if m := r.Money("amount"); m != nil {
			terms.Amount = m.Amount
		}
		if terms.Amount == 0 {
			missing = "amount"
		}
	default:
		return nil
	}
	if missing != "" {
		r.Err = fault.Join(r.Err, fault.Invalid(missing, "is required"))
	}
	terms.Days = r.Whole("days")
	for _, text := range r.Form["eventTypes"] {
		if which, err := id.Parse[catalog.EventTypeIDKind](text); err == nil {
			terms.EventTypes = append(terms.EventTypes, which)
		}
	}
	return terms
}
