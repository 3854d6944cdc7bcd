package app

// Money is an amount in the minor units of its currency (4500 EUR is forty-five euros). Free is a nil *Money.
type Money struct {
	Amount   int64  `json:"amount" yaml:"amount"`
	Currency string `json:"currency" yaml:"currency"`
}

// maxAmount is Stripe's own bound for one charge: eight digits of minor units.
const maxAmount = 99_999_999

// decimals of the currencies that do not have two, after ISO 4217 as Stripe charges them.
var decimals = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "JPY": 0, "KMF": 0, "KRW": 0, "MGA": 0, "PYG": 0, "RWF": 0, "UGX": 0,
	"VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "JOD": 3, "KWD": 3, "OMR": 3, "TND": 3,
}

// Decimals is how many digits of an amount in the currency stand behind the point.
func Decimals(currency string) int {
	if n, ok := decimals[currency]; ok {
		return n
	}
	return 2
}

// checkMoney normalises a price: nil and zero are free.
func checkMoney(field string, m *Money) (*Money, error) {
	if m == nil || m.Amount == 0 {
		return nil, nil
	}
	if m.Amount < 0 || m.Amount > maxAmount {
		return nil, Invalid(field+".amount", "must lie between 0 and %d minor units", maxAmount)
	}
	if err := checkCurrency(field+".currency", m.Currency); err != nil {
		return nil, err
	}
	return m, nil
}

func checkCurrency(field, code string) error {
	if len(code) != 3 {
		return Invalid(field, "must be a three-letter ISO 4217 code such as EUR")
	}
	for _, c := range []byte(code) {
		if c < 'A' || c > 'Z' {
			return Invalid(field, "must be a three-letter ISO 4217 code in capitals, such as EUR")
		}
	}
	return nil
}
