package web

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views/dash"
)

// methodKeys name the ways to pay at the counter.
var methodKeys = map[booking.Method]string{booking.ByCash: "till_cash", booking.ByCard: "till_card",
	booking.ByTransfer: "till_transfer", booking.ByVoucher: "till_voucher", booking.ByOtherWays: "till_other"}

// MethodName returns the name of a way to pay at the counter.
func (c *Call) MethodName(m booking.Method) string { return c.T(methodKeys[m]) }

// quick are the methods that take what is due with one tap.
var quick = []booking.Method{booking.ByCash, booking.ByCard}

// Pay takes what is due for the booking, or is nil where nothing can be taken. Afterwards it goes to back, a page of
// the dashboard.
func (c *Call) Pay(b *booking.Booking, back string) *dash.Pay {
	if !c.May(app.MayTakeMoney) || !b.Status.Stands() || b.Due == nil || b.Due.Amount == 0 {
		return nil
	}
	return c.payOf(b, b.Due, back, false)
}

// PayVisit takes what is due for all of the bookings, which are of one visit, at once; nil where nothing can be taken.
func (c *Call) PayVisit(all []booking.Booking, lead *booking.Booking, back string) *dash.Pay {
	due, _ := counter.Due(all)
	if !c.May(app.MayTakeMoney) || due == nil {
		return nil
	}
	return c.payOf(lead, due, back, true)
}

func (c *Call) payOf(b *booking.Booking, due *money.Money, back string, visit bool) *dash.Pay {
	action := dash.BookingPayPath(b.ID.String())
	more := url.Values{"back": {back}}
	if visit {
		more.Set("visit", "1")
	}
	p := &dash.Pay{Name: c.Invitee(b), Due: c.Money(due), Action: action, Amount: AmountText(due), Back: back,
		MoreURL: WithQuery(action, more), Visit: visit}
	for _, m := range quick {
		p.Quick = append(p.Quick, dash.Option{Value: string(m),
			Label: c.T("till_quick", "Method", c.MethodName(m), "Amount", p.Due)})
	}
	return p
}

// PaidText returns how much of the booking is paid and due; "" where it costs nothing.
func (c *Call) PaidText(b *booking.Booking) string {
	paid, due := b.Paid != nil && b.Paid.Amount > 0, b.Due != nil && b.Due.Amount > 0
	switch {
	case paid && due:
		return c.T("till_part", "Paid", c.Money(b.Paid), "Due", c.Money(b.Due))
	case due:
		return c.T("till_due_amount", "Amount", c.Money(b.Due))
	case paid:
		return c.T("till_paid_amount", "Amount", c.Money(b.Paid))
	}
	return ""
}

// BookingTill returns the money of the booking; nil where there is none.
func (c *Call) BookingTill(b *booking.Booking, back string) *dash.BookingTill {
	v := &dash.BookingTill{State: c.PaidText(b), Pay: c.Pay(b, back), Rows: c.TillRows(b, back, nil)}
	v.Settled = b.Paid != nil && b.Paid.Amount > 0 && (b.Due == nil || b.Due.Amount == 0)
	if v.State == "" && len(v.Rows) == 0 {
		return nil
	}
	if c.May(app.MayTakeMoney) && b.Due != nil && b.Due.Amount > 0 && slices.ContainsFunc(b.Payments, unreceipted) {
		v.IssueURL = dash.BookingReceiptPath(b.ID.String())
	}
	return v
}

// unreceipted reports whether money was kept that stands on no receipt.
func unreceipted(p booking.CounterPayment) bool {
	amount, tip := p.Left()
	return p.Receipt == nil && amount+tip > 0
}

// TillRows returns what was taken at the counter for the booking: on a receipt, or all for nil.
func (c *Call) TillRows(b *booking.Booking, back string, on *booking.ReceiptID) (rows []dash.TillRow) {
	today := when.At(Midnight(c.Now()))
	for i := range b.Payments {
		p := &b.Payments[i]
		if on != nil && (p.Receipt == nil || *p.Receipt != *on) {
			continue
		}
		money := func(n int64) string { return c.Money(&money.Money{Amount: n, Currency: p.Currency}) }
		amount, tip := p.Left()
		left := amount + tip
		row := dash.TillRow{Text: money(p.Amount+p.Tip) + " · " + c.PaidBy(p.Method, p.Pass), Name: c.Invitee(b),
			When: c.Day(c.At(p.CreatedAt)) + ", " + c.Clock(p.CreatedAt), Note: p.Note, Gone: left == 0}
		if p.Tip > 0 {
			row.When += " · " + c.T("till_tip_of", "Amount", money(p.Tip))
		}
		switch {
		case row.Gone:
			row.When += " · " + c.T("till_gone")
		case p.RefundedAmount > 0:
			row.When += " · " + c.T("till_back", "Amount", money(p.RefundedAmount))
		}
		if p.Receipt != nil && on == nil {
			row.Receipt, row.ReceiptURL = c.T("till_receipt"), dash.ReceiptPath(p.Receipt.String())
		}
		if c.May(app.MayTakeMoney) && left > 0 {
			c.giveBack(b, p, back, p.CreatedAt >= today, &row)
		}
		rows = append(rows, row)
	}
	return rows
}

// giveBack offers to take a payment back: one of today at once, an earlier one with a question, by those who may.
func (c *Call) giveBack(b *booking.Booking, p *booking.CounterPayment, back string, today bool, row *dash.TillRow) {
	amount, tip := p.Left()
	address := WithQuery(dash.GiveBackPath(p.ID.String()), url.Values{"booking": {b.ID.String()}, "back": {back}})
	if today {
		row.UndoURL = address
		return
	}
	if c.Actor.Own() {
		return
	}
	row.Back = &dash.Danger{Title: c.T("till_give_back"), Text: c.T("till_give_back_text"), Action: address,
		Submit: c.T("till_give_back"), Inputs: []dash.Input{{ID: "back-" + p.ID.String(), Name: "amount",
			Label: c.T("till_amount"), Required: true, Suffix: p.Currency,
			Value: AmountText(&money.Money{Amount: amount + tip, Currency: p.Currency})}}}
}

// RateText returns a rate as people write it: 19, 8.5, 8,5.
func (c *Call) RateText(r money.Rate) string { return c.Locale.Decimal(r.String()) }

// BackTo returns the page of the dashboard that a form wants to go back to, or otherwise.
func BackTo(back, otherwise string) string {
	u, err := url.Parse(back)
	if err != nil || u.IsAbs() || u.Host != "" || strings.Contains(back, `\`) ||
		path.Clean(u.Path) != u.Path || u.Path != dash.TodayPath && !strings.HasPrefix(u.Path, dash.TodayPath+"/") {
		return otherwise
	}
	return back
}
