package dashboard

import (
	"regexp"
	"strings"
	"testing"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/money"
	"daybook/app/pass"
	"daybook/views/dash"
)

// voucher sells one of that amount for cash, and returns its id.
func (w *world) voucher(amount int64) string {
	w.T.Helper()
	sale, err := w.Counter.Sell(w.T.Context(), w.Owner, counter.SaleInput{
		Lines:    []counter.SaleLineInput{{Kind: counter.VoucherLine, Amount: &amount, For: "Ada & Co"}},
		Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: amount}}})
	w.Must(err)
	return sale.Lines[0].PassID.String()
}

var printedCode = regexp.MustCompile(`<code[^>]*>([0-9A-Z]{4}(?:-[0-9A-Z]{4}){3})</code>`)

// code prints the pass, and returns its code.
func (w *world) code(b *visitor, id string) string {
	w.T.Helper()
	r := b.post(dash.PassPrintPath(id))
	b.wants(r, 200, "Show this code when you pay")
	m := printedCode.FindStringSubmatch(r.body)
	if m == nil {
		w.T.Fatalf("no code in %s", r.body)
	}
	return m[1]
}

// A product becomes a pass and a thing again, and what was typed wrong is said at its field.
func TestPassProducts(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	cut := w.setup().EventTypes[0].ID.String()
	add := func(more ...string) response {
		return b.uploadPicture(dash.NewProductPath, "", nil, append([]string{"name", "Ten cuts", "price", "300"}, more...)...)
	}
	b.wants(b.get(dash.NewProductPath), 200, "What is it?", "For which services", cut)
	b.wants(add("sells", "credits", "credits", "ten"), 422, `id="f-credits-error"`, "whole number", "!f-amount-error")
	b.wants(add("sells", "credits", "credits", ""), 422, `id="f-credits-error"`)
	b.wants(add("sells", "credits", "credits", "1001"), 422, `id="f-credits-error"`, "at most 1000")
	b.wants(add("sells", "amount", "amount", ""), 422, `id="f-amount-error"`)
	b.wants(add("sells", "amount", "amount", "350", "days", "4000"), 422, `id="f-days-error"`, "at most 3660")
	b.wants(add("sells", "credits", "credits", "10", "amount", "7", "days", "365", "eventTypes", cut), 303)
	p := w.product("Ten cuts")
	if p.Pass == nil || p.Pass.Credits != 10 || p.Pass.Amount != 0 || p.Pass.Days != 365 || len(p.Pass.EventTypes) != 1 {
		t.Fatalf("%+v", p.Pass)
	}
	at := dash.ProductPath(p.ID.String())
	b.wants(b.get(dash.ProductsPath), 200, "Pass for 10 visits", "!"+dash.ProductStockPath(p.ID.String()))
	b.wants(b.get(at), 200, `value="credits" selected`, `value="10"`, `value="365"`, `value="`+cut+`" checked`)
	b.wants(b.post(dash.ProductActivePath(p.ID.String())), 303)
	b.wants(b.post(dash.ProductActivePath(p.ID.String()), "active", "on"), 303)
	if p = w.product("Ten cuts"); p.Pass == nil {
		t.Error("archiving forgot what the pass pays for")
	}
	b.wants(b.uploadPicture(at, "", nil, "name", "Ten cuts", "price", "300", "sells", "amount", "amount", "350"), 303)
	if p = w.product("Ten cuts"); p.Pass.Amount != 35000 || p.Pass.Credits != 0 || len(p.Pass.EventTypes) != 0 {
		t.Errorf("%+v", p.Pass)
	}
	b.wants(b.get(dash.ProductsPath), 200, "Pass for €350")
	b.wants(b.uploadPicture(at, "", nil, "name", "Ten cuts", "price", "300", "sells", ""), 303)
	if p = w.product("Ten cuts"); p.Pass != nil {
		t.Errorf("%+v", p.Pass)
	}
}

