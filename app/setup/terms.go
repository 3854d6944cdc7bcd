package setup

import (
	"fmt"

	"daybook/app/catalog"
	"daybook/app/money"
)

// readTerms reads the services that take another time, or cost another price, with a host. The event types may be new,
// so planner.applyTerms finds them.
func readTerms(v at) ([]catalog.Terms, error) {
	all := []catalog.Terms{}
	if v.null() {
		return all, nil
	}
	err := v.list(catalog.MaxEventTypes, func(v at) error {
		var p patch[catalog.Terms]
		if err := v.needs(p.fields(&catalog.TermsFields), catalog.TermsFields.Required()...); err != nil {
			return err
		}
		all = append(all, catalog.Terms{})
		t := &all[len(all)-1]
		if err := p.apply(t); err != nil || t.DurationMinutes != nil || len(t.Parts) == 0 {
			return err
		}
		total := 0 // as they are saved, so that the same file changes nothing
		for _, part := range t.Parts {
			total += part.Work + part.Wait
		}
		t.DurationMinutes = &total
		return nil
	})
	return all, err
}

func readMinutes(v at) (*int, error) {
	if v.null() {
		return nil, nil
	}
	n, err := readWhole(v)
	return &n, err
}

// withCurrency gives the prices of a host's terms that name no currency the workspace's.
func (p *planner) withCurrency(terms []catalog.Terms) {
	for i := range terms {
		if m := terms[i].Price; m != nil && m.Currency == "" {
			terms[i].Price = &money.Money{Amount: m.Amount, Currency: p.workspace.Currency}
		}
	}
}

// applyTerms checks the terms of all hosts against the event types of the file, and saves those that the file gives.
func (p *planner) applyTerms() error {
	given := map[catalog.HostID]int{}
	for i := range p.file.hosts {
		f := &p.file.hosts[i]
		if _, ok := f.given["eventTypes"]; !ok {
			continue
		}
		id, err := givenID[catalog.HostIDKind](f.id, fmt.Sprintf("hosts[%d]", i))
		if err != nil {
			return err
		}
		if at := p.findHost(id, f.key); at >= 0 {
			given[p.hosts[at].ID] = i
		}
	}
	for at := range p.hosts {
		h := &p.hosts[at]
		i, changed := given[h.ID]
		field := "hosts"
		if changed {
			field = fmt.Sprintf("hosts[%d]", i)
		}
		if !changed {
			h.DropTerms(p.types)
		}
		if p.wrong.add(h.CheckTerms(field, p.types)); changed && p.wrong.err() == nil {
			if err := p.tx.UpdateHost(h); err != nil {
				return err
			}
		}
	}
	return p.wrong.err()
}
