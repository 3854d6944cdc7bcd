package catalog

import (
	"net/url"

	"daybook/app/fault"
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

// checkRedirect refuses what is no https address. Whether its host is allowed is up to the workspace.
func checkRedirect(at, text string) (string, error) {
	text, err := fault.CheckLine(at, text, 0, maxRedirect)
	if err != nil || text == "" {
		return text, err
	}
	if u, err := url.Parse(text); err != nil || u.Scheme != "https" || !hostForm.MatchString(u.Host) || u.User != nil {
		return text, fault.Invalid(at, "must be an https:// address")
	}
	return text, nil
}
