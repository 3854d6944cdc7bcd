package page

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/money"
	"daybook/app/pass"
	"daybook/app/when"
	"daybook/views"
)

// How many vouchers are ordered in an hour, paid or not: from a network address, and of a workspace.
const (
	ordersPerAddress   = 10
	ordersPerWorkspace = 300
)

// usualVouchers are the amounts that are offered, in whole units of the currency.
var usualVouchers = []int64{25, 50, 100}

// voucherForm shows the form by which a voucher is bought.
func voucherForm(c *call) error {
	if shown, err := c.enterVoucher(); err != nil || shown {
		return err
	}
	return c.showVoucher(http.StatusOK, url.Values{"amount": {"50"}}, nil, "")
}

// enterVoucher finds the workspace. Where it sells none, it shows the service of that name, or that there is no such page.
func (c *call) enterVoucher() (shown bool, err error) {
	if err := c.enter(); err != nil {
		return false, err
	}
	sells, err := c.sellsVouchers()
	if err != nil {
		return false, err
	}
	if c.setup.EventType(counter.VoucherPath[1:]) != nil || !sells {
		c.r.SetPathValue("eventType", counter.VoucherPath[1:])
		if c.r.Method == http.MethodPost {
			return true, book(c)
		}
		return true, event(c)
	}
	c.personal = true
	return false, nil
}

// sellsVouchers reports whether vouchers are sold here: not where no mails go out, since the buyer has the receipt by one.
func (c *call) sellsVouchers() (bool, error) {
	if !c.service.Counter.SellsVouchers(c.setup) {
		return false, nil
	}
	route, err := c.service.Mail.MailRoute(c.r.Context(), c.setup.Workspace.ID)
	return route != nil, err
}

// showVoucher shows the form as it was typed, with what is wrong in each field.
func (c *call) showVoucher(status int, typed url.Values, wrong map[string]string, problem string) error {
	currency := c.setup.Workspace.Currency
	unit := money.Unit(currency)
	shown := func(amount int64) string { return c.locale.Money(views.Money{Amount: amount, Currency: currency}) }
	p := views.VoucherPage{Page: c.page(), Action: views.VoucherPath(c.slug(), c.query.Look()), Problem: problem}
	p.Title = c.locale.T("voucher_title")
	for _, n := range usualVouchers {
		value := strconv.FormatInt(n, 10)
		p.Amounts = append(p.Amounts, views.VoucherAmount{Value: value, Text: shown(n * unit), Picked: typed.Get("amount") == value && typed.Get("other") == ""})
	}
	least, most := counter.VoucherBounds(currency)
	field := func(name string, kind views.FieldKind, label, hint string) views.Field {
		return views.Field{Name: name, Kind: kind, Label: c.locale.T(label), Hint: hint, Value: typed.Get(name), Error: wrong[name]}
	}
	p.Other = field("other", views.Number, "voucher_other", c.locale.T("voucher_bounds", "Least", shown(least), "Most", shown(most)))
	whom := field("for", views.Text, "voucher_for", c.locale.T("voucher_for_hint"))
	buyer := field("buyer", views.Email, "voucher_buyer", c.locale.T("voucher_buyer_hint"))
	buyer.Required, buyer.Autocomplete = true, "email"
	p.Fields = []views.Field{whom, buyer}
	p.Mail = []views.Field{field("to", views.Email, "voucher_to", ""), field("day", views.Date, "voucher_day", c.locale.T("voucher_day_hint"))}
	p.Open = typed.Get("to") != "" || typed.Get("day") != "" || wrong["to"] != "" || wrong["day"] != ""
	return c.show(status, views.VoucherView(p))
}

