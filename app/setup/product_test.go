package setup_test

import (
	"strings"
	"testing"

	"daybook/app/fault"
)

const shelf = `
workspace: {slug: salon}
products:
  - {name: Shampoo, number: "4006381333931", price: {amount: 1290}, taxRate: 7, stock: 12}
  - name: Comb
    price: {amount: 590, currency: EUR}
    active: false
`

// Products are made by their names, and what was exported applies as it is, also elsewhere; the stock is in no export.
func TestProductsOfAFile(t *testing.T) {
	s := blank(t)
	apply(t, s, salon)
	if got := told(apply(t, s, shelf)); !strings.HasPrefix(got, "+product Shampoo\n+product Comb") {
		t.Errorf("got\n%s", got)
	}
	d, text := export(t, s, "salon")
	if !strings.Contains(text, "number: \"4006381333931\"") || !strings.Contains(text, "price: {amount: 1290, currency: EUR}") || strings.Contains(text, "stock") {
		t.Error(text)
	}
	for _, again := range []string{shelf, text} {
		if all := apply(t, s, again); len(all) != 0 {
			t.Errorf("differs:\n%s", told(all))
		}
	}
	other := blank(t)
	apply(t, other, text)
	if _, copied := export(t, other, "salon"); copied != text {
		t.Errorf("copied to another database:\n%s\nwant\n%s", copied, text)
	}
	second := strings.Replace(text, "id: "+d.Workspace.ID(), "", 1)
	apply(t, s, strings.Replace(second, "slug: salon", "slug: second", 1))
	if copied, _ := export(t, s, "second"); len(copied.Products) != 2 || copied.Products[0].ID() == d.Products[0].ID() {
		t.Errorf("%+v", copied.Products)
	}
	a, b := d.Products[0].ID(), d.Products[1].ID()
	swapped := told(apply(t, s, "workspace: {slug: salon}\nproducts: [{id: "+a+", name: Comb, number: null, stock: 3}, {id: "+b+", name: Shampoo, number: \"4006381333931\"}]"))
	for _, want := range []string{"product Shampoo.name", "product Comb.name", "product Shampoo.stock 12→3", "product Comb.number"} {
		if !strings.Contains(swapped, want) {
			t.Errorf("no %s in\n%s", want, swapped)
		}
	}
}

// Mistakes in products have their lines, and nothing is done.
func TestWrongProducts(t *testing.T) {
	head := "workspace: {slug: salon}\n"
	for _, c := range []struct{ file, want string }{
		{head + "products:\n  - {number: X}", "line 3: products[0].name: is required"},
		{head + "products:\n  - name: X", "line 3: products[0].price: is required"},
		{head + "products:\n  - name: X\n    price: null", "line 4: products[0].price: must be a mapping"},
		{head + "products:\n  - name: X\n    price: {amount: -1}", "line 4: products[0].price.amount: must lie between"},
		{head + "products:\n  - name: X\n    price: {amount: 1}\n    stock: many", "line 5: products[0].stock: must be a whole number"},
		{head + "products:\n  - {name: X, price: {amount: 1}}\n  - {name: x, price: {amount: 1}}", "line 4: products[1]: is the same product as products[0]"},
		{head + "products:\n  - name: X\n    price: {amount: 1}\n    number: \"4006381333931\"", "line 5: products[0].number: another product has the number"},
	} {
		t.Run(c.want, func(t *testing.T) {
			s := blank(t)
			apply(t, s, salon)
			apply(t, s, shelf)
			_, before := export(t, s, "salon")
			_, err := tryApply(t, s, c.file)
			if e := fault.As(err); e == nil || e.Code != fault.BadRequest || !strings.Contains(e.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			if _, after := export(t, s, "salon"); after != before {
				t.Error("something was changed")
			}
		})
	}
}
