package calendar

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/views"
	"daybook/views/dash"
)

// showSale is the page of a sale. asked says where to go back to and which products are searched for.
func (c call) showSale(s *counter.Sale, asked, typed url.Values, e *fault.Error) error {
	id, back := s.ID.String(), asked.Get("back")
	v := dash.SalePage{Frame: c.Frame(c.T("sale_title"), "till"), BackURL: web.BackTo(back, dash.TodayPath), BackLabel: c.T("shell_today"),
		Text: s.Customer, Action: dash.SalePath(id), SearchURL: dash.SalePath(id), Q: asked.Get("q"), New: s.ID == 0 && asked.Get("q") == "",
		Fixed: s.Status != counter.SaleOpen || len(s.Payments) > 0}
	if s.ID == 0 {
		v.Action, v.SearchURL = dash.SellPath, dash.SellPath
	}
	if back != "" {
		v.Hidden = append(v.Hidden, views.Pair{Name: "back", Value: back})
		if web.BackTo(back, "") != "" && !strings.HasPrefix(back, dash.TodayPath+"?") && back != dash.TodayPath {
			v.BackLabel = c.T("dash_booking")
		}
	}
	if strings.HasPrefix(back, dash.TillPath) {
		v.BackLabel = c.T("till_title")
	}
	amount := func(n int64) string { return c.Money(&money.Money{Amount: n, Currency: s.Currency}) }
	v.Problem, v.Notice = c.saleProblem(e), c.notCertified()
	for i := range s.Lines {
		v.Lines = append(v.Lines, c.saleLine(s, &s.Lines[i], v.Fixed, amount))
	}
	v.Total = amount(s.Total)
	if s.Discounted > 0 {
		v.Sums = append(v.Sums, dash.Fact{Name: c.saleReason(s.Discount), Value: amount(-s.Discounted)})
	}
	may := c.May(app.MayTakeMoney)
	if !v.Fixed && len(s.Lines) > 0 && may {
		if c.May(app.MayGiveDiscount) {
			v.Discount = c.discountForm(s, typed)
		}
		v.Tip = c.tipForm(s, typed)
		v.VoidURL = dash.SalePath(id) + "/void"
		if back != "" {
			v.VoidURL = web.WithQuery(v.VoidURL, url.Values{"back": {back}})
		}
	}
	if !v.Fixed {
		if err := c.productTiles(&v, s); err != nil {
			return err
		}
		if may {
			v.Voucher = c.voucherForm(s, typed)
		}
	}
	if s.Status == counter.SaleOpen && s.ID != 0 && may {
		v.Pay = c.salePay(s, typed, amount)
		var err error
		if v.Pay.ByPass.Passes, err = c.passesFor(s); err != nil {
			return err
		}
		v.Pay.ByPass.Hidden = v.Hidden
	}
	c.salePaid(&v, s, may, amount)
	if err := c.soldOnline(&v, s); err != nil {
		return err
	}
	return c.Show(web.RefusedStatus(e), dash.Sale(v))
}

func (c call) saleLine(s *counter.Sale, l *counter.SaleLine, fixed bool, amount func(int64) string) dash.SaleLine {
	line := dash.SaleLine{Text: c.lineText(l), ID: strconv.Itoa(l.ID), Amount: amount(l.Amount)}
	if l.HostID != nil {
		if h := c.Setup.Host(*l.HostID); h != nil {
			line.Note = h.Name
		}
	}
	if l.OwnDiscount > 0 {
		line.Off = c.saleReason(l.Discount) + " " + amount(-l.OwnDiscount)
	}
	if l.Kind == counter.ProductLine {
		if fixed {
			line.Text += c.Locale.Times(l.Quantity, l.Amount, s.Currency)
		} else {
			line.Quantity = strconv.Itoa(l.Quantity)
		}
	}
	if !fixed && c.May(app.MayTakeMoney) {
		line.Remove = c.T("sale_remove", "Name", line.Text)
	}
	return line
}

