package dashboard

import (
	"net/url"
	"strconv"
	"strings"

	"daybook/app"
	"daybook/app/fault"
	"daybook/app/money"
)

// reader reads the numbers and amounts of a form; err is what is wrong with those that are none.
type reader struct {
	form     url.Values
	currency string
	err      error
}

func (r *reader) wrong(field, format string, args ...any) {
	r.err = fault.Join(r.err, fault.Invalid(field, format, args...))
}

// whole is a whole number; "" is 0.
func (r *reader) whole(field string) int {
	text := strings.TrimSpace(r.form.Get(field))
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		r.wrong(field, "must be a whole number")
	}
	return n
}

// money is an amount as people write it, "45" or "45.50" or "45,50"; "" is none.
func (r *reader) money(field string) *app.Money {
	text := strings.TrimSpace(r.form.Get(field))
	if text == "" {
		return nil
	}
	n, ok := money.Parse(text, r.currency)
	if !ok {
		r.wrong(field, "must be an amount such as 45 or 45.50")
		return nil
	}
	return &app.Money{Amount: n, Currency: r.currency}
}

// amountText is an amount as money reads it.
func amountText(m *app.Money) string {
	if m == nil {
		return ""
	}
	return money.Short(m.Amount, m.Currency)
}
