package setup

import (
	"daybook/app/money"
)

// readTax reads how a workspace taxes; null is not at all.
func readTax(v at) (*money.Tax, error) {
	if v.null() {
		return nil, nil
	}
	var x money.Tax
	var p patch[money.Tax]
	if err := v.needs(p.fields(&money.TaxFields), money.TaxFields.Required()...); err != nil {
		return nil, err
	}
	return &x, p.apply(&x)
}

// readRate reads a percentage; null is none.
func readRate(v at) (*money.Rate, error) {
	if v.null() {
		return nil, nil
	}
	r, err := readPercent(v)
	return &r, err
}

func readPercent(v at) (money.Rate, error) {
	_, text, err := v.scalar("a percentage")
	if err != nil {
		return 0, err
	}
	r, err := money.ParseRate(text)
	if err != nil {
		return 0, v.wrong("%v", err)
	}
	return r, nil
}
