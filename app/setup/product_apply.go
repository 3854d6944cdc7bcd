package setup

import (
	"errors"
	"fmt"
	"slices"

	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/when"
)

func (p *planner) applyProducts() (err error) {
	if len(p.file.products) == 0 {
		return nil
	}
	if p.products, err = allProducts(p.tx, p.workspace.ID); err != nil {
		return err
	}
	old := slices.Clone(p.products)
	named := map[catalog.ProductID]int{} // index in the file
	var changed []int                    // indexes in p.products
	for i := range p.file.products {
		f, field := &p.file.products[i], fmt.Sprintf("products[%d]", i)
		at, err := p.productOf(f, field)
		if err != nil {
			p.wrong.add(err)
			continue
		}
		x := &p.products[at]
		if before, twice := named[x.ID]; twice {
			return fault.Invalid(field, "is the same product as products[%d]", before)
		}
		named[x.ID] = i
		isNew, before, name := at >= len(old), productObject(x), x.Name
		if err := p.changeProduct(f, field, x, isNew); err != nil {
			p.wrong.add(err)
			continue
		}
		if isNew {
			p.create("product", x.Name, productObject(x))
		} else if p.compare("product", name, before, productObject(x)) {
			changed = append(changed, at)
		}
	}
	p.wrong.add(p.checkProducts(named))
	if err := p.wrong.err(); err != nil {
		return err
	}
	for i := range old {
		if !hasKey(named, old[i].ID) {
			p.report.Left = append(p.report.Left, Unnamed{"product", old[i].Name, old[i].Active})
		}
	}
	return p.writeProducts(old, changed)
}

// productOf finds the product by the file's id or name, or adds a new one.
func (p *planner) productOf(f *patch[catalog.Product], field string) (at int, err error) {
	given, err := givenID[catalog.ProductIDKind](f.id, field)
	if err != nil {
		return 0, err
	}
	if f.id == "" && f.key == "" {
		return 0, fault.Invalid(field+".name", "is required: it says which product this is")
	}
	at = slices.IndexFunc(p.products, func(x catalog.Product) bool { return given != 0 && x.ID == given })
	if at < 0 && f.key != "" {
		at = slices.IndexFunc(p.products, func(x catalog.Product) bool { return catalog.ProductKey(x.Name) == catalog.ProductKey(f.key) })
	}
	if at >= 0 {
		return at, nil
	}
	now := p.s.Core.Now()
	if given == 0 {
		given = id.New[catalog.ProductIDKind](now)
	}
	p.products = append(p.products, catalog.Product{ID: given, WorkspaceID: p.workspace.ID, Active: true,
		Price: money.Money{Currency: p.workspace.Currency}, CreatedAt: when.At(now)})
	return len(p.products) - 1, nil
}

// changeProduct changes x as the file says.
func (p *planner) changeProduct(f *patch[catalog.Product], field string, x *catalog.Product, isNew bool) error {
	was := x.Picture
	if err := f.apply(x); err != nil {
		return err
	}
	if f.key != "" {
		x.Name = f.key
	}
	if isNew {
		if err := f.require(field, &catalog.ProductFields); err != nil {
			return err
		}
	}
	if err := checkPicture(p, f, field, was, &x.Picture); err != nil {
		return err
	}
	return x.Check(field)
}

// checkProducts checks the number of products, and that their names and numbers differ.
func (p *planner) checkProducts(named map[catalog.ProductID]int) error {
	onSale := 0
	var numbered []catalog.Product
	for i := range p.products {
		if p.products[i].Active {
			onSale++
		}
		if p.products[i].Number != "" {
			numbered = append(numbered, p.products[i])
		}
	}
	if onSale > catalog.MaxProducts {
		return fault.Invalid("products", "at most %d in a workspace; this would be the %dth", catalog.MaxProducts, onSale)
	}
	name := func(x *catalog.Product) (string, catalog.ProductID) { return catalog.ProductKey(x.Name), x.ID }
	if i, at := secondOf(p.products, named, name); i > 0 {
		return fault.Invalid(fmt.Sprintf("products[%d].name", at), "another product has the name %s already", p.products[i].Name)
	}
	number := func(x *catalog.Product) (string, catalog.ProductID) { return catalog.ProductKey(x.Number), x.ID }
	if i, at := secondOf(numbered, named, number); i > 0 {
		return fault.Invalid(fmt.Sprintf("products[%d].number", at), "another product has the number %s already", numbered[i].Number)
	}
	return nil
}

// writeProducts saves those of old that were changed, and those that are new behind them.
func (p *planner) writeProducts(old []catalog.Product, changed []int) error {
	if len(changed) > 1 { // they may swap names and numbers
		for _, at := range changed {
			x := old[at]
			x.Name, x.Number = x.ID.String(), ""
			if err := p.tx.UpdateProduct(&x); err != nil {
				return err
			}
		}
	}
	for _, at := range changed {
		x := &p.products[at]
		if err := p.tx.UpdateProduct(x); err != nil {
			return err
		}
		if was := old[at].Stock; was != x.Stock && (was == nil || x.Stock == nil || *was != *x.Stock) {
			if err := p.tx.SetStock(p.workspace.ID, x.ID, x.Stock); err != nil {
				return err
			}
		}
	}
	for i := len(old); i < len(p.products); i++ {
		x := &p.products[i]
		err := p.tx.Try(func() error { return p.tx.InsertProduct(x) })
		if errors.Is(err, fault.ErrTaken) { // name and number are free, so another workspace has the id
			x.ID = id.New[catalog.ProductIDKind](p.s.Core.Now())
			err = p.tx.InsertProduct(x)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
