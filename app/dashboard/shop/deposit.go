package shop

import (
	"strconv"

	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// inPercent is the unit of a deposit that is a share of the price.
const inPercent = "percent"

// depositInput returns what of the price is paid online when booking.
func (c call) depositInput(e *catalog.EventType) dash.Input {
	in := dash.Input{Name: "deposit", Label: c.T("deposit_name"), Half: true, Decimal: true,
		Placeholder: c.T("dash_none"), Hint: c.T("deposit_type_hint")}
	switch d := e.Deposit; {
	case d == nil:
	case d.Amount != nil:
		in.Value = web.AmountText(d.Amount)
	default:
		in.Value = strconv.Itoa(d.Percent)
	}
	return in
}

// depositUnit returns what the deposit is counted in.
func (c call) depositUnit(e *catalog.EventType) dash.Input {
	in := dash.Input{Name: "depositUnit", Label: c.T("deposit_type_unit"), Kind: "select", Half: true, Value: inPercent,
		Options: []dash.Option{{Value: inPercent, Label: c.T("deposit_type_percent")},
			{Value: "amount", Label: c.currencyOf(e)}}}
	if e.Deposit != nil && e.Deposit.Amount != nil {
		in.Value = "amount"
	}
	return in
}

// readDeposit returns the deposit of the form; nil for an empty one.
func readDeposit(r *web.Reader) *catalog.Deposit {
	if r.Form.Get("depositUnit") == "amount" {
		if amount := r.Money("deposit"); amount != nil {
			return &catalog.Deposit{Amount: amount}
		}
		return nil
	}
	if r.Form.Get("deposit") == "" {
		return nil
	}
	return &catalog.Deposit{Percent: r.Whole("deposit")}
}

// lateFeeInput returns what cancelling late costs.
func (c call) lateFeeInput(e *catalog.EventType) dash.Input {
	return dash.Input{Name: "lateCancellationFee", Label: c.T("deposit_late_fee"),
		Value: web.AmountText(e.LateCancellationFee), Suffix: c.currencyOf(e), Half: true, Placeholder: c.T("dash_none"),
		Hint: c.T("deposit_type_late_hint")}
}
