package calendar

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/pass"
	"daybook/views/dash"
)

// voucherLine reads a voucher that is sold: the amount that was tapped on, or the one that was typed.
func voucherLine(r *web.Reader) counter.SaleLineInput {
	line := counter.SaleLineInput{Kind: counter.VoucherLine, For: strings.TrimSpace(r.Form.Get("for"))}
	field := "worth"
	if r.Form.Get("round") != "" {
		field = "round"
	}
	if m := r.Money(field); m != nil {
		line.Amount = &m.Amount
	} else if r.Err == nil {
		r.Err = fault.Invalid(field, "is required")
	}
	return line
}

// voucherForm sells a voucher: with one of some round amounts, or any.
func (c call) voucherForm(s *counter.Sale, typed url.Values) *dash.SaleForm {
	if len(s.Lines) > 0 && s.Currency != c.Setup.Workspace.Currency {
		return nil
	}
	f := &dash.SaleForm{Title: c.T("pass_voucher_sell"), Submit: c.T("pass_voucher_add"), Do: "voucher"}
	f.Inputs = []dash.Input{
		{Name: "worth", Label: c.T("till_amount"), Suffix: s.Currency, Required: true, Decimal: true, Half: true, Autocomplete: "off"},
		{Name: "for", Label: c.T("pass_for"), Half: true, Autocomplete: "off", Hint: c.T("pass_for_hint")}}
	unit := money.Money{Currency: s.Currency}
	unit.Amount, _ = money.Parse("1", s.Currency)
	if unit.Amount == 1 { // such as yen
		unit.Amount = 100
	}
	for _, n := range []int64{25, 50, 100} {
		round := money.Money{Amount: n * unit.Amount, Currency: s.Currency}
		f.Quick = append(f.Quick, dash.Option{Value: web.AmountText(&round), Label: c.Money(&round)})
	}
	c.retype(f, typed)
	return f
}

// byPass asks for the code of a pass or voucher, with what was typed.
func (c call) byPass(action string, typed url.Values) *dash.PayByPass {
	return &dash.PayByPass{Action: action, Open: typed.Has("pass"),
		Code: dash.Input{Name: "pass", Label: c.T("pass_code"), Required: true, Autocomplete: "off", Value: typed.Get("pass")}}
}

// passesFor returns the passes of the sale's customer that pay for something that is due: the one that ends first is the first.
func (c call) passesFor(s *counter.Sale) (all []dash.Option, err error) {
	var due []catalog.EventTypeID
	contact := s.ContactID
	for i := range s.Lines {
		l := &s.Lines[i]
		if l.BookingID == nil || l.Due() == 0 {
			continue
		}
		b, err := c.Subjects.Booking(c.Context(), c.Actor, l.BookingID.String())
		if fault.Is(err, fault.NotFound) { // of another host
			continue
		} else if err != nil {
			return nil, err
		}
		due = append(due, b.EventTypeID)
		if contact == nil && b.ContactID != 0 {
			contact = &b.ContactID
		}
	}
	if contact == nil || len(due) == 0 {
		return nil, nil
	}
	return c.passesOf(*contact, s.Currency, due)
}

// passesOf returns the passes of a contact that pay for one of the services.
func (c call) passesOf(contact booking.ContactID, currency string, services []catalog.EventTypeID) (all []dash.Option, err error) {
	passes, err := c.PassesOf(contact)
	if err != nil {
		return nil, err
	}
	for i := range passes {
		p := &passes[i]
		if p.Kind == pass.Amount && p.Currency != currency || !slices.ContainsFunc(services, p.Covers) {
			continue
		}
		label := c.T("pass_left", "Name", c.PassName(p.Title), "Left", c.PassWorth(p, p.Balance))
		if until := c.PassUntil(p); until != "" {
			label += ", " + c.T("pass_until", "Day", until)
		}
		all = append(all, dash.Option{Value: p.ID.String(), Label: label})
	}
	return all, nil
}

// refusedPay is web.Refused for a payment, also by a code that nothing has.
func refusedPay(err error) *fault.Error {
	if e := fault.As(err); e != nil && e.Reason == "pass_unknown" {
		wrong := *e
		wrong.Code = fault.BadRequest
		return &wrong
	}
	return web.Refused(err)
}

// soldPasses returns links to the passes and vouchers that were sold, from where they are printed.
func (c call) soldPasses(s *counter.Sale) (all []dash.Fact) {
	for i := range s.Lines {
		if l := &s.Lines[i]; l.PassID != nil {
			name := c.SoldText(l.Kind, cmp.Or(l.For, l.Text))
			if l.Kind == counter.VoucherLine {
				name = c.T("pass_print_of", "Name", name)
			}
			all = append(all, dash.Fact{Name: name, URL: dash.PassPath(l.PassID.String())})
		}
	}
	return all
}