// lineText names what a line sells.
func (c call) lineText(l *counter.SaleLine) string {
	if l.Kind == counter.VoucherLine {
		return c.VoucherName(l.For)
	}
	return c.SoldText(l.Kind, l.Text)
}

// saleReason names a discount: by its reason, and its percentage.
func (c call) saleReason(d *counter.Discount) string {
	name := c.T("sale_discount")
	if d != nil && d.Reason != "" {
		name = d.Reason
	}
	if d != nil && d.Percent != nil {
		name += " " + c.percent(*d.Percent)
	}
	return name
}

func (c call) discountForm(s *counter.Sale, typed url.Values) *dash.SaleForm {
	f := &dash.SaleForm{Title: c.T("sale_discount_give"), Submit: c.T("sale_discount_take"), Do: "discount"}
	off := dash.Input{Name: "off", Label: c.T("sale_discount"), Required: true, Decimal: true, Half: true, Autocomplete: "off"}
	unit := dash.Input{Name: "unit", Kind: "select", Label: c.T("sale_unit"), Half: true, Value: "percent",
		Options: []dash.Option{{Value: "percent", Label: "%"}, {Value: "amount", Label: s.Currency}}}
	reason := dash.Input{Name: "reason", Label: c.T("sale_reason"), Hint: c.T("sale_reason_hint"), Autocomplete: "off"}
	of := dash.Input{Name: "of", Kind: "select", Label: c.T("sale_of"), Options: []dash.Option{{Label: c.T("sale_of_all")}}}
	discounted := s.Discount != nil
	for i := range s.Lines {
		if l := &s.Lines[i]; l.Kind != counter.TipLine {
			of.Options = append(of.Options, dash.Option{Value: strconv.Itoa(l.ID), Label: c.lineText(l)})
			discounted = discounted || l.Discount != nil
		}
	}
	if d := s.Discount; d != nil {
		reason.Value = d.Reason
		if d.Percent != nil {
			off.Value = d.Percent.String()
		} else {
			off.Value, unit.Value = money.Short(*d.Amount, s.Currency), "amount"
		}
	}
	f.Inputs = []dash.Input{off, unit, reason, of}
	if discounted {
		f.Clear = c.T("sale_discount_clear")
	}
	c.retype(f, typed)
	return f
}

func (c call) tipForm(s *counter.Sale, typed url.Values) *dash.SaleForm {
	f := &dash.SaleForm{Title: c.T("till_tip"), Submit: c.T("sale_tip_add"), Do: "tip"}
	in := dash.Input{Name: "tip", Label: c.T("till_tip"), Suffix: s.Currency, Required: true, Decimal: true, Autocomplete: "off"}
	for i := range s.Lines {
		if l := &s.Lines[i]; l.Kind == counter.TipLine {
			in.Value = money.Short(l.Amount, s.Currency)
			f.Clear = c.T("sale_tip_clear")
		}
	}
	f.Inputs = []dash.Input{in}
	c.retype(f, typed)
	return f
}

// retype keeps what was typed into the form that was refused.
func (c call) retype(f *dash.SaleForm, typed url.Values) {
	if typed.Get("do") != f.Do {
		return
	}
	f.Open = true
	for i := range f.Inputs {
		f.Inputs[i].Value = typed.Get(f.Inputs[i].Name)
	}
}

// productTiles adds the products that can be tapped on.
func (c call) productTiles(v *dash.SalePage, s *counter.Sale) error {
	most := tilesShown
	page, err := c.Subjects.Shop.Products(c.Context(), c.Actor, catalog.ProductFilter{Text: v.Q}, &most, "")
	if err != nil {
		return err
	}
	pictures, err := c.Subjects.Shop.PicturesOf(c.Context(), c.Actor, page.Data)
	if err != nil {
		return err
	}
	for i := range page.Data {
		p := &page.Data[i]
		if len(s.Lines) > 0 && p.Price.Currency != s.Currency {
			continue
		}
		tile := dash.Product{ID: p.ID.String(), Name: p.Name, Price: c.Price(&p.Price), Pass: p.Pass != nil, Left: c.PassTerms(p)}
		if p.Stock != nil && !tile.Pass {
			tile.Left = c.T("sale_left", "Count", *p.Stock)
		}
		if picture, is := pictures[p.Picture]; is {
			tile.Image = web.Image(&picture, "")
		}
		v.Products = append(v.Products, tile)
	}
	switch {
	case page.HasMore:
		v.More = c.T("sale_more_products")
	case len(v.Products) > 0:
	case v.Q != "":
		v.None = c.T("product_nothing")
	default:
		v.None = c.T("sale_no_products")
	}
	return nil
}

