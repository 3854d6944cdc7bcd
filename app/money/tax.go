package money

import (
	"fmt"
	"strconv"
	"strings"

	"daybook/app/fault"
	"daybook/app/field"
)

// TaxMode says whether a workspace's prices contain tax.
type TaxMode string

const (
	TaxIncluded TaxMode = "included" // prices contain it
	TaxAdded    TaxMode = "added"    // it comes on top of prices that are paid at the counter
)

// TaxModes lists all modes.
var TaxModes = []TaxMode{TaxIncluded, TaxAdded}

// TaxRounding says what the tax of a receipt is rounded for.
type TaxRounding string

const (
	ByReceipt TaxRounding = "receipt" // each rate, from the sum of its lines
	ByLine    TaxRounding = "line"    // each line
)

// TaxRoundings lists all ways to round.
var TaxRoundings = []TaxRounding{ByReceipt, ByLine}

// VoucherTax says when vouchers are taxed.
type VoucherTax string

const (
	VouchersSold VoucherTax = "sold" // when they are sold, at the workspace's rate
	VouchersUsed VoucherTax = "used" // when they are used, at the rate of what they pay for
)

// VoucherTaxes lists both.
var VoucherTaxes = []VoucherTax{VouchersSold, VouchersUsed}

// Tax says how a workspace taxes payments at the counter.
type Tax struct {
	Mode   TaxMode `json:"mode"`
	Rate   Rate    `json:"rate"`   // of services that name none
	Name   string  `json:"name"`   // on receipts, such as VAT
	Number string  `json:"number"` // of the business, on receipts

	Rounding TaxRounding `json:"rounding,omitempty"` // "" is ByReceipt
	Vouchers VoucherTax  `json:"vouchers,omitempty"` // "" is when sold where all that is sold has one rate
}

// TaxFields describes how a workspace taxes.
var TaxFields = field.Resource{
	Text: "How what is paid at the counter is taxed.",
	Fields: []field.Field{
		{Name: "mode", Text: "`included`: prices contain the tax. `added`: it comes on top of them.",
			Enum: field.Values(TaxModes...), InFile: true, Required: true},
		{Name: "rate", Text: "In percent, with at most three decimals, of services that name none.", InFile: true,
			Clears: true},
		{Name: "name", Text: "What receipts call it, such as VAT.", Most: 40, InFile: true, Clears: true},
		{Name: "number", Text: "The business's tax number, for receipts.", Most: 60, InFile: true, Clears: true},
		{Name: "rounding", Text: "`receipt`: the tax is rounded once for each rate of a receipt, which it is when left out. `line`: " +
			"for each line.", Enum: field.Values(TaxRoundings...), InFile: true, Clears: true},
		{Name: "vouchers", Text: "When vouchers are taxed. `sold`: when they are sold, at `rate`, for which `mode` must be `included`. `used`: when " +
			"they are used. Left out: when sold where all that is sold has one rate, else when used. It is fixed when one is sold.",
			Enum: field.Values(VoucherTaxes...), InFile: true, Clears: true},
	},
}

// Check returns the tax normalised. at names its place in the input. Errors: bad_request.
func (x *Tax) Check(at string) (*Tax, error) {
	if x == nil {
		return nil, nil
	}
	own := *x
	if own.Mode != TaxIncluded && own.Mode != TaxAdded {
		return x, fault.Invalid(at+".mode", "must be included or added")
	}
	var err error
	if own.Rounding == ByReceipt {
		own.Rounding = ""
	}
	if own.Rounding != "" && own.Rounding != ByLine {
		return x, fault.Invalid(at+".rounding", "must be receipt or line")
	}
	switch own.Vouchers {
	case "", VouchersUsed:
	case VouchersSold:
		if own.Mode != TaxIncluded {
			return x, fault.Invalid(at+".vouchers", "can't be sold where tax is added to prices: leave it out, or say used")
		}
	default:
		return x, fault.Invalid(at+".vouchers", "must be sold or used")
	}
	if own.Name, err = fault.CheckLine(at+".name", x.Name, 0, TaxFields.Field("name").Most); err != nil {
		return x, err
	}
	if own.Number, err = fault.CheckLine(at+".number", x.Number, 0, TaxFields.Field("number").Most); err != nil {
		return x, err
	}
	return &own, own.Rate.Check(at + ".rate")
}

// Rate is a tax rate in thousandths of a percent: 19 % is 19000. As JSON it is the number of percent: 19 or 8.875.
type Rate int64

const (
	percent = 1000          // of a Rate
	whole   = 100 * percent // 100 %, the highest rate
)

// ParseRate reads a percentage with at most three decimals, such as "19" or "8.875".
func ParseRate(text string) (Rate, error) {
	bad := fmt.Errorf("%q is no percentage from 0 to 100 with at most three decimals, such as 19 or 8.875", text)
	before, after, point := strings.Cut(text, ".")
	if before == "" || len(before) > 3 || point && after == "" || len(after) > 3 ||
		strings.Trim(before+after, "0123456789") != "" {
		return 0, bad
	}
	n, err := strconv.ParseInt(before+after+strings.Repeat("0", 3-len(after)), 10, 64)
	if err != nil || n > whole {
		return 0, bad
	}
	return Rate(n), nil
}

// String returns the percentage without needless zeros: 19, 8.875.
func (r Rate) String() string {
	text := strconv.FormatInt(int64(r)/percent, 10)
	if rest := int64(r) % percent; rest != 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%03d", rest), "0")
	}
	return text
}

// MarshalJSON writes the number of percent.
func (r Rate) MarshalJSON() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalJSON reads the number of percent.
func (r *Rate) UnmarshalJSON(text []byte) (err error) {
	if string(text) == "null" {
		return nil
	}
	*r, err = ParseRate(string(text))
	return err
}

// Check returns bad_request for a rate out of bounds. at names its place in the input.
func (r Rate) Check(at string) error {
	if r < 0 || r > whole {
		return fault.Invalid(at, "must lie between 0 and 100 percent")
	}
	return nil
}

// Within returns the tax that an amount contains, rounded to the nearest minor unit, halves up. The rest is its net.
// What On added to a net amount, Within finds again in the sum, to the unit.
// Of an amount below zero it is that of the amount above, below zero.
func (r Rate) Within(gross int64) int64 {
	if gross < 0 {
		return -r.Within(-gross)
	}
	return round(gross*int64(r), whole+int64(r))
}

// On returns the tax that comes on top of an amount, rounded to the nearest minor unit, halves up.
func (r Rate) On(net int64) int64 { return round(net*int64(r), whole) }

// round divides numbers that aren't negative.
func round(n, by int64) int64 { return (2*n + by) / (2 * by) }

// Taxed says how a booking is taxed: by the workspace's Tax at the time of the first payment at the counter.
type Taxed struct {
	Mode TaxMode `json:"mode,omitempty"` // "" is not at all
	Rate Rate    `json:"rate,omitempty"`
}

// Gross returns what has to be paid at the counter for an amount of a price.
func (x Taxed) Gross(amount int64) int64 {
	if x.Mode == TaxAdded {
		return amount + x.Rate.On(amount)
	}
	return amount
}
