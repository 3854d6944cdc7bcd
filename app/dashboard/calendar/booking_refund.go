package calendar

import (
	"net/url"

	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/money"
)

func (c call) refund() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	left, fee, err := c.Subjects.Payment.Refundable(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	give := c.Subjects.Payment.Refund
	if c.URL.Query().Get("of") == "fee" {
		left, give = fee, c.Subjects.Payment.RefundFee
	}
	if left == nil {
		return c.did(fault.New(fault.Conflict, "nothing_to_refund", "%s", c.T("dash_refund_none")),
			"")
	}
	amount, err := c.refundAmount(form, left)
	if err == nil {
		_, err = give(c.Context(), c.Actor, c.PathValue("id"), &amount)
	}
	return c.did(err, "refunded")
}

// refundAmount returns how much the form wants to refund. An empty field is an error, because it could mean everything
// or nothing.
func (c call) refundAmount(form url.Values, left *money.Money) (int64, error) {
	r := web.Reader{Form: form, Currency: left.Currency}
	m := r.Money("amount")
	if r.Err != nil || m == nil || m.Amount < 1 {
		return 0, fault.New(fault.BadRequest, "", "%s", c.T("dash_refund_amount"))
	}
	if m.Amount > left.Amount {
		return 0, fault.New(fault.BadRequest, "", "%s", c.T("fault_refund_left", "Amount", c.Money(left)))
	}
	return m.Amount, nil
}