// orderVoucher leads to the page on which a voucher is paid.
func orderVoucher(c *call) error {
	if shown, err := c.enterVoucher(); err != nil || shown {
		return err
	}
	if err := c.r.ParseForm(); err != nil {
		return formError(err)
	}
	typed := c.r.PostForm
	if typed.Get(views.HoneypotName) != "" {
		return c.showVoucher(http.StatusUnprocessableEntity, typed, nil, c.locale.T("failed_text"))
	}
	currency := c.setup.Workspace.Currency
	in := counter.OrderInput{For: strings.TrimSpace(typed.Get("for")), To: strings.TrimSpace(typed.Get("to")), Day: typed.Get("day"),
		Buyer: strings.TrimSpace(typed.Get("buyer")), Locale: c.locale.Tag}
	amount := typed.Get("amount")
	if other := strings.TrimSpace(typed.Get("other")); other != "" {
		amount = other
	}
	in.Amount, _ = money.Parse(amount, currency)
	wrong := map[string]string{}
	if in.To == "" && in.Day != "" {
		wrong["to"] = c.locale.T("error_required")
		return c.showVoucher(http.StatusUnprocessableEntity, typed, wrong, "")
	}
	ctx, ws := c.r.Context(), c.setup.Workspace.ID
	if err := c.service.Gate.Count(ctx, gate.Client{Address: c.clientIP(ctx), Most: ordersPerAddress, What: "voucher order"}); err != nil {
		return err
	}
	if err := c.service.Gate.CountOf(ctx, "voucher orders "+ws.String(), ordersPerWorkspace); err != nil {
		return err
	}
	to, err := c.service.Counter.OrderVoucher(ctx, ws, in)
	refused := fault.Refusal(err)
	switch {
	case err == nil:
		http.Redirect(c.w, c.r, to, http.StatusSeeOther)
		return nil
	case refused == nil:
		return err
	case refused.Reason == "payments_unavailable":
		return c.showVoucher(http.StatusConflict, typed, nil, c.locale.T("voucher_unavailable"))
	case refused.Code != fault.BadRequest:
		return err
	}
	least, most := counter.VoucherBounds(currency)
	shown := func(amount int64) string { return c.locale.Money(views.Money{Amount: amount, Currency: currency}) }
	for _, e := range append([]*fault.Error{refused}, refused.Others...) {
		switch e.Field {
		case "amount":
			wrong["other"] = c.locale.T("voucher_bounds", "Least", shown(least), "Most", shown(most))
		case "for":
			wrong["for"] = c.locale.T("error_characters")
		case "day":
			wrong["day"] = c.locale.T("voucher_day_wrong")
		default:
			if wrong[e.Field] = c.locale.T("error_email"); strings.TrimSpace(typed.Get(e.Field)) == "" {
				wrong[e.Field] = c.locale.T("error_required")
			}
		}
	}
	return c.showVoucher(http.StatusUnprocessableEntity, typed, wrong, "")
}

// bought shows a voucher to who has paid for it.
func bought(c *call) error {
	if err := c.enter(); err != nil {
		return err
	}
	c.personal = true
	o, err := c.service.Counter.OrderByToken(c.r.Context(), c.setup, c.r.PathValue("token"))
	if err != nil {
		return err
	}
	return c.showBought(http.StatusOK, &o, "")
}

// printBought shows the code of a voucher to who has paid for it.
func printBought(c *call) error {
	if err := c.enter(); err != nil {
		return err
	}
	c.personal = true
	ctx, token := c.r.Context(), c.r.PathValue("token")
	code, _, err := c.service.Counter.PrintOrder(ctx, c.setup, token)
	if fault.Refusal(err) != nil && fault.Refusal(err).Code == fault.Conflict {
		code, err = "", nil
	}
	if err != nil {
		return err
	}
	o, err := c.service.Counter.OrderByToken(ctx, c.setup, token)
	if err != nil {
		return err
	}
	return c.showBought(http.StatusOK, &o, code)
}

func (c *call) showBought(status int, o *counter.Order, code string) error {
	p := views.BoughtPage{Page: c.page(), Waits: o.PassID == 0, For: o.For, Code: code,
		Worth: c.locale.T("voucher_worth", "Amount", c.locale.Money(views.Money{Amount: o.Amount, Currency: o.Currency}))}
	p.Title = c.locale.T("voucher_thanks")
	if p.Waits {
		p.Title, p.Text = c.locale.T("voucher_waits"), c.locale.T("voucher_waits_text")
		return c.show(status, views.BoughtView(p))
	}
	v, err := c.service.Counter.OrderedPass(c.r.Context(), o)
	if err != nil {
		return err
	}
	v.Show(when.At(c.service.Now()))
	switch {
	case v.Stopped:
		p.Text = c.locale.T("voucher_stopped")
	case o.Mailed:
		p.Text = c.locale.T("voucher_mailed")
	case v.Balance != v.Face:
		p.Text = c.locale.T("voucher_begun")
	case code == "":
		p.Action, p.Again = c.r.URL.RequestURI(), v.Code == pass.HasCode
		p.Text = c.locale.T("voucher_print_text")
	}
	return c.show(status, views.BoughtView(p))
}
