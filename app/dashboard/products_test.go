package dashboard

import (
	"fmt"
	"strings"
	"testing"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/shop"
	"daybook/views/dash"
)

// product returns the product of that name.
func (w *world) product(name string) catalog.Product {
	w.T.Helper()
	for _, archived := range []bool{false, true} {
		page, err := w.Shop.Products(w.T.Context(), w.Owner, catalog.ProductFilter{Text: name, Archived: archived}, nil, "")
		w.Must(err)
		for _, p := range page.Data {
			if p.Name == name {
				return p
			}
		}
	}
	w.T.Fatalf("there is no %s", name)
	return catalog.Product{}
}

// someProducts adds 60 of them, one with a long name, and returns the page of one.
func (w *world) someProducts() string {
	w.T.Helper()
	var last catalog.Product
	for i := range 60 {
		name, number, stock := fmt.Sprintf("Shampoo %02d", i), fmt.Sprintf("40063813%05d", i), int64(i-1)
		if i == 0 {
			name = "Anti-Schuppen-Shampoo für empfindliche, trockene und colorierte Haare, Vorratsflasche mit 1.000 ml"
		}
		p, err := w.Shop.ChangeProduct(w.T.Context(), w.Owner, "", func(_ *catalog.Setup, p *catalog.Product) error {
			p.Name, p.Number, p.Price.Amount, p.Stock = name, number, int64(990+i), &stock
			if i%3 == 2 {
				p.Stock, p.Number = nil, ""
			}
			return nil
		})
		w.Must(err)
		last = p
	}
	return dash.ProductPath(last.ID.String())
}

// Products are added, found, counted, changed, archived and deleted by those whom the workspace trusts with its services.
func TestProducts(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	const page = dash.ProductsPath
	b.wants(b.get(dash.TypesPath), 200, page)
	b.wants(b.get(page), 200, "Hair oil", page+"/new")
	b.wants(b.get(page+"?tab=archived"), 200, "Nothing is archived")
	form := []string{"name", "Wax <b>", "price", "12,5", "taxRate", "7", "number", "4006381333931", "stock", "x", "stock.was", ""}
	b.wants(b.uploadPicture(page+"/new", "", nil, form...), 422, "Wax &lt;b&gt;", `value="x"`, "whole number")
	form[9] = "1000001"
	b.wants(b.uploadPicture(page+"/new", "", nil, form...), 422, "from -1000000 to 1000000")
	form[9], form[3] = "12", ""
	b.wants(b.uploadPicture(page+"/new", "", nil, form...), 422, `id="f-price"`)
	form[3] = "12,5"
	b.wants(b.uploadPicture(page+"/new", "wax.png", pictureFile(t, 400, 300), form...), 303)
	wax := w.product("Wax <b>")
	if wax.Price != (money.Money{Amount: 1250, Currency: "EUR"}) || *wax.TaxRate != 7000 || *wax.Stock != 12 || wax.Number != "4006381333931" || wax.Picture == 0 {
		t.Errorf("%+v", wax)
	}
	b.wants(b.get(page), 200, "Wax &lt;b&gt;", "€12.50 · 4006381333931", `value="12"`, "/_p/")
	b.wants(b.get(page+"?q=WAX+3339"), 200, "Wax &lt;b&gt;")
	b.wants(b.get(page+"?q=zzz"), 200, "No product found")
	b.wants(b.uploadPicture(page+"/new", "", nil, "name", "WAX <B>", "price", "1"), 409, "there already")
	b.wants(b.uploadPicture(page+"/new", "", nil, "name", "Comb", "price", "1", "number", "4006381333931"), 409, "has this number already")
	b.wants(b.uploadPicture(page+"/new", "", nil, "name", "Comb", "price", "0"), 303)
	one := page + "/" + wax.ID.String()
	b.wants(b.get(one), 200, `value="12.50"`, `name="stock.was" value="12"`, "/_p/")
	// What was sold while the form was open stays counted, unless another stock is typed.
	w.Must(w.Store.Write(t.Context(), func(tx app.Tx) error { return tx.(shop.Tx).AddToStock(w.Workspace.ID, wax.ID, -2) }))
	form[1], form[11] = "Hair wax", "12"
	b.wants(b.uploadPicture(one, "", nil, form...), 303)
	if got := w.product("Hair wax"); *got.Stock != 10 || got.Picture != wax.Picture {
		t.Errorf("%+v", got)
	}
	b.wants(b.post(one+"/stock", "stock", "many"), 422, `value="many"`, "whole number")
	b.wants(b.post(one+"/stock", "stock", "-3"), 303)
	b.wants(b.get(page), 200, `value="-3"`, "None left")
	b.wants(b.post(one+"/stock", "stock", ""), 303)
	if got := w.product("Hair wax"); got.Stock != nil {
		t.Errorf("%+v", got)
	}
	// One that was sold is archived, one that wasn't is gone.
	b.wants(b.get(one), 200, "Archive", "!"+one+"/delete")
	b.wants(b.post(one+"/delete"), 303)
	b.wants(b.get(page), 200, "!Hair wax")
	b.wants(b.get(page+"?tab=archived"), 200, "Hair wax")
	b.wants(b.get(one), 200, "Put back on sale")
	b.wants(b.post(one+"/active", "active", "on"), 303)
	b.wants(b.get(page), 200, "Hair wax")
	b.wants(b.post(one+"/active"), 303)
	comb := page + "/" + w.product("Comb").ID.String()
	b.wants(b.get(comb), 200, comb+"/delete")
	b.wants(b.post(comb+"/delete"), 303)
	b.wants(b.get(comb), 404)
	log := b.get("/dashboard/settings/log")
	b.wants(log, 200, "added a product: Hair wax", "archived a product: Hair wax", "deleted a product")
	staff := w.staff(w.setup().Hosts[0].ID)
	for _, path := range []string{page, page + "/new", one} {
		staff.wants(staff.get(path), 403)
	}
	staff.wants(staff.post(one+"/stock", "stock", "1"), 403)
}

// On a phone and a desktop a product is found while its name is typed, and its stock is typed into its row.
func TestProductsInABrowser(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn(w)
	w.someProducts()
	for _, width := range []int64{390, 1440} {
		b.look("light", width, 844)
		b.open(dash.ProductsPath)
		b.sees("Shampoo 01")
		b.fill("q", "shampoo 09")
		b.until(`document.querySelectorAll(".row-product").length==1`)
		id := w.product("Shampoo 09").ID.String()
		b.fill("stock", fmt.Sprint(width))
		b.click(`form[action$="` + id + `/stock"] button`)
		b.sees("Saved")
		if got := w.product("Shampoo 09"); *got.Stock != width {
			t.Errorf("%d: %d", width, *got.Stock)
		}
	}
	b.open(dash.NewProductPath)
	b.fill("name", "Haaröl", "price", "24,50", "number", strings.Repeat("1", 13), "stock", "6")
	b.click(".form-end button[type=submit]")
	b.sees("Haaröl")
	if got := w.product("Haaröl"); got.Price.Amount != 2450 || *got.Stock != 6 {
		t.Errorf("%+v", got)
	}
}
