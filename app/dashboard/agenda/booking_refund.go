package agenda

import (
	"net/url"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/views/dash"
)

// bookingMoney shows the payments of a booking, and the forms to refund them.
func (c call) bookingMoney(b *record.Booking, v *dash.BookingDetail) error {
	all, err := c.Rooms.Payment.BookingPayments(c.Context(), c.Actor, b.ID.String())
	if err != nil {
		return err
	}
	for i := range all {
		p := &all[i]
		f := dash.Fact{Name: c.PaymentName(p), Value: c.PaymentBadge(p).Text + ": " + c.PaymentText(p)}
		if p.PaidAt != 0 {
			f.Value += " (paid " + c.Day(c.At(p.PaidAt)) + ", " + c.Clock(p.PaidAt) + ")"
		}
		v.Payments = append(v.Payments, f)
	}
	if n := b.NoShow; n != nil && n.Fee != nil && n.Fee.URL != "" {
		v.Payments = append(v.Payments, dash.Fact{Name: c.T("dash_fee_pay"), Value: n.Fee.URL, URL: n.Fee.URL})
	}
	if !c.May(app.MayRefund) {
		return nil
	}
	price, fee, err := c.Rooms.Payment.Refundable(c.Context(), c.Actor, b.ID.String())
	if err != nil {
		return err
	}
	for _, r := range []struct {
		of, title string
		left      *catalog.Money
	}{{"price", c.T("dash_refund"), price}, {"fee", c.T("dash_refund_fee"), fee}} {
		if r.left == nil {
			continue
		}
		v.Actions = append(v.Actions, dash.Danger{
			Title: r.title, Text: c.T("dash_refund_left", "Amount", c.Money(r.left)),
			Action: dash.BookingRefundPath(b.ID.String(), r.of), Submit: c.T("dash_refund_do"),
			Inputs: []dash.Input{{ID: "refund-" + r.of, Name: "amount", Label: c.T("dash_amount"), Required: true,
				Value: web.AmountText(r.left), Suffix: r.left.Currency}},
		})
	}
	return nil
}

func (c call) refund() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	left, fee, err := c.Rooms.Payment.Refundable(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	give := c.Rooms.Payment.Refund
	if c.URL.Query().Get("of") == "fee" {
		left, give = fee, c.Rooms.Payment.RefundFee
	}
	if left == nil {
		return c.did(&fault.Error{Code: fault.Conflict, Reason: "nothing_to_refund",
			Message: c.T("dash_refund_none")},
			"")
	}
	amount, err := c.refundAmount(form, left)
	if err == nil {
		_, err = give(c.Context(), c.Actor, c.PathValue("id"), &amount)
	}
	return c.did(err, "refunded")
}

// refundAmount is how much the form wants to refund. An empty field is an error, because it could mean everything or
// nothing.
func (c call) refundAmount(form url.Values, left *catalog.Money) (int64, error) {
	r := web.Reader{Form: form, Currency: left.Currency}
	m := r.Money("amount")
	if r.Err != nil || m == nil || m.Amount < 1 {
		return 0, &fault.Error{Code: fault.BadRequest,
			Message: c.T("dash_refund_amount")}
	}
	if m.Amount > left.Amount {
		return 0, &fault.Error{Code: fault.BadRequest,
			Message: "Only " + c.Money(left) + " of the payment is left to refund."}
	}
	return m.Amount, nil
}
