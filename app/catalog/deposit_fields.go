package catalog

import (
	"daybook/app/field"
	"daybook/app/money"
)

// Deposit is the part of a price that is paid online when a time is booked; the rest is paid at the counter. Exactly
// one of its fields is set.
type Deposit struct {
	Percent int          `json:"percent,omitempty"` // of the price, 1 to 100
	Amount  *money.Money `json:"amount,omitempty"`
}

// DepositFields describes deposits.
var DepositFields = field.Resource{
	Text: "What is paid online when a time is booked: a part of the price in percent, or an amount.",
	Fields: []field.Field{
		{Name: "percent", Public: true, Text: "Of the price, 1 to 100.", Agents: "Of the price.", InFile: true},
		{Name: "amount", Public: true, Of: &money.MoneyFields, Text: "The amount, at most the price.", Agents: "The amount.", InFile: true},
	},
}