// Vouchers are sold by a tap or a typed amount, printed, redeemed by their code, and listed with what is owed.
func TestVouchersByForms(t *testing.T) {
	w := newWorld(t)
	w.someProducts()
	b := w.asOwner()
	shampoo := w.product("Shampoo 09").ID.String()
	b.wants(b.get(dash.PassesPath), 200, "No passes or vouchers", "!"+dash.OwedPath)
	b.wants(b.get(dash.SellPath), 200, "Sell a voucher", `name="round" value="25"`, "€100")
	b.wants(b.post(dash.SellPath, "do", "voucher", "worth", ""), 422, "An amount, such as")
	b.wants(b.post(dash.SellPath, "do", "voucher", "worth", "x", "for", "Ada <b>"), 422, `value="x"`, "Ada &lt;b&gt;")
	b.wants(b.post(dash.SellPath, "do", "voucher", "worth", "", "for", "Ada <b>", "round", "50"), 303)
	sale := w.lastSale()
	at := dash.SalePath(sale.ID.String())
	b.wants(b.get(at), 200, "Voucher for Ada &lt;b&gt;", "€50")
	b.wants(b.post(at, "do", "voucher", "worth", "12,50"), 303)
	b.wants(b.post(at, "product", shampoo), 303)
	b.wants(b.post(at, "remove", "2"), 303)
	if sale = w.lastSale(); len(sale.Lines) != 2 || sale.Due != 5000+999 || sale.Lines[0].For != "Ada <b>" {
		t.Fatalf("%+v", sale.Lines)
	}
	b.wants(b.post(at+"/pay", "method", "card", "amount", "59.99"), 303)
	sold := w.lastSale().Lines[0].PassID.String()
	b.wants(b.get(at), 200, dash.PassPath(sold), "Print: Voucher for Ada &lt;b&gt;")
	b.wants(b.get(dash.ReceiptPath(w.lastSale().ReceiptID.String())), 200, "Voucher", "Shampoo 09")
	b.wants(b.get(dash.PassesPath), 200, "€50 of €50", "Ada &lt;b&gt;", "€50 are owed to the holder of 1 pass", dash.OwedPath)
	b.wants(b.get(dash.PassPath(sold)), 200, "whoever has the code", "Printing shows its code", at, "+€50")
	first := w.code(b, sold)
	b.wants(b.get(dash.PassPath(sold)), 200, "ends the one before", "Make a new code", "!"+first)
	code := w.code(b, sold)

	b.wants(b.post(dash.SellPath, "product", shampoo), 303)
	at = dash.SalePath(w.lastSale().ID.String())
	b.wants(b.post(at+"/pay", "pass", " "), 422, "Please fill this in")
	b.wants(b.post(at+"/pay", "pass", "0000-0000-0000-0000"), 422, "No pass or voucher has this code", `value="0000-0000-0000-0000"`)
	b.wants(b.post(at+"/pay", "pass", first), 409, "This code was replaced")
	b.wants(b.post(at+"/pay", "pass", strings.ToLower(strings.ReplaceAll(code, "-", " "))), 303)
	b.wants(b.post(at+"/pay", "pass", code), 303) // tapped twice
	if sale = w.lastSale(); sale.Status != counter.SalePaid || sale.Payments[0].Pass == nil {
		t.Fatalf("%+v", sale)
	}
	b.wants(b.get(at), 200, "€9.99 · Voucher", "!Pay with a pass")
	b.wants(b.get(dash.PassPath(sold)), 200, "€40.01 of €50", at, "−€9.99")
	table := b.get(dash.OwedPath)
	b.wants(table, 200, sold+",Voucher,amount,Ada <b>,", ",50.00,40.01,EUR,40.01\n")
	b.wants(b.post(at+"/refund", "amount", "9.99"), 303)
	b.wants(b.get(dash.PassPath(sold)), 200, "€50 of €50", "Came back")

	// Given back, it can neither pay nor be printed.
	all, err := w.Pass.Pass(t.Context(), w.Owner, sold)
	w.Must(err)
	b.wants(b.post(dash.SalePath(all.SaleID.String())+"/refund", "amount", "59.99"), 303)
	b.wants(b.get(dash.PassPath(sold)), 200, "Given back", "!"+dash.PassPrintPath(sold))
	b.wants(b.post(dash.PassPrintPath(sold)), 409, "was given back")
	b.wants(b.post(dash.SellPath, "product", shampoo), 303)
	b.wants(b.post(dash.SalePath(w.lastSale().ID.String())+"/pay", "pass", code), 409, "was given back")
	b.wants(b.get(dash.PassesPath+"?owed=1"), 200, "!Ada &lt;b&gt;")
	staff := w.staff(w.setup().Hosts[0].ID)
	staff.wants(staff.get(dash.OwedPath), 403)
	staff.wants(staff.get(dash.PassesPath), 200, "!are owed")
}

