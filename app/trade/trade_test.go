package trade_test

import (
	"slices"
	"testing"

	"daybook/app/trade"
)

// Every trade but the last proposes ten services, each once in each language, of lengths and prices that can be saved.
func TestTradesProposeTenServices(t *testing.T) {
	for _, of := range trade.All {
		for _, language := range []string{"en", "de", "fr", "es", "xx"} {
			all := of.Services(language)
			if want := map[bool]int{true: 0, false: 10}[of == trade.Other]; len(all) != want {
				t.Errorf("%s in %s has %d services", of, language, len(all))
			}
			seen := map[string]bool{}
			for i, s := range all {
				if s.Title == "" || seen[s.Title] || s.Minutes < 5 || s.Minutes%5 != 0 || s.Minutes > 480 || s.Price < 0 {
					t.Errorf("%s in %s proposes %+v", of, language, s)
				}
				seen[s.Title] = true
				if other := of.Services("en")[i]; other.Minutes != s.Minutes || other.Price != s.Price {
					t.Errorf("%s costs another price in %s", s.Title, language)
				}
			}
		}
	}
	if trade.Trade("x").Known() || len(trade.Trade("x").Services("en")) != 0 || !trade.Hair.Known() {
		t.Error("what isn't a trade is one")
	}
	if got := trade.Hair.Services("xx")[1].Title; got != trade.Hair.Services("en")[1].Title || !slices.Contains([]string{"Men’s cut"}, got) {
		t.Errorf("in a language without titles it is %q", got)
	}
}
