package setup

import (
	"daybook/app/catalog"
	"daybook/app/money"
)

// moneyField keeps the old price's currency if the file gives none.
func moneyField(p *changes, to func(any) **money.Money) field {
	return func(v at) error {
		if v.null() {
			p.set = append(p.set, func(t any) { *to(t) = nil })
			return nil
		}
		var amount *int64
		var currency string
		err := v.object(map[string]field{
			"amount":   func(v at) error { n, err := readWhole(v); a := int64(n); amount = &a; return err },
			"currency": keep(&currency),
		})
		if err == nil && amount == nil {
			err = v.child("amount",
				v.node).wrong("is required: minor units, such as 4500 for 45.00; a free event type has price: null")
		}
		if err != nil {
			return err
		}
		p.set = append(p.set, func(t any) {
			m := money.Money{Amount: *amount, Currency: currency}
			if old := *to(t); currency == "" && old != nil {
				m.Currency = old.Currency
			}
			*to(t) = &m
		})
		return nil
	}
}

func readQuestions(v at) ([]catalog.Question, error) {
	all := []catalog.Question{}
	if v.null() {
		return all, nil
	}
	err := v.list(catalog.MaxQuestions, func(v at) error {
		var p patch[catalog.Question]
		if err := v.needs(p.fields(&catalog.QuestionFields), catalog.QuestionFields.Required()...); err != nil {
			return err
		}
		q := catalog.Question{Type: "text"}
		all = append(all, q)
		return p.apply(&all[len(all)-1])
	})
	return all, err
}