func (c call) salePay(s *counter.Sale, typed url.Values, amount func(int64) string) *dash.SalePay {
	p := &dash.SalePay{Due: amount(s.Due), Action: dash.SalePath(s.ID.String()) + "/pay", Method: string(booking.ByCash), Free: s.Due == 0}
	for _, m := range booking.Methods {
		p.Methods = append(p.Methods, dash.Option{Value: string(m), Label: c.MethodName(m)})
	}
	p.Inputs = []dash.Input{
		{Name: "amount", Label: c.T("till_amount"), Required: true, Suffix: s.Currency, Half: true, Decimal: true, Autocomplete: "off",
			Hint: c.T("till_amount_hint"), Value: money.Short(s.Due, s.Currency)},
		{Name: "tendered", Label: c.T("sale_tendered"), Suffix: s.Currency, Half: true, Decimal: true, Autocomplete: "off", Hint: c.T("sale_tendered_hint")},
		{Name: "note", Label: c.T("till_note"), Hint: c.T("till_note_hint"), Autocomplete: "off"}}
	p.ByPass = *c.byPass(p.Action, typed)
	if typed.Has("method") {
		p.Method = typed.Get("method")
		for i := range p.Inputs {
			p.Inputs[i].Value = typed.Get(p.Inputs[i].Name)
		}
	}
	return p
}

// soldOnline says what somebody has to see to of a sale that was made on the booking page.
func (c call) soldOnline(v *dash.SalePage, s *counter.Sale) error {
	if s.ID == 0 || s.Status == counter.SaleOpen {
		return nil
	}
	o, err := c.Subjects.Counter.SaleOrder(c.Context(), c.Actor, s.ID.String())
	if err != nil || o == nil || v.Problem != "" {
		return err
	}
	for _, b := range o.Refunds {
		if b.Error != "" {
			v.Problem = c.T("pass_online_failed", "Why", b.Error)
		}
	}
	if o.Dispute != "" && o.Blocked {
		v.Problem = c.T("pass_online_disputed")
	}
	return nil
}

// salePaid adds what was paid, and what can be given back of it.
func (c call) salePaid(v *dash.SalePage, s *counter.Sale, may bool, amount func(int64) string) {
	v.Settled = s.Status == counter.SalePaid
	switch {
	case s.Status == counter.SaleVoid:
		v.State = c.T("sale_voided")
	case s.Status != counter.SaleOpen && s.Refunded > 0:
		v.State = c.T("till_back", "Amount", amount(s.Refunded))
	case v.Settled:
		v.State = c.T("till_paid_amount", "Amount", amount(s.Paid))
	case s.Paid > 0:
		v.State = c.T("till_part", "Paid", amount(s.Paid), "Due", amount(s.Due))
	}
	for i := range s.Payments {
		p := &s.Payments[i]
		row := dash.TillRow{Text: amount(p.Amount) + " · " + c.PaidBy(p.Method, p.Pass), When: c.Day(c.At(p.CreatedAt)) + ", " + c.Clock(p.CreatedAt),
			Note: p.Note, Gone: p.RefundedAmount == p.Amount}
		if p.RefundedAmount > 0 && !row.Gone {
			row.When += " · " + c.T("till_back", "Amount", amount(p.RefundedAmount))
		}
		if p.Change != nil && *p.Change > 0 {
			row.When += " · " + c.T("sale_change_of", "Amount", amount(*p.Change))
			if i == len(s.Payments)-1 && p.RefundedAmount == 0 {
				v.Change = amount(*p.Change)
			}
		}
		v.Rows = append(v.Rows, row)
	}
	if s.ReceiptID != nil {
		v.ReceiptURL = dash.ReceiptPath(s.ReceiptID.String())
	}
	v.Passes = c.soldPasses(s)
	if may && s.Paid > 0 {
		v.Refund = &dash.Danger{Title: c.T("till_give_back"), Text: c.T("till_give_back_text"), Action: dash.SalePath(s.ID.String()) + "/refund",
			Submit: c.T("till_give_back"), Hidden: v.Hidden, Inputs: []dash.Input{{Name: "amount", Label: c.T("till_amount"), Required: true,
				Suffix: s.Currency, Decimal: true, Autocomplete: "off", Value: money.Short(s.Paid, s.Currency), ID: "back-amount"}}}
	}
}

