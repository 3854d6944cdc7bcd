// Package money has amounts, currencies and taxes: how many decimals an amount has, which multiples a card can be
// charged, how an amount is written and read as a plain number, and what tax it contains. It is the only table of
// currencies.
//
// An amount is a whole number of minor units: 10 to the power of Digits of them are one unit of the currency.
package money

import (
	"strconv"
	"strings"
)

// Stripe lists the ISO 4217 codes of the currencies in which Stripe can charge cards.
var Stripe = strings.Fields(`
	AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY
	COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD
	JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD
	NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL
	THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW`)

// digits are the decimals of the currencies that do not have two: as Stripe charges them, and after ISO 4217 where
// Stripe does not support the currency (CLF, IQD, LYD, UYI, UYW). The two differ for the ariary, of which Stripe
// charges only whole units, and for the króna, which Stripe counts in hundredths although it has none any more (see
// Step).
var digits = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "JPY": 0, "KMF": 0, "KRW": 0, "MGA": 0, "PYG": 0, "RWF": 0, "UGX": 0, "UYI": 0,
	"VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
	"CLF": 4, "UYW": 4,
}

// Digits returns how many decimals an amount in the currency has. An unknown code has two.
func Digits(code string) int {
	if n, ok := digits[code]; ok {
		return n
	}
	return 2
}

// Unit returns one unit of the currency in minor units: 100 for most.
func Unit(code string) int64 {
	unit := int64(1)
	for range Digits(code) {
		unit *= 10
	}
	return unit
}

// Step returns the amount, in minor units, of which every charge in the currency must be a multiple: cards can't be
// charged a tenth of a fils, or part of a króna.
func Step(code string) int64 {
	switch {
	case code == "ISK":
		return 100
	case Digits(code) == 3:
		return 10
	}
	return 1
}

// AtStripe returns the amount in the units of Stripe's API, which counts the Ugandan shilling in hundredths although it
// has none. FromStripe is the opposite.
func AtStripe(amount int64, code string) int64 { return amount * stripeFactor(code) }

// FromStripe returns an amount of Stripe's API in minor units.
func FromStripe(amount int64, code string) int64 { return amount / stripeFactor(code) }

func stripeFactor(code string) int64 {
	if code == "UGX" {
		return 100
	}
	return 1
}

// Parts returns the digits before and after the decimal point, without a sign: "45" and "50", or "4500" and "" where
// the currency has no decimals.
func Parts(amount int64, code string) (whole, fraction string) {
	n := Digits(code)
	text := strings.TrimPrefix(strconv.FormatInt(amount, 10), "-")
	if pad := n + 1 - len(text); pad > 0 {
		text = strings.Repeat("0", pad) + text
	}
	return text[:len(text)-n], text[len(text)-n:]
}

// Decimal returns an amount as a plain number with all its decimals, such as "45.00" or "-4500".
func Decimal(amount int64, code string) string {
	whole, fraction := Parts(amount, code)
	if fraction != "" {
		whole += "." + fraction
	}
	if amount < 0 {
		return "-" + whole
	}
	return whole
}

// Short returns the same as Decimal, but without decimals that are all zero: "45", "45.50".
func Short(amount int64, code string) string {
	return strings.TrimSuffix(Decimal(amount, code), "."+strings.Repeat("0", Digits(code)))
}

// Parse reads an amount as people write it: "45", "45.5" or "45,50". ok is false for a sign, for more decimals than the
// currency has, and for an amount that does not fit an int64.
func Parse(text, code string) (amount int64, ok bool) {
	n := Digits(code)
	whole, fraction, point := strings.Cut(strings.Replace(text, ",", ".", 1), ".")
	if fraction == "" && (point || whole == "") || len(fraction) > n || strings.Trim(whole+fraction, "0123456789") != "" {
		return 0, false
	}
	amount, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", n-len(fraction)), 10, 64)
	return amount, err == nil
}
