package calendar

import (
	"net/url"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/text"
	"daybook/views"
	"daybook/views/dash"
)

// issue makes a receipt of what is paid so far.
func (c call) issue() error {
	r, err := c.Subjects.Counter.IssueReceipt(c.Context(), c.Actor, c.PathValue("id"))
	if e := web.Refused(err); e != nil {
		return c.Redirect(dash.BookingPath(c.PathValue("id")), "") // there is nothing for one any more
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.ReceiptPath(r.ID.String()), "")
}

// receiptName returns what a receipt is called: "Receipt 2026-17".
func (c call) receiptName(r *counter.Receipt) string {
	if r.Kind == counter.Reversal {
		return c.T("till_reversal_number", "Number", r.Number)
	}
	return c.T("till_receipt_number", "Number", r.Number)
}

func (c call) receipt() error {
	r, err := c.Subjects.Counter.Receipt(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showReceipt(&r, nil, nil, "")
}

// mailReceipt sends a receipt to the address of the form.
func (c call) mailReceipt() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	id, said, sent := c.PathValue("id"), "mailed", counter.Sent{}
	if form.Has("customer") {
		sent, err = c.Subjects.Counter.SendReceipt(c.Context(), c.Actor, id)
		switch {
		case sent.Mail != "" && sent.Text != "":
			said = "receipt-both"
		case sent.Text != "":
			said = "receipt-texted"
		case sent.Mail != "":
			said = "receipt-mailed"
		}
	} else {
		err = c.Subjects.Counter.MailReceipt(c.Context(), c.Actor, id, form.Get("email"))
	}
	e := web.Refused(err)
	if err != nil && e == nil {
		return err
	}
	if e != nil || form.Has("customer") && sent.Mail == "" && sent.Text == "" {
		r, err := c.Subjects.Counter.Receipt(c.Context(), c.Actor, id)
		if err != nil {
			return err
		}
		return c.showReceipt(&r, form, e, sent.Why)
	}
	return c.Redirect(dash.ReceiptPath(id), said)
}

// receiptCustomer returns the form that sends a receipt the way that its customer likes, and the texts by which it went; nil
// where there is none. why is for what reason it has just not been sent.
func (c call) receiptCustomer(r *counter.Receipt, b *booking.Booking, e *fault.Error, why string) (*dash.ReceiptCustomer, error) {
	if !c.Setup.Workspace.Texts || !c.May(app.MayMailReceipts) || b.Invitee.Erased() {
		return nil, nil
	}
	texts, err := c.Subjects.Text.ReceiptTexts(c.Context(), c.Actor, *r)
	if err != nil {
		return nil, err
	}
	v := &dash.ReceiptCustomer{}
	if e != nil {
		v.Problem = c.Sentence(e)
	} else if why != "" {
		v.Problem = c.T("call_why_" + why)
	}
	for i := range texts {
		t := &texts[i]
		state := c.T(receiptStates[t.State])
		if not := t.NotSent(); not != "" {
			state = c.T("call_why_" + string(not))
		}
		v.Sent = append(v.Sent, dash.Fact{Name: c.T("till_text_to", "Phone", t.To), Value: state})
	}
	return v, nil
}

// receiptStates are what is said of a text with a receipt.
var receiptStates = map[text.State]string{text.Waiting: "connect_mail_state_waiting", text.Sent: "connect_mail_state_sent",
	text.Delivered: "texts_state_delivered", text.Perhaps: "texts_state_perhaps", text.Failed: "connect_mail_state_failed",
	text.Dropped: "connect_mail_state_dropped"}

// receiptMail returns the form that mails a receipt; nil where the customer was deleted, or who looks may not.
func (c call) receiptMail(b *booking.Booking, typed url.Values, e *fault.Error) (*dash.ReceiptMail, error) {
	if !c.May(app.MayMailReceipts) || b.Invitee.Erased() {
		return nil, nil
	}
	route, err := c.Subjects.Mail.MailRoute(c.Context(), c.Actor.Workspace)
	if err != nil || route == nil {
		return &dash.ReceiptMail{}, err
	}
	v := &dash.ReceiptMail{Groups: []dash.Group{{Inputs: []dash.Input{{Name: "email", Label: c.T("dash_email"),
		Kind: "email", Value: b.Invitee.Email, Required: true, Autocomplete: "off"}}}}}
	v.Problem = c.Fill(v.Groups, typed, e)
	return v, nil
}

// discountText names a discount on a receipt, with its reason.
func discountText(name, reason string) string {
	if reason == "" {
		return name
	}
	return name + " · " + reason
}

