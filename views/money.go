package views

import (
	"strconv"
	"strings"

	"daybook/app/money"
)

// Money is an amount in minor units.
type Money struct {
	Amount   int64
	Currency string // ISO 4217
}

var currencySymbols = map[string]string{
	"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "CNY": "CN¥", "INR": "₹", "KRW": "₩", "ILS": "₪",
	"BRL": "R$", "CAD": "CA$", "AUD": "A$", "NZD": "NZ$", "MXN": "MX$", "PLN": "zł", "CZK": "Kč",
	"UAH": "₴", "TRY": "₺", "VND": "₫", "PHP": "₱",
}

// Money is "$45", "€45.50", "45,50 €", "CHF 45"; whole amounts leave out the zeros.
func (l *Locale) Money(m Money) string { return l.money(m, false) }

// FullMoney is Money with the zeros, "$45.00", for amounts that stand below each other.
func (l *Locale) FullMoney(m Money) string { return l.money(m, true) }

// Times is behind what stands for several on a receipt: ", 3 × €10.00", or " × 3" where not all cost the same; "" for
// one. amount is that of all of them, in minor units.
func (l *Locale) Times(n int, amount int64, currency string) string {
	switch {
	case n < 2:
		return ""
	case amount%int64(n) != 0:
		return " × " + strconv.Itoa(n)
	}
	return ", " + strconv.Itoa(n) + " × " + l.FullMoney(Money{Amount: amount / int64(n), Currency: currency})
}

func (l *Locale) money(m Money, zeros bool) string {
	currency := strings.ToUpper(m.Currency)
	number := l.amount(m.Amount, currency, zeros)
	symbol, short := currencySymbols[currency]
	if !short {
		symbol = currency
	}
	sign := ""
	if m.Amount < 0 {
		sign = "−"
	}
	switch {
	case !l.forms.symbolBefore:
		return sign + number + nbsp + symbol
	case short && !strings.ContainsAny(symbol, "łč"):
		return sign + symbol + number
	}
	return sign + symbol + nbsp + number
}

func (l *Locale) amount(minor int64, currency string, zeros bool) string {
	whole, fraction := money.Parts(minor, currency)
	if len(whole) >= l.forms.groupFrom {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + l.forms.group + whole[i:]
		}
	}
	if fraction == "" || !zeros && strings.Trim(fraction, "0") == "" {
		return whole
	}
	return whole + l.forms.decimal + fraction
}