// A customer's passes are offered for what they cover, the one that ends first first, and taken only when they are tapped on.
func TestCustomersPassesAreOffered(t *testing.T) {
	w := newWorld(t)
	b := w.asOwner()
	k := w.priced()
	now, err := w.Booking(t.Context(), w.Owner, k.ID.String())
	w.Must(err)
	var other catalog.EventTypeID
	for _, e := range w.setup().EventTypes {
		if e.ID != now.EventTypeID {
			other = e.ID
		}
	}
	for _, p := range []struct {
		name  string
		terms catalog.PassTerms
	}{
		{"For ever", catalog.PassTerms{Credits: 5}},
		{"For a year", catalog.PassTerms{Credits: 10, Days: 365}},
		{"For a month", catalog.PassTerms{Amount: 2000, Days: 30}},
		{"For another", catalog.PassTerms{Credits: 3, EventTypes: []catalog.EventTypeID{other}}},
	} {
		made, err := w.Shop.ChangeProduct(t.Context(), w.Owner, "", func(_ *catalog.Setup, x *catalog.Product) error {
			x.Name, x.Price, x.Pass = p.name, money.Money{Amount: 1000, Currency: "EUR"}, &p.terms
			return nil
		})
		w.Must(err)
		b.wants(b.get(dash.SellPath), 200, `name="pass" value="`+made.ID.String()+`"`)
		_, err = w.Counter.Sell(t.Context(), w.Owner, counter.SaleInput{ContactID: now.ContactID.String(),
			Lines:    []counter.SaleLineInput{{Kind: counter.PassLine, ProductID: made.ID.String()}},
			Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: 1000}}})
		w.Must(err)
	}
	page, err := w.Pass.Passes(t.Context(), w.Owner, pass.Query{Contact: now.ContactID.String()})
	w.Must(err)
	year, month := page.Data[2].ID.String(), page.Data[1].ID.String()
	pay := dash.BookingPayPath(k.ID.String())
	r := b.get(pay)
	b.wants(r, 200, "For a month – €20 left, until", "For a year – 10 left, until", "For ever – 5 left<", "!For another")
	if i, j, l := strings.Index(r.body, "For a month"), strings.Index(r.body, "For a year"), strings.Index(r.body, "For ever"); i > j || j > l {
		t.Error("the pass that ends first isn't the first")
	}
	b.wants(b.get(dash.ContactPath(now.ContactID.String())), 200, "For a year: 10 of 10, until", "For another: 3 of 3<")
	b.wants(b.post(pay, "pass", ""), 422, "Please fill this in")
	b.wants(b.post(pay, "pass", page.Data[0].ID.String()), 409, "pays for nothing here")
	b.wants(b.post(pay, "pass", month), 303)
	b.wants(b.get(dash.BookingPath(k.ID.String())), 200, "€20 · For a month")

	b.wants(b.post(dash.SellPath, "booking", k.ID.String()), 303)
	at := dash.SalePath(w.lastSale().ID.String())
	b.wants(b.get(at), 200, "For a year – 10 left", "!For a month –")
	if sale := w.lastSale(); sale.Paid != 0 {
		t.Errorf("taken unasked: %+v", sale.Payments)
	}
	b.wants(b.post(at+"/pay", "pass", year), 303)
	if sale := w.lastSale(); sale.Status != counter.SalePaid {
		t.Fatalf("%+v", sale)
	}
	b.wants(b.get(at), 200, "For a year, 1 visit")
	b.wants(b.get(dash.PassPath(year)), 200, "9 of 10", dash.BookingPath(k.ID.String()), "−1", "Belongs to", "!"+dash.PassPrintPath(year))
	r = b.get(dash.ReceiptPath(w.lastSale().ReceiptID.String()))
	b.wants(r, 200, "Redeemed: For a year")
}

