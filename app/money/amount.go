package money

import (
	"daybook/app/fault"
	"daybook/app/field"
)

// Money is an amount in the minor units of its currency (4500 EUR is forty-five euros). Free is a nil *Money.
type Money struct {
	Amount   int64  `json:"amount" yaml:"amount"`
	Currency string `json:"currency" yaml:"currency"`
}

// MinorUnits explains amounts to agents.
const MinorUnits = "In minor units of the currency: 4500 EUR is 45.00 euros, 4500 JPY is 4500 yen."

// MoneyFields describes amounts.
var MoneyFields = field.Resource{
	Text: "An amount in the minor units of its currency: 4500 EUR is forty-five euros. Free is null.",
	Fields: []field.Field{
		{Name: "amount", Public: true, Guests: "amount", Text: "In minor units.", Agents: MinorUnits, Counts: true},
		{Name: "currency", Public: true, Guests: "currency", Text: "ISO 4217 code.", Pattern: "^[A-Z]{3}$", Example: "EUR"},
	},
}

// MaxAmount is Stripe's limit for one charge: eight digits of minor units.
const MaxAmount = 99_999_999

// Text returns the amount with its currency, such as "EUR 25.00", for texts in no particular language.
func (m Money) Text() string { return m.Currency + " " + Decimal(m.Amount, m.Currency) }

// CheckMoney normalises a price: nil and zero are free.
func CheckMoney(field string, m *Money) (*Money, error) {
	if m == nil || m.Amount == 0 {
		return nil, nil
	}
	if m.Amount < 0 || m.Amount > MaxAmount {
		return nil, fault.Invalid(field+".amount", "must lie between 0 and %d minor units", MaxAmount)
	}
	if err := CheckCurrency(field+".currency", m.Currency); err != nil {
		return nil, err
	}
	return m, nil
}

// CheckCurrency returns bad_request for a text that is no currency code.
func CheckCurrency(field, code string) error {
	if len(code) != 3 {
		return fault.Invalid(field, "must be a three-letter ISO 4217 code such as EUR")
	}
	for _, c := range []byte(code) {
		if c < 'A' || c > 'Z' {
			return fault.Invalid(field, "must be a three-letter ISO 4217 code in capitals, such as EUR")
		}
	}
	return nil
}

// CheckChargeable returns bad_request for an amount that can't be charged to a card, such as a fraction of a króna.
func CheckChargeable(field string, m *Money) error {
	if m == nil {
		return nil
	}
	if step := Step(m.Currency); m.Amount%step != 0 {
		return fault.Invalid(field+".amount", "must be a multiple of %d: cards can't be charged a smaller part of %s", step,
			m.Currency)
	}
	return nil
}

// Units returns the amount in minor units; 0 for nil, which is free.
func (m *Money) Units() int64 {
	if m == nil {
		return 0
	}
	return m.Amount
}

// Plus returns the sum with so many minor units, in the currency if m is free.
func (m *Money) Plus(amount int, currency string) *Money {
	if m != nil {
		currency = m.Currency
	}
	return &Money{m.Units() + int64(amount), currency}
}