// saleProblem says in the member's language what was wrong.
func (c call) saleProblem(e *fault.Error) string {
	switch {
	case e == nil:
		return ""
	case e.Reason == "discount_too_high":
		return c.T("sale_discount_high")
	case e.Reason == "sale_fixed":
		return c.T("sale_is_fixed")
	case strings.HasSuffix(e.Field, ".tendered") || e.Field == "tendered":
		return c.T("sale_tendered_low")
	case strings.HasPrefix(e.Field, "discount") || strings.HasSuffix(e.Field, ".discount") || strings.HasSuffix(e.Field, ".percent") || e.Field == "off":
		return c.T("sale_discount_bad")
	case strings.HasSuffix(e.Field, "quantity"):
		return c.T("sale_quantity_bad")
	case e.Reason == "overpaid":
		return c.T("till_overpaid")
	case strings.HasPrefix(e.Text().Format, "leaves ") || e.Reason == "pass_used":
		return c.Sentence(e)
	case e.Field == "worth" || e.Field == "round":
		return c.T("till_bad_amount")
	case e.Field == "pass" || strings.HasSuffix(e.Field, ".pass"):
		return c.Sentence(e)
	case strings.HasPrefix(e.Field, "payments[") || strings.HasSuffix(e.Field, ".amount") || e.Field == "amount" || e.Field == "tip":
		return c.T("till_bad_amount")
	}
	return c.Sentence(c.inWords(e))
}

// laws are what asks for certified tills, by country.
var laws = map[string]string{"DE": "§ 146a AO, KassenSichV", "AT": "RKSV", "FR": "art. 286 CGI", "ES": "RD 1007/2023, Verifactu",
	"IT": "D.Lgs. 127/2015"}

// tillLaw names the law of the workspace's country that asks for a certified till; "" where none is known.
func (c call) tillLaw() string {
	law := laws[c.Setup.Workspace.PhoneCountry()]
	if law == "" {
		return ""
	}
	return c.T("sale_law", "Law", law)
}

// notCertified says that Daybook is no certified till, and by which law one may be needed.
func (c call) notCertified() string {
	return strings.TrimSpace(c.T("till_not_certified") + " " + c.tillLaw())
}

// openSales returns the sales that wait to be paid, the latest first, at most some.
func (c call) openSales(back string) (all []dash.OpenSale, err error) {
	if !c.May(app.MaySeeReceipts) {
		return nil, nil
	}
	most := 20
	page, err := c.Subjects.Counter.Sales(c.Context(), c.Actor, counter.SaleQuery{Status: string(counter.SaleOpen), Limit: &most})
	if err != nil {
		return nil, err
	}
	for i := range page.Data {
		s := &page.Data[i]
		var what []string
		for _, l := range s.Lines {
			if l.Kind != counter.TipLine {
				what = append(what, c.lineText(&l))
			}
		}
		all = append(all, dash.OpenSale{URL: saleURL(s.ID.String(), back), Name: cmp.Or(s.Customer, c.T("sale_title")), Text: strings.Join(what, ", "),
			Due: c.T("till_due_amount", "Amount", c.Money(&money.Money{Amount: s.Due, Currency: s.Currency}))})
	}
	return all, nil
}
