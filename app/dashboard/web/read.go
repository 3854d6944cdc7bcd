package web

import (
	"net/url"
	"strconv"
	"strings"

	"daybook/app/fault"
	"daybook/app/money"
)

// Reader reads the numbers and amounts of a form; err has what is wrong with them.
type Reader struct {
	Form     url.Values
	Currency string
	Err      error
}

func (r *Reader) wrong(field, format string, args ...any) {
	r.Err = fault.Join(r.Err, fault.Invalid(field, format, args...))
}

// Whole returns a whole number; "" is 0.
func (r *Reader) Whole(field string) int {
	text := strings.TrimSpace(r.Form.Get(field))
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		r.wrong(field, "must be a whole number")
	}
	return n
}

// Money returns an amount as people write it, "45" or "45.50" or "45,50"; nil for "".
func (r *Reader) Money(field string) *money.Money {
	text := strings.TrimSpace(r.Form.Get(field))
	if text == "" {
		return nil
	}
	n, ok := money.Parse(text, r.Currency)
	if !ok {
		r.wrong(field, "must be an amount such as 45 or 45.50")
		return nil
	}
	return &money.Money{Amount: n, Currency: r.Currency}
}

// Rate returns a tax rate as people write it, "19" or "8.5" or "8,5"; nil for "".
func (r *Reader) Rate(field string) *money.Rate {
	text := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(r.Form.Get(field)), "%"))
	if text == "" {
		return nil
	}
	rate, err := money.ParseRate(strings.Replace(text, ",", ".", 1))
	if err != nil {
		r.wrong(field, "must be a percentage from 0 to 100, such as 19 or 8.5")
		return nil
	}
	return &rate
}

// AmountText returns an amount as Money reads it.
func AmountText(m *money.Money) string {
	if m == nil {
		return ""
	}
	return money.Short(m.Amount, m.Currency)
}
