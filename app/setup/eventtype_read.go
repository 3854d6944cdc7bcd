package setup

import (
	"cmp"

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
		read, err := readMoney(v, "is required: minor units, such as 4500 for 45.00; a free event type has price: null")
		if err != nil {
			return err
		}
		p.set = append(p.set, func(t any) {
			m := read
			if old := *to(t); m.Currency == "" && old != nil {
				m.Currency = old.Currency
			}
			*to(t) = &m
		})
		return nil
	}
}

// priceField is moneyField for what always has a price.
func priceField(p *changes, to func(any) *money.Money) field {
	return func(v at) error {
		m, err := readMoney(v, "is required: minor units, such as 4500 for 45.00")
		p.set = append(p.set, func(t any) {
			old := to(t)
			*old = money.Money{Amount: m.Amount, Currency: cmp.Or(m.Currency, old.Currency)}
		})
		return err
	}
}

// readMoney reads an amount whose currency may be left out. missing says that there is no amount.
func readMoney(v at, missing string) (m money.Money, err error) {
	given := false
	err = v.object(map[string]field{
		"amount":   func(v at) error { n, err := readWhole(v); m.Amount, given = int64(n), true; return err },
		"currency": keep(&m.Currency),
	})
	if err == nil && !given {
		err = v.child("amount", v.node).wrong("%s", missing)
	}
	return m, err
}

// readCount reads a whole number or null.
func readCount(v at) (*int64, error) {
	if v.null() {
		return nil, nil
	}
	n, err := readWhole(v)
	return new(int64(n)), err
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
