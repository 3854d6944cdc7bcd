package dashboard

import (
	"testing"

	"daybook/app/apptest/browser"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/money"
	"daybook/views/dash"
)

// A sale on a desktop and on a phone: from an appointment to a product that is found by its number, ten percent off with a
// reason, half in cash with change and half by card; then the receipt, and some of it given back. In dark it is accessible, too.
func TestSaleInABrowser(t *testing.T) {
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
		price := now.Due.Amount + 999
		b.open(dash.BookingPayPath(k.ID.String()) + "?back=" + dash.TillPath)
		b.click(".sale-begin button")
		b.until(`document.querySelectorAll(".sale-lines li").length==1`)
		b.fill("q", "4006381300009")
		b.click(".sale-search button")
		b.until(`document.querySelectorAll(".sale-tile").length==1`)
		b.looksRight("sale", axe)
		b.click(".sale-tile")
		b.until(`document.querySelectorAll(".sale-lines li").length==2`)
		b.click("details.more summary")
		b.fill("off", "10", "reason", "Ten visits")
		b.click(".sale-form button")
		b.sees("Ten visits")
		sale := w.lastSale()
		if sale.Discounted != (price+5)/10 || sale.Due != price-sale.Discounted {
			t.Fatalf("%d: discounted %d, due %d of %d", width, sale.Discounted, sale.Due, price)
		}
		half := sale.Due / 2
		b.fill("amount", money.Short(half, "EUR"), "tendered", "100")
		b.click(".pay-form .button-main")
		b.sees("due")
		b.sees("change")
		b.click(`.pay-methods input[value=card]`)
		b.click(".pay-form .button-main")
		b.until(`document.querySelector(".till-settled")`)
		sale = w.lastSale()
		if sale.Status != counter.SalePaid || len(sale.Payments) != 2 || *sale.Payments[0].Change != 10000-half || sale.Payments[1].Method != booking.ByCard {
			t.Fatalf("%d: %+v", width, sale)
		}
		b.looksRight("sale-paid", axe)
		b.click(`a[href*="/receipts/"].button`)
		b.sees("Discount · Ten visits")
		b.open(dash.SalePath(sale.ID.String()))
		b.click("details.danger summary")
		b.click("details.danger form .button-danger")
		b.sees("given back")
		if sale = w.lastSale(); sale.Status != counter.SaleBack || sale.ReceiptID != nil {
			t.Errorf("%d: given back %+v", width, sale)
		}
		b.open(dash.TillPath)
	}
}

func (w *world) lastSale() counter.Sale {
	w.T.Helper()
	page, err := w.Counter.Sales(w.T.Context(), w.Owner, counter.SaleQuery{})
	w.Must(err)
	return page.Data[0]
}

// Sales without a script: what is wrong is said, an open sale waits on Today and in the till, a line that is taken out as the last
// one ends it, and staff are offered no discount.
func TestSaleByForms(t *testing.T) {
	w := newWorld(t)
	w.someProducts()
	shampoo := w.product("Shampoo 09").ID.String()
	b := w.asOwner()
	b.wants(b.get(dash.SellPath), 200, "Tap on a product", "Shampoo 09")
	b.wants(b.post(dash.SellPath, "product", shampoo), 303)
	sale := w.lastSale()
	at := dash.SalePath(sale.ID.String())
	b.wants(b.get(at), 200, "Shampoo 09", "Give a discount", "Discard this sale")
	b.wants(b.get(dash.TillPath), 200, at)
	b.wants(b.get(dash.TodayPath), 200, at)
	b.wants(b.post(at, "do", "discount", "unit", "percent", "off", ""), 422, "A discount is a percentage")
	b.wants(b.post(at, "do", "discount", "unit", "percent", "off", "ten"), 422, "A discount is a percentage", `value="ten"`)
	b.wants(b.post(at, "do", "discount", "unit", "amount", "off", "10"), 422, "more than what is open")
	b.wants(b.post(at, "line", "1", "quantity", "0"), 422, "from 1 to 999")
	b.wants(b.post(at+"/pay", "method", "cash", "amount", "9.99", "tendered", "5"), 422, "less than the amount")
	b.wants(b.post(at+"/pay", "method", "cash", "amount", "10"), 422, "More than is due")
	b.wants(b.post(at, "line", "1", "quantity", "3"), 303)
	b.wants(b.post(at, "do", "tip", "tip", "2"), 303)
	b.wants(b.post(at, "do", "discount", "unit", "amount", "off", "1", "of", "1", "reason", "A dent"), 303)
	if sale = w.lastSale(); sale.Due != 3*999-100+200 || sale.Lines[0].OwnDiscount != 100 {
		t.Errorf("due %d of %+v", sale.Due, sale.Lines)
	}
	b.wants(b.post(at, "do", "discount", "clear", "1"), 303)
	b.wants(b.post(at+"/pay", "method", "card", "amount", "1"), 303)
	b.wants(b.get(at), 200, "€1 paid", "!Discard this sale", "!Give a discount")
	b.wants(b.post(at, "product", shampoo), 409, "lines stay as they are")
	b.wants(b.post(at+"/refund", "amount", "2"), 422, "An amount, such as")
	b.wants(b.post(at+"/refund", "amount", "1"), 303)

	b.wants(b.post(dash.SellPath, "product", shampoo), 303)
	sale = w.lastSale()
	b.wants(b.post(dash.SalePath(sale.ID.String()), "remove", "1"), 303)
	if sale = w.lastSale(); sale.Status != counter.SaleVoid {
		t.Errorf("the sale without lines is %s", sale.Status)
	}

	staff := w.staff(w.setup().Hosts[0].ID)
	staff.wants(staff.post(dash.SellPath, "product", shampoo), 303)
	own := dash.SalePath(w.lastSale().ID.String())
	staff.wants(staff.get(own), 200, "!Give a discount", "Take payment")
	staff.wants(staff.post(own, "do", "discount", "unit", "percent", "off", "10"), 403)
	staff.wants(staff.get(at), 404)
}