// showReceipt shows a receipt. e and why are what was wrong with sending it, for the form that typed is of.
func (c call) showReceipt(r *counter.Receipt, typed url.Values, e *fault.Error, why string) error {
	id := r.ID.String()
	money := func(n int64) string { return c.fullMoney(n, r.Currency) }
	v := dash.ReceiptPage{Frame: c.Frame(c.receiptName(r), "till"), BackURL: dash.ReceiptsPath,
		BackLabel: c.T("till_receipts"), Heading: c.receiptName(r), Reversal: r.Kind == counter.Reversal,
		Business: r.Business.Name, Total: money(r.Total), Law: c.tillLaw()}
	for _, line := range []string{r.Business.Address, r.Business.Phone} {
		if line != "" {
			v.About = append(v.About, line)
		}
	}
	if n := r.Business.TaxNumber; n != "" {
		v.About = append(v.About, c.T("till_tax_number", "Number", n))
	}
	fact := func(key, value string) {
		if value != "" {
			v.Facts = append(v.Facts, dash.Fact{Name: c.T(key), Value: value})
		}
	}
	fact("till_date", c.Locale.Date(c.At(r.IssuedAt))+", "+c.Clock(r.IssuedAt))
	fact("till_customer", r.Customer)
	if len(r.Bookings()) > 0 {
		fact("till_visit", c.Locale.Date(c.At(r.Start))+", "+c.Clock(r.Start))
	}
	if r.Rounding != "" { // by line
		fact("sale_rounding", c.T("sale_rounded_by_line"))
	}
	for _, l := range r.Lines {
		line := dash.ReceiptLine{Text: c.SoldText(l.Kind, l.Text), Amount: money(l.Amount)}
		if l.Kind == counter.DiscountLine {
			line.Text = discountText(c.T("sale_discount"), l.Text)
		}
		line.Text += c.Locale.Times(l.Quantity, l.Amount, r.Currency)
		if l.TaxRate != nil {
			line.Rate = c.percent(*l.TaxRate)
		}
		v.Lines = append(v.Lines, line)
	}
	for _, x := range r.Taxes {
		v.Taxes = append(v.Taxes, dash.TaxLine{Name: c.taxName(x.Name) + " " + c.percent(x.Rate), Net: money(x.Net),
			Tax: money(x.Tax), Gross: money(x.Gross)})
	}
	for _, p := range r.Payments {
		v.Paid = append(v.Paid, dash.Fact{Name: c.MethodName(p.Method), Value: money(p.Amount)})
	}
	for key, other := range map[string]*counter.Ref{"till_reverses": r.Reverses, "till_reversed_by": r.ReversedBy} {
		if other != nil {
			v.Links = append(v.Links, dash.Fact{Name: c.T(key), Value: other.Number,
				URL: dash.ReceiptPath(other.ID.String())})
		}
	}
	if r.Deposit != nil {
		fact("deposit_receipt", money(r.Deposit.Amount))
	}
	first := ""
	if of := r.Bookings(); len(of) > 0 {
		first = of[0].String()
	}
	b, err := c.Subjects.Booking(c.Context(), c.Actor, first)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err == nil {
		v.Rows = c.TillRows(&b, dash.ReceiptPath(id), &r.ID)
		v.BackURL, v.BackLabel = dash.BookingPath(b.ID.String()), c.T("dash_booking")
		ofMail, ofCustomer := e, e
		if typed.Has("customer") {
			ofMail = nil
		} else {
			ofCustomer = nil
		}
		if v.Mail, err = c.receiptMail(&b, typed, ofMail); err != nil {
			return err
		}
		if v.Customer, err = c.receiptCustomer(r, &b, ofCustomer, why); err != nil {
			return err
		}
		v.MailURL = dash.ReceiptMailPath(id)
		if e := c.Setup.EventTypeByID(b.EventTypeID); e != nil && !v.Reversal {
			v.Words = catalog.MailWordsFor(e.Words, catalog.MailReceipt, c.Locale.Tag)
		}
	}
	return c.Show(web.RefusedStatus(e), dash.Receipt(v))
}

// fullMoney returns an amount with its zeros, as amounts stand below each other.
func (c call) fullMoney(n int64, currency string) string {
	return c.Locale.FullMoney(views.Money{Amount: n, Currency: currency})
}

// percent returns a rate as people write it: "19 %", "5,5 %".
func (c call) percent(r money.Rate) string { return c.Locale.Percent(r.String()) }

// taxName returns the name of the tax on receipts.
func (c call) taxName(name string) string {
	if name == "" {
		return c.T("till_tax")
	}
	return name
}

const receiptsAPage = 50

func (c call) receipts() error {
	n := receiptsAPage
	q := c.URL.Query()
	page, err := c.Subjects.Counter.Receipts(c.Context(), c.Actor, counter.ReceiptQuery{Cursor: q.Get("cursor"), Limit: &n})
	if err != nil {
		return err
	}
	v := dash.ReceiptsPage{Frame: c.Frame(c.T("till_receipts"), "till"), Tabs: c.tabs(dash.ReceiptsPath)}
	for i := range page.Data {
		r := &page.Data[i]
		row := dash.ReceiptRow{URL: dash.ReceiptPath(r.ID.String()), Number: r.Number, Name: r.Customer,
			When:  c.Day(c.At(r.IssuedAt)) + ", " + c.Clock(r.IssuedAt),
			Total: c.fullMoney(r.Total, r.Currency)}
		switch {
		case r.Kind == counter.Reversal:
			row.Badge = dash.Badge{Text: c.T("till_reversal")}
		case r.ReversedBy != nil:
			row.Badge = dash.Badge{Text: c.T("till_reversed"), Tone: "warn"}
		}
		v.Rows = append(v.Rows, row)
	}
	if page.NextCursor != nil {
		v.Pager.NextURL = web.WithQuery(dash.ReceiptsPath, q, "cursor", *page.NextCursor)
	}
	if q.Get("cursor") != "" {
		v.Pager.FirstURL = dash.ReceiptsPath
	}
	return c.Show(200, dash.Receipts(v))
}
