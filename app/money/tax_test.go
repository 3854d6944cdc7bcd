package money

import "testing"

// What is added to a net amount is found again in the sum, for every rate and amount that rounding could part.
func TestTaxIsFoundAgain(t *testing.T) {
	for _, rate := range []Rate{0, 1, 500, 5500, 7000, 8875, 10000, 19000, 20000, 25500, 99999, whole} {
		for net := range int64(5000) {
			tax := rate.On(net)
			if got := rate.Within(net + tax); got != tax {
				t.Fatalf("%s%% of %d is %d, and within %d it is %d", rate, net, tax, net+tax, got)
			}
		}
		if got := rate.Within(MaxAmount); got < 0 || got > MaxAmount {
			t.Errorf("%s%% within %d is %d", rate, MaxAmount, got)
		}
	}
	for _, c := range []struct {
		rate  Rate
		gross int64
		want  int64
	}{{19000, 4500, 718}, {7000, 1000, 65}, {8875, 4899, 399}, {20000, 3, 1}, {19000, 1, 0}, {100000, 1, 1}} {
		if got := c.rate.Within(c.gross); got != c.want {
			t.Errorf("%s%% within %d is %d, want %d", c.rate, c.gross, got, c.want)
		}
	}
}

func TestRates(t *testing.T) {
	for text, want := range map[string]string{"19": "19", "8.875": "8.875", "07.50": "7.5", "100": "100", "0": "0"} {
		if r, err := ParseRate(text); err != nil || r.String() != want {
			t.Errorf("%s is read as %s, %v", text, r, err)
		}
	}
	for _, text := range []string{"", ".5", "5.", "-1", "100.001", "1e2", "8.8755", "19%", "1234", "null"} {
		if r, err := ParseRate(text); err == nil {
			t.Errorf("%q is read as %s", text, r)
		}
	}
}

// A voucher can't be taxed when it is sold where its amount says nothing of the tax.
func TestVouchersTaxedWhenSold(t *testing.T) {
	for says, wrong := range map[Tax]bool{
		{Mode: TaxIncluded, Vouchers: VouchersSold}: false, {Mode: TaxAdded, Vouchers: VouchersUsed}: false,
		{Mode: TaxAdded, Vouchers: VouchersSold}: true, {Mode: TaxIncluded, Vouchers: "never"}: true,
	} {
		if _, err := says.Check("tax"); (err != nil) != wrong {
			t.Errorf("%+v: %v", says, err)
		}
	}
}
