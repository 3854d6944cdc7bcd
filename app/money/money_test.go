package money_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"daybook/app/money"
)

// special are the currencies whose amounts do not have two decimals, as ISO 4217 and Stripe's documentation list them.
var special = map[int]string{
	0: "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF",
	3: "BHD JOD KWD OMR TND",
}

// Every currency that Stripe takes is written, read and shown with its decimals.
func TestEveryCurrencyOfStripe(t *testing.T) {
	if len(money.Stripe) < 140 || !slices.IsSorted(money.Stripe) || len(slices.Compact(slices.Clone(money.Stripe))) != len(money.Stripe) {
		t.Fatalf("%d currencies, want at least 140 in order, each once", len(money.Stripe))
	}
	for _, code := range money.Stripe {
		want := 2
		for n, codes := range special {
			if slices.Contains(strings.Fields(codes), code) {
				want = n
			}
		}
		if got := money.Digits(code); got != want {
			t.Errorf("%s has %d decimals, want %d", code, got, want)
		}
		amount, ok := money.Parse("4500", code)
		if !ok || amount != 4500*int64(math.Pow10(want)) {
			t.Errorf("4500 %s is read as %d", code, amount)
		}
		if got := money.Short(amount, code); got != "4500" {
			t.Errorf("%d minor units of %s are written %s, want 4500", amount, code, got)
		}
		if got := money.Decimal(amount, code); len(got) < 4 || strings.TrimRight(got, "0.") != "45" {
			t.Errorf("%s: %s", code, got)
		}
		if got := money.FromStripe(money.AtStripe(amount, code), code); got != amount || amount%money.Step(code) != 0 {
			t.Errorf("%s: %d comes back from Stripe as %d, step %d", code, amount, got, money.Step(code))
		}
	}
}

func TestSpecialCurrencies(t *testing.T) {
	for _, c := range []struct {
		code   string
		digits int
		step   int64
		stripe int64 // one unit at Stripe
	}{
		{"EUR", 2, 1, 100}, {"ISK", 2, 100, 100}, {"UGX", 0, 1, 100}, {"MGA", 0, 1, 1}, {"JPY", 0, 1, 1},
		{"KWD", 3, 10, 1000}, {"IQD", 3, 10, 1000}, {"LYD", 3, 10, 1000}, {"CLF", 4, 1, 10000}, {"HUF", 2, 1, 100}, {"TWD", 2, 1, 100},
	} {
		unit := int64(math.Pow10(c.digits))
		if money.Digits(c.code) != c.digits || money.Step(c.code) != c.step || money.AtStripe(unit, c.code) != c.stripe {
			t.Errorf("%s: %d digits, step %d, %d at Stripe; want %+v", c.code, money.Digits(c.code), money.Step(c.code), money.AtStripe(unit, c.code), c)
		}
	}
}

func TestAmounts(t *testing.T) {
	for _, c := range []struct {
		amount               int64
		code, decimal, short string
	}{
		{4500, "EUR", "45.00", "45"}, {4550, "EUR", "45.50", "45.50"}, {5, "EUR", "0.05", "0.05"}, {-5, "EUR", "-0.05", "-0.05"},
		{0, "EUR", "0.00", "0"}, {4500, "JPY", "4500", "4500"}, {-4500, "UGX", "-4500", "-4500"}, {12340, "KWD", "12.340", "12.340"},
		{math.MinInt64, "EUR", "-92233720368547758.08", "-92233720368547758.08"},
	} {
		if d, s := money.Decimal(c.amount, c.code), money.Short(c.amount, c.code); d != c.decimal || s != c.short {
			t.Errorf("%d %s: %s, %s; want %s, %s", c.amount, c.code, d, s, c.decimal, c.short)
		}
	}
	for text, want := range map[string]int64{"45": 4500, "45.5": 4550, "45,50": 4550, "0": 0, ".5": 50} {
		if got, ok := money.Parse(text, "EUR"); !ok || got != want {
			t.Errorf("%q is %d, %t", text, got, ok)
		}
	}
	for _, text := range []string{"", ".", "45.", "-1", "+1", "1.234", "1,2,3", "1.2.3", "1e3", "١", strconv.FormatInt(math.MaxInt64, 10)} {
		if got, ok := money.Parse(text, "EUR"); ok {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}
