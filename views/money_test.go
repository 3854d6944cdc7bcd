package views

import (
	"strings"
	"testing"

	"daybook/app/money"
)

// What is typed as 4500 is shown as 4500, in every currency that Stripe takes and in those that it does not.
func TestMoneyOfEveryCurrency(t *testing.T) {
	english := MatchLocale("en", "")
	for _, code := range append([]string{"IQD", "LYD", "CLF"}, money.Stripe...) {
		amount, ok := money.Parse("4500", code)
		if !ok {
			t.Fatal(code)
		}
		if got := english.Money(Money{Amount: amount, Currency: code}); !strings.HasSuffix(got, "4,500") {
			t.Errorf("4500 %s (%d minor units) is shown as %s", code, amount, got)
		}
	}
}
