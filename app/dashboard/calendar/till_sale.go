package calendar

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/views/dash"
)

// tilesShown is how many products the till shows; the rest is searched for.
const tilesShown = 24

// sell is the page of a sale in which nothing is yet.
func (c call) sell() error {
	return c.showSale(&counter.Sale{Status: counter.SaleOpen, Currency: c.Setup.Workspace.Currency}, c.URL.Query(), nil, nil)
}

// newSale makes a sale of a booking, of the product or pass that was tapped on, or of a voucher.
func (c call) newSale() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	var in counter.SaleInput
	if id := cmp.Or(c.URL.Query().Get("booking"), form.Get("booking")); id != "" {
		b, err := c.Subjects.Booking(c.Context(), c.Actor, id)
		if err != nil {
			return err
		}
		line := counter.SaleLineInput{Kind: counter.ServiceLine, BookingID: id}
		if form.Get("visit") != "" && b.InVisit() {
			line.BookingID, line.VisitID = "", b.Visit.ID.String()
		}
		in.Lines = append(in.Lines, line)
	}
	r := web.Reader{Form: form, Currency: c.Setup.Workspace.Currency}
	switch {
	case form.Get("product") != "":
		in.Lines = append(in.Lines, counter.SaleLineInput{Kind: counter.ProductLine, ProductID: form.Get("product")})
	case form.Get("pass") != "":
		in.Lines = append(in.Lines, counter.SaleLineInput{Kind: counter.PassLine, ProductID: form.Get("pass")})
	case form.Get("do") == "voucher":
		in.Lines = append(in.Lines, voucherLine(&r))
	}
	if r.Err != nil {
		return c.showSale(&counter.Sale{Status: counter.SaleOpen, Currency: r.Currency}, form, form, fault.As(r.Err))
	}
	sale, err := c.Subjects.Counter.Sell(c.Context(), c.Actor, in)
	if e := web.Refused(err); e != nil {
		if of, is := e.DetailsObject()["saleId"].(counter.SaleID); is && e.Reason == "in_sale" {
			return c.Redirect(saleURL(of.String(), form.Get("back")), "")
		}
		return c.showSale(&counter.Sale{Status: counter.SaleOpen, Currency: c.Setup.Workspace.Currency}, form, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(saleURL(sale.ID.String(), form.Get("back")), "")
}

// saleURL is the page of a sale, from which back is gone back to.
func saleURL(id, back string) string {
	if back == "" {
		return dash.SalePath(id)
	}
	return web.WithQuery(dash.SalePath(id), url.Values{"back": {back}})
}

func (c call) sale() error {
	sale, err := c.Subjects.Counter.Sale(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showSale(&sale, c.URL.Query(), nil, nil)
}

// postedSale returns the sale that a form is about, and what was sent.
func (c call) postedSale() (sale counter.Sale, form url.Values, err error) {
	if form, err = c.Posted(); err == nil {
		sale, err = c.Subjects.Counter.Sale(c.Context(), c.Actor, c.PathValue("id"))
	}
	return sale, form, err
}

// changeSale changes the lines of a sale: a product or pass that was tapped on, a voucher, a quantity, a line that leaves, the discount or the tip.
func (c call) changeSale() error {
	sale, form, err := c.postedSale()
	if err != nil {
		return err
	}
	in := linesOf(&sale)
	r := web.Reader{Form: form, Currency: sale.Currency}
	switch {
	case form.Get("product") != "":
		in.add(form.Get("product"))
	case form.Get("pass") != "":
		in.Lines = append(in.Lines, counter.SaleLineInput{Kind: counter.PassLine, ProductID: form.Get("pass")})
	case form.Get("do") == "voucher":
		in.Lines = append(in.Lines, voucherLine(&r))
	case form.Get("remove") != "":
		in.remove(form.Get("remove"))
	case form.Has("quantity"):
		if l := in.line(form.Get("line")); l != nil {
			n := r.Whole("quantity")
			l.Quantity = &n
		}
	case form.Get("do") == "tip":
		in.tip(r.Money("tip"), form.Get("clear") != "")
	case form.Get("do") == "discount":
		in.discount(&r)
	}
	if r.Err != nil {
		return c.showSale(&sale, form, form, fault.As(r.Err))
	}
	if len(in.Lines) == 0 {
		return c.endSale(&sale, form)
	}
	_, err = c.Subjects.Counter.ChangeSale(c.Context(), c.Actor, sale.ID.String(), in.SaleInput)
	if e := web.Refused(err); e != nil {
		return c.showSale(&sale, form, form, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(saleURL(sale.ID.String(), form.Get("back")), "")
}

// saleLines are what a sale has, as it is sent to be changed.
type saleLines struct {
	counter.SaleInput
	ids []string
}

func linesOf(s *counter.Sale) *saleLines {
	in := &saleLines{SaleInput: counter.SaleInput{Discount: s.Discount}}
	if s.ContactID != nil {
		in.ContactID = s.ContactID.String()
	}
	if s.HostID != nil {
		in.HostID = s.HostID.String()
	}
	for i := range s.Lines {
		l := &s.Lines[i]
		one := counter.SaleLineInput{Kind: l.Kind, Discount: l.Discount}
		switch l.Kind {
		case counter.ServiceLine:
			one.BookingID = l.BookingID.String()
		case counter.ProductLine:
			one.ProductID, one.Quantity = l.ProductID.String(), &l.Quantity
		case counter.PassLine:
			one.ProductID = l.ProductID.String()
		case counter.VoucherLine:
			one.Amount, one.For = &l.Amount, l.For
		case counter.TipLine:
			one.Amount = &l.Amount
		}
		if l.HostID != nil && l.Kind != counter.ServiceLine {
			one.HostID = l.HostID.String()
		}
		in.Lines, in.ids = append(in.Lines, one), append(in.ids, strconv.Itoa(l.ID))
	}
	return in
}

func (in *saleLines) line(id string) *counter.SaleLineInput {
	if i := slices.Index(in.ids, id); i >= 0 {
		return &in.Lines[i]
	}
	return nil
}

// add adds a product, or one more of it.
func (in *saleLines) add(product string) {
	for i := range in.Lines {
		if l := &in.Lines[i]; l.Kind == counter.ProductLine && l.ProductID == product {
			n := *l.Quantity + 1
			l.Quantity = &n
			return
		}
	}
	in.Lines = append(in.Lines, counter.SaleLineInput{Kind: counter.ProductLine, ProductID: product})
}

// remove takes a line out; a tip doesn't stand alone.
func (in *saleLines) remove(id string) {
	if i := slices.Index(in.ids, id); i >= 0 {
		in.Lines = slices.Delete(in.Lines, i, i+1)
	}
	if !slices.ContainsFunc(in.Lines, func(l counter.SaleLineInput) bool { return l.Kind != counter.TipLine }) {
		in.Lines = nil
	}
}

func (in *saleLines) tip(amount *money.Money, clear bool) {
	in.Lines = slices.DeleteFunc(in.Lines, func(l counter.SaleLineInput) bool { return l.Kind == counter.TipLine })
	if amount != nil && amount.Amount > 0 && !clear {
		in.Lines = append(in.Lines, counter.SaleLineInput{Kind: counter.TipLine, Amount: &amount.Amount})
	}
}

// discount sets the discount that the form says, of a line or of all.
func (in *saleLines) discount(r *web.Reader) {
	d := &counter.Discount{Reason: strings.TrimSpace(r.Form.Get("reason"))}
	if r.Form.Get("unit") == "percent" {
		d.Percent = r.Rate("off")
	} else if m := r.Money("off"); m != nil {
		d.Amount = &m.Amount
	}
	switch {
	case r.Form.Get("clear") != "":
		d = nil
	case d.Percent == nil && d.Amount == nil && r.Err == nil:
		r.Err = fault.Invalid("off", "is required")
		return
	}
	if l := in.line(r.Form.Get("of")); l != nil {
		l.Discount = d
		return
	}
	in.Discount = d
	if d == nil { // all of them
		for i := range in.Lines {
			in.Lines[i].Discount = nil
		}
	}
}

func (c call) paySale() error {
	sale, form, err := c.postedSale()
	if err != nil {
		return err
	}
	payments := []counter.SalePaymentInput{}
	switch {
	case form.Has("pass"):
		code := strings.TrimSpace(form.Get("pass"))
		if code == "" {
			return c.showSale(&sale, form, form, fault.As(fault.Invalid("pass", "is required")))
		}
		payments = append(payments, counter.SalePaymentInput{Pass: code})
	case form.Has("method"):
		r := web.Reader{Form: form, Currency: sale.Currency}
		in := counter.SalePaymentInput{Method: booking.Method(form.Get("method")), Amount: amountOf(r.Money("amount")), Note: form.Get("note")}
		if m := r.Money("tendered"); m != nil && in.Method == booking.ByCash {
			in.Tendered = &m.Amount
		}
		if r.Err != nil {
			return c.showSale(&sale, form, form, fault.As(r.Err))
		}
		payments = append(payments, in)
	}
	_, err = c.Subjects.Counter.PaySale(c.Context(), c.Actor, sale.ID.String(), payments)
	switch e := refusedPay(err); {
	case e != nil && sale.Status != counter.SaleOpen:
		return c.Redirect(saleURL(sale.ID.String(), form.Get("back")), "") // tapped twice, it is paid
	case e != nil:
		return c.showSale(&sale, form, form, e)
	case err != nil:
		return err
	}
	return c.Redirect(saleURL(sale.ID.String(), form.Get("back")), "took")
}

func (c call) voidSale() error {
	sale, err := c.Subjects.Counter.Sale(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.endSale(&sale, c.URL.Query())
}

// endSale gives a sale up, and goes back to where it began.
func (c call) endSale(sale *counter.Sale, asked url.Values) error {
	_, err := c.Subjects.Counter.VoidSale(c.Context(), c.Actor, sale.ID.String())
	if e := web.Refused(err); e != nil {
		return c.showSale(sale, asked, nil, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(web.BackTo(asked.Get("back"), dash.TodayPath), "")
}

func (c call) refundSale() error {
	sale, form, err := c.postedSale()
	if err != nil {
		return err
	}
	r := web.Reader{Form: form, Currency: sale.Currency}
	in := counter.SaleRefundInput{}
	if m := r.Money("amount"); m != nil {
		in.Amount = &m.Amount
	}
	if r.Err != nil {
		return c.showSale(&sale, form, nil, fault.As(r.Err))
	}
	_, err = c.Subjects.Counter.RefundSale(c.Context(), c.Actor, sale.ID.String(), in)
	if e := web.Refused(err); e != nil {
		return c.showSale(&sale, form, nil, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(saleURL(sale.ID.String(), form.Get("back")), "gave")
}