// A voucher at the till of a desktop and of a phone: sold with a discounted cut and a product, half in cash and half by card, then
// printed, and its code pays for another product.
func TestVoucherInABrowser(t *testing.T) {
	w := newWorld(t)
	_, err := w.Shop.UpdateWorkspace(t.Context(), w.Owner, func(x *catalog.Workspace) {
		x.Tax = &money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}
	})
	w.Must(err)
	w.someProducts()
	k := w.priced()
	axe := browser.Axe(t)
	b := w.browse()
	b.look("light", 1440, 900)
	b.signIn(w)
	for _, width := range []int64{1440, 390} {
		b.look(map[bool]string{true: "dark", false: "light"}[width == 390], width, 844)
		now, err := w.Booking(t.Context(), w.Owner, k.ID.String())
		w.Must(err)
		b.open(dash.BookingPayPath(k.ID.String()) + "?back=" + dash.TillPath)
		b.click(".sale-begin button")
		b.until(`document.querySelectorAll(".sale-lines li").length==1`)
		b.click("details.more:has(input[name=off]) summary")
		b.fill("off", "10")
		b.click(".sale-form:has(input[name=off]) button")
		b.until(`document.querySelector(".till-drawer").textContent.includes("Discount")`)
		b.fill("q", "4006381300009")
		b.click(".sale-search button")
		b.until(`document.querySelectorAll(".sale-tile").length==1`)
		b.click(".sale-tile")
		b.until(`document.querySelectorAll(".sale-lines li").length==2`)
		b.click("details.more:has(.sale-round) summary")
		b.fill("for", "Ada")
		b.looksRight("sale-voucher", axe)
		b.click(`.sale-round button[value="50"]`)
		b.sees("Voucher for Ada")
		sale := w.lastSale()
		if want := now.Due.Amount + 999 - (now.Due.Amount+999+5)/10 + 5000; sale.Due != want {
			t.Fatalf("%d: due %d, want %d: the discount of all is none of the voucher", width, sale.Due, want)
		}
		half := sale.Due / 2
		b.fill("amount", money.Short(half, "EUR"))
		b.click(".pay-form .button-main")
		b.sees("due")
		b.click(`.pay-methods input[value=card]`)
		b.click(".pay-form .button-main")
		b.until(`document.querySelector(".till-settled")`)
		b.looksRight("sale-voucher-paid", axe)
		sale = w.lastSale()
		b.click(`a[href*="/passes/"]`)
		b.sees("Printing shows its code")
		b.looksRight("pass", axe)
		b.click(".pass-card form button")
		b.until(`document.querySelector(".voucher code")`)
		b.looksRight("pass-print", axe)
		code := browser.Eval[string](t, b.ctx, `document.querySelector(".voucher code").textContent`)
		b.open(dash.SellPath)
		b.fill("q", "4006381300009")
		b.click(".sale-search button")
		b.until(`document.querySelectorAll(".sale-tile").length==1`)
		b.click(".sale-tile")
		b.until(`document.querySelector(".pay-form")`)
		b.click("details.more:has(input[name=pass]) summary")
		b.fill("pass", code)
		b.looksRight("sale-redeem", axe)
		b.click("details:has(input[name=pass]) button")
		b.until(`document.querySelector(".till-settled")`)
		b.sees("€9.99 · Voucher")
		b.click(`a[href*="/receipts/"].button`)
		b.sees("Redeemed: Voucher")
		b.open(dash.PassesPath)
		b.sees("€40.01 of €50")
		b.looksRight("passes", axe)
		_, err = w.Counter.RefundSale(t.Context(), w.Owner, w.lastSale().ID.String(), counter.SaleRefundInput{})
		w.Must(err)
		_, err = w.Counter.RefundSale(t.Context(), w.Owner, sale.ID.String(), counter.SaleRefundInput{})
		w.Must(err)
	}
}

// What a pass pays for is asked only for what is one.
func TestPassProductInABrowser(t *testing.T) {
	w := newWorld(t)
	axe := browser.Axe(t)
	b := w.browse()
	b.look("light", 390, 844)
	b.signIn(w)
	b.open(dash.NewProductPath)
	seen := func(field string) string { return `document.getElementById("f-` + field + `").checkVisibility()` }
	b.until("!" + seen("credits") + "&&!" + seen("days") + "&&" + seen("stock"))
	b.fill("name", "Ten cuts", "price", "300")
	for _, kind := range []string{"amount", "credits"} {
		b.fill("sells", kind)
		b.until(seen(kind) + "&&" + seen("days") + "&&!" + seen("stock"))
		b.looksRight("product-"+kind, axe)
	}
	b.until("!" + seen("amount"))
	b.fill("credits", "10")
	b.click(".form-end button[type=submit]")
	b.sees("Pass for 10 visits")
}
