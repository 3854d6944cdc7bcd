package views

import (
	"strconv"
	"strings"
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

// exponents are the currencies whose minor unit is no hundredth.
var exponents = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0,
	"UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
}

// Money is "$45", "€45.50", "45,50 €", "CHF 45"; whole amounts leave out the zeros.
func (l *Locale) Money(m Money) string {
	currency := strings.ToUpper(m.Currency)
	number := l.amount(m.Amount, currency)
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

func (l *Locale) amount(minor int64, currency string) string {
	digits := strconv.FormatUint(absolute(minor), 10)
	exponent, special := exponents[currency]
	if !special {
		exponent = 2
	}
	if pad := exponent + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	whole, fraction := digits[:len(digits)-exponent], digits[len(digits)-exponent:]
	if len(whole) >= l.forms.groupFrom {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + l.forms.group + whole[i:]
		}
	}
	if strings.Trim(fraction, "0") == "" {
		return whole
	}
	return whole + l.forms.decimal + fraction
}

func absolute(n int64) uint64 {
	if n < 0 {
		return uint64(-(n + 1)) + 1
	}
	return uint64(n)
}
