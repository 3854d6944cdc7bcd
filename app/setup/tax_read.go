package setup

import (
	"daybook/app/cost"
)

// readTax reads how a workspace taxes; null is not at all.
func readTax(v at) (*cost.Tax, error) {
	if v.null() {
		return nil, nil
	}
	var x cost.Tax
	var p patch[cost.Tax]
	if err := v.needs(p.fields(&cost.TaxFields), cost.TaxFields.Required()...); err != nil {
		return nil, err
	}
	return &x, p.apply(&x)
}

// readRate reads a percentage; null is none.
func readRate(v at) (*cost.Rate, error) {
	if v.null() {
		return nil, nil
	}
	r, err := readPercent(v)
	return &r, err
}

func readPercent(v at) (cost.Rate, error) {
	_, text, err := v.scalar("a percentage")
	if err != nil {
		return 0, err
	}
	r, err := cost.ParseRate(text)
	if err != nil {
		return 0, v.wrong("%v", err)
	}
	return r, nil
}
