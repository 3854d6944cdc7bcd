package setup

import "daybook/app/catalog"

// readTax reads how a workspace taxes; null is not at all.
func readTax(v at) (*catalog.Tax, error) {
	if v.null() {
		return nil, nil
	}
	var x catalog.Tax
	var p patch[catalog.Tax]
	if err := v.needs(p.fields(&catalog.TaxFields), catalog.TaxFields.Required()...); err != nil {
		return nil, err
	}
	return &x, p.apply(&x)
}

// readRate reads a percentage; null is none.
func readRate(v at) (*catalog.Rate, error) {
	if v.null() {
		return nil, nil
	}
	r, err := readPercent(v)
	return &r, err
}

func readPercent(v at) (catalog.Rate, error) {
	_, text, err := v.scalar("a percentage")
	if err != nil {
		return 0, err
	}
	r, err := catalog.ParseRate(text)
	if err != nil {
		return 0, v.wrong("%v", err)
	}
	return r, nil
}
