package dashboard

import (
	"net/url"
	"strconv"
	"strings"

	"daybook/app"
)

// reader reads the numbers and amounts of a form; err is the first that is none.
type reader struct {
	form     url.Values
	currency string
	err      error
}

func (r *reader) wrong(field, format string, args ...any) {
	if r.err == nil {
		r.err = app.Invalid(field, format, args...)
	}
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
	decimals := app.Decimals(r.currency)
	whole, fraction, _ := strings.Cut(strings.ReplaceAll(text, ",", "."), ".")
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", max(0, decimals-len(fraction))), 10, 64)
	if err != nil || n < 0 || len(fraction) > decimals {
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
	decimals := app.Decimals(m.Currency)
	digits := strconv.FormatInt(m.Amount, 10)
	if decimals == 0 {
		return digits
	}
	for len(digits) <= decimals {
		digits = "0" + digits
	}
	whole, fraction := digits[:len(digits)-decimals], digits[len(digits)-decimals:]
	if strings.Trim(fraction, "0") == "" {
		return whole
	}
	return whole + "." + fraction
}
