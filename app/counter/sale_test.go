package counter_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/shop"
)

// product is one that is on sale, with so many in stock.
func product(t *testing.T, w *apptest.Salon, name string, price, stock int64, rate *money.Rate) catalog.ProductID {
	t.Helper()
	p := catalog.Product{ID: id.New[catalog.ProductIDKind](w.Clock.Now()), WorkspaceID: w.Workspace.ID, Name: name, Active: true,
		Price: money.Money{Amount: price, Currency: "EUR"}, Stock: &stock, TaxRate: rate}
	w.Must(w.Service.Write(context.Background(), func(tx app.Tx) error { return tx.(shop.Tx).InsertProduct(&p) }))
	return p.ID
}

// stocked returns how many of a product there are.
func stocked(w *apptest.Salon, p catalog.ProductID) int64 {
	var found catalog.Product
	w.Must(w.Service.Write(context.Background(), func(tx app.Tx) (err error) {
		found, err = tx.(shop.Tx).Product(w.Workspace.ID, p)
		return err
	}))
	return *found.Stock
}

func service(b booking.Booking) counter.SaleLineInput {
	return counter.SaleLineInput{Kind: counter.ServiceLine, BookingID: b.ID.String()}
}

func goods(p catalog.ProductID, n int) counter.SaleLineInput {
	return counter.SaleLineInput{Kind: counter.ProductLine, ProductID: p.String(), Quantity: &n}
}

func tip(n int64) counter.SaleLineInput {
	return counter.SaleLineInput{Kind: counter.TipLine, Amount: &n}
}

func percent(n money.Rate, why string) *counter.Discount {
	return &counter.Discount{Percent: &n, Reason: why}
}

func off(n int64, why string) *counter.Discount { return &counter.Discount{Amount: &n, Reason: why} }

// sums are the amounts of a sale in a line.
func sums(s counter.Sale) string {
	text := fmt.Sprintf("%s total %d paid %d due %d back %d", s.Status, s.Total, s.Paid, s.Due, s.Refunded)
	for _, l := range s.Lines {
		text += fmt.Sprintf(" [%s %d-%d-%d=%d, %d]", l.Kind, l.Amount, l.OwnDiscount, l.SharedDiscount, l.Total, l.Paid)
	}
	return text
}

// written are the lines, taxes and payments of a sale's receipt.
func written(t *testing.T, w *apptest.Salon, s counter.Sale) string {
	t.Helper()
	if s.ReceiptID == nil {
		return "none"
	}
	r, err := w.Counter.Receipt(t.Context(), w.Owner, s.ReceiptID.String())
	w.Must(err)
	text := fmt.Sprintf("%s %s %d:", r.Number, r.Kind, r.Total)
	sum, paid, taxed := int64(0), int64(0), int64(0)
	for _, l := range r.Lines {
		rate := "-"
		if l.TaxRate != nil {
			rate = l.TaxRate.String()
			taxed += l.Amount
		}
		text += fmt.Sprintf(" [%s %s %d %s%%]", l.Kind, l.Text, l.Amount, rate)
		sum += l.Amount
	}
	for _, x := range r.Taxes {
		text += fmt.Sprintf(" %s%%=%d", x.Rate, x.Tax)
		taxed -= x.Gross
		if x.Net+x.Tax != x.Gross {
			t.Errorf("net and tax of %s are not gross: %+v", x.Rate, x)
		}
	}
	for _, p := range r.Payments {
		text += fmt.Sprintf(" %s %d", p.Method, p.Amount)
		paid += p.Amount
	}
	if sum != r.Total || paid != r.Total || taxed != 0 {
		t.Errorf("the receipt doesn't add up: lines %d, payments %d, total %d, taxed lines without a tax %d", sum, paid, r.Total, taxed)
	}
	return text
}

// A cut, a shampoo and a tip are sold with ten percent off, half in cash and half by card: the booking has its part, the
// receipt each line, the discount by rate, and what is given back reverses it.
func TestSale(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, b := t.Context(), w.Booked("cut", "1T09", "bo")
	seven := money.Rate(7000)
	shampoo := product(t, w, "Shampoo", 1290, 5, &seven)
	lent := int64(4000)
	sale, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{
		Lines:    []counter.SaleLineInput{service(b), goods(shampoo, 2), tip(500)},
		Discount: percent(10000, "Ten visits"),
		Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: 3186, Tendered: &lent}, {Method: booking.ByCard, Amount: 3686}},
	})
	w.Must(err)
	if got, want := sums(sale), "paid total 6872 paid 6872 due 0 back 0 [service 4500-0-450=4050, 4050] [product 2580-0-258=2322, 2322] "+
		"[tip 500-0-0=500, 500]"; got != want {
		t.Errorf("sold %s\nwant %s", got, want)
	}
	if c := sale.Payments[0].Change; c == nil || *c != 814 {
		t.Errorf("the change is %v", c)
	}
	if got, want := written(t, w, sale), "2026-1 receipt 6872: [service Cut 4500 19%] [product Shampoo 2580 7%] [discount Ten visits -450 19%] "+
		"[discount Ten visits -258 7%] [tip  500 -%] 19%=647 7%=152 cash 3186 card 3686"; got != want {
		t.Errorf("the receipt is %s\nwant %s", got, want)
	}
	if n := stocked(w, shampoo); n != 3 {
		t.Errorf("%d in stock, want 3", n)
	}
	paid := w.Again(b)
	if got, want := amounts(paid), "paid 4050 due 0 [cash 2025+0-0 true] [card 2025+0-0 true] [card 0+500-0 true]"; got != want {
		t.Errorf("the booking has %s\nwant %s", got, want)
	}
	if paid.Discount == nil || paid.Discount.Amount != 450 {
		t.Errorf("its discount is %v", paid.Discount)
	}
	history, err := w.History(ctx, w.API, b.ID.String())
	w.Must(err)
	if i := slices.IndexFunc(history, func(h booking.HistoryEntry) bool { return h.Action == booking.ActDiscounted }); i < 0 ||
		history[i].Reason != "Ten visits" || history[i].Amount.Amount != 450 {
		t.Errorf("the history has no discount: %+v", history)
	}
	day, err := w.Counter.Day(ctx, w.Owner, "")
	w.Must(err)
	if got := fmt.Sprint(day.Takings); got != "[{cash EUR 3186 0 0} {card EUR 3686 500 0}]" {
		t.Errorf("the day has %s", got)
	}

	// One shampoo's worth goes back, newest payment first.
	sale, err = w.Counter.RefundSale(ctx, w.Owner, sale.ID.String(), counter.SaleRefundInput{Lines: []int{2}})
	w.Must(err)
	if got, want := sums(sale), "partially_refunded total 6872 paid 4550 due 0 back 2322 [service 4500-0-450=4050, 4050] "+
		"[product 2580-0-258=2322, 0] [tip 500-0-0=500, 500]"; got != want {
		t.Errorf("given back: %s\nwant %s", got, want)
	}
	if got, want := written(t, w, sale), "2026-3 receipt 4550: [service Cut 4500 19%] [discount Ten visits -450 19%] [tip  500 -%] 19%=647 "+
		"cash 2025 card 2525"; got != want {
		t.Errorf("the receipt of what stays is %s\nwant %s", got, want)
	}
	if n := stocked(w, shampoo); n != 5 {
		t.Errorf("%d in stock after the refund, want 5", n)
	}
	_, err = w.Counter.RefundSale(ctx, w.Owner, sale.ID.String(), counter.SaleRefundInput{Lines: []int{2}})
	w.Refused(err, fault.Conflict, "nothing_to_refund")
	// The booking's own payment goes back through its sale.
	part := int64(1000)
	_, err = w.Counter.GiveBack(ctx, w.Owner, paid.Payments[0].ID.String(), &part)
	w.Must(err)
	sale, err = w.Counter.Sale(ctx, w.Owner, sale.ID.String())
	w.Must(err)
	if got, want := written(t, w, sale), "2026-5 receipt 3550: [service Cut 3050 19%] [tip  500 -%] 19%=487 cash 1025 card 2525"; got != want {
		t.Errorf("the receipt after that is %s\nwant %s", got, want)
	}
	if b := w.Again(b); b.Due.Amount != 1000 {
		t.Errorf("due is %d, want 1000", b.Due.Amount)
	}
	sale, err = w.Counter.RefundSale(ctx, w.Owner, sale.ID.String(), counter.SaleRefundInput{})
	w.Must(err)
	if got := sums(sale); !strings.HasPrefix(got, "refunded total 6872 paid 0 due 0 back 6872") || sale.ReceiptID != nil {
		t.Errorf("all given back: %s, receipt %v", got, sale.ReceiptID)
	}
	day, err = w.Counter.Day(ctx, w.Owner, "")
	w.Must(err)
	if got := fmt.Sprint(day.Takings); got != "[{cash EUR 0 0 3186} {card EUR 0 0 3686}]" {
		t.Errorf("the day has %s in the end", got)
	}
}

// An open sale follows its bookings: one that costs more is paid more, a cancelled one leaves, a second sale with one of them
// is refused, and a payment of the booking pays its line.
func TestOpenSaleFollowsItsBookings(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxAdded, Name: "VAT", Rate: 10000}, 4500, "cut")
	ctx, bo, ida := t.Context(), w.Booked("cut", "1T09", "bo"), w.Booked("cut", "1T10", "ida")
	sale, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(bo), service(ida)}, Discount: off(900, "")})
	w.Must(err)
	ref := sale.ID.String()
	now := func(want string) {
		t.Helper()
		sale, err = w.Counter.Sale(ctx, w.Owner, ref)
		w.Must(err)
		if got := sums(sale); got != want {
			t.Errorf("the sale is %s\nwant        %s", got, want)
		}
	}
	now("open total 8910 paid 0 due 8910 back 0 [service 4500-0-450=4455, 0] [service 4500-0-450=4455, 0]")
	if b := w.Again(bo); b.Due.Amount != 4455 {
		t.Errorf("due of the booking is %d, want 4455", b.Due.Amount)
	}
	_, err = w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(bo)}})
	w.Refused(err, fault.Conflict, "in_sale")
	_, err = w.Cancel(ctx, w.Owner, ida.ID.String(), app.CancelInput{})
	w.Must(err)
	now("open total 3960 paid 0 due 3960 back 0 [service 4500-0-900=3960, 0]")
	_, err = w.Counter.Record(ctx, w.Owner, bo.ID.String(), counter.Input{Amount: 3961, Method: booking.ByCash})
	w.Refused(err, fault.BadRequest, "overpaid")
	b, err := w.Counter.Record(ctx, w.Owner, bo.ID.String(), counter.Input{Amount: 960, Method: booking.ByCash})
	w.Must(err)
	if got := amounts(b); got != "paid 960 due 3000 [cash 960+0-0 false]" {
		t.Errorf("the booking has %s", got)
	}
	_, err = w.Counter.VoidSale(ctx, w.Owner, ref)
	w.Refused(err, fault.Conflict, "sale_fixed")
	_, err = w.Counter.PaySale(ctx, w.Owner, ref, []counter.SalePaymentInput{{Method: booking.ByCard, Amount: 3001}})
	w.Refused(err, fault.BadRequest, "overpaid")
	sale, err = w.Counter.PaySale(ctx, w.Owner, ref, []counter.SalePaymentInput{{Method: booking.ByCard, Amount: 3000}})
	w.Must(err)
	if got, want := written(t, w, sale), "2026-1 receipt 3960: [service Cut 4950 10%] [discount  -990 10%] 10%=360 cash 960 card 3000"; got != want {
		t.Errorf("the receipt is %s\nwant %s", got, want)
	}
	_, err = w.Counter.PaySale(ctx, w.Owner, ref, []counter.SalePaymentInput{{Method: booking.ByCard, Amount: 1}})
	w.Refused(err, fault.Conflict, "wrong_state")
}

// A sale that is given up leaves the price as it was; one that costs nothing has a receipt, too.
func TestSaleIsGivenUpOrCostsNothing(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, b := t.Context(), w.Booked("cut", "1T09", "bo")
	line := service(b)
	line.Discount = percent(100000, "A gift")
	sale, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{line}})
	w.Must(err)
	if b := w.Again(b); b.Due.Amount != 0 || b.Discount.Amount != 4500 {
		t.Errorf("due %d, discount %v", b.Due.Amount, b.Discount)
	}
	_, err = w.Counter.VoidSale(ctx, w.Owner, sale.ID.String())
	w.Must(err)
	if b := w.Again(b); b.Due.Amount != 4500 || b.Discount != nil {
		t.Errorf("given up: due %d, discount %v", b.Due.Amount, b.Discount)
	}
	sale, err = w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{line}, Payments: []counter.SalePaymentInput{}})
	w.Must(err)
	if got, want := written(t, w, sale), "2026-1 receipt 0: [service Cut 4500 19%] [discount A gift -4500 19%] 19%=0"; got != want {
		t.Errorf("the receipt is %s\nwant %s", got, want)
	}
	line.Discount = off(1, "")
	_, err = w.Counter.Sell(ctx, app.Actor{Kind: booking.ByOwner, Workspace: w.Workspace.ID, User: 8, Role: app.StaffRole, Host: b.Host.ID}, counter.SaleInput{Lines: []counter.SaleLineInput{line}})
	w.Refused(err, fault.Forbidden, "role")
}

// Many at once pay a sale and its booking, cancel the booking and give the sale up: what was taken is on the ledger once, and
// no more than the sale's total.
func TestContestSaleIsPaidOnce(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx := t.Context()
	shampoo := product(t, w, "Shampoo", 1290, 100, nil)
	for round := range 4 {
		b := w.Booked("cut", fmt.Sprintf("%dT09", round+1), "bo")
		sale, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(b), goods(shampoo, 1)}, Discount: percent(10000, "")})
		w.Must(err)
		ref := sale.ID.String()
		other := w.Another()
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				on := w.Counter
				if i%2 == 1 {
					on = other.Counter
				}
				var err error
				switch {
				case i == 0 && round%2 == 1:
					_, err = w.Cancel(ctx, w.Owner, b.ID.String(), app.CancelInput{})
				case i == 1:
					_, err = on.VoidSale(ctx, w.Owner, ref)
				case i%4 == 2:
					_, err = on.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 4050, Method: booking.ByCash})
				default:
					_, err = on.PaySale(ctx, w.Owner, ref, []counter.SalePaymentInput{{Method: booking.ByCard, Amount: 5211}})
				}
				if err != nil && !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.BadRequest) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		sale, err = w.Counter.Sale(ctx, w.Owner, ref)
		w.Must(err)
		taken := int64(0)
		for _, p := range sale.Payments {
			taken += p.Amount
		}
		if sale.Paid != taken || taken > sale.Total || sale.Status == counter.SaleVoid && taken > 0 || (sale.Status == counter.SalePaid) != (sale.ReceiptID != nil) {
			t.Errorf("round %d: %s, taken %d, receipt %v", round, sums(sale), taken, sale.ReceiptID)
		}
		paid := int64(0)
		for _, p := range w.Again(b).Payments {
			paid += p.Amount
		}
		if paid > 4500 {
			t.Errorf("round %d: the booking was paid %d", round, paid)
		}
	}
	sold := int64(0)
	page, err := w.Counter.Sales(ctx, w.Owner, counter.SaleQuery{Status: "paid"})
	w.Must(err)
	for range page.Data {
		sold++
	}
	if n := stocked(w, shampoo); n != 100-sold {
		t.Errorf("%d in stock after %d sales", n, sold)
	}
	// The ledger has what the sales and bookings say.
	var ledger bytes.Buffer
	w.Must(w.Counter.ExportLedger(ctx, w.Owner, &ledger))
	sum := int64(0)
	for line := range strings.Lines(ledger.String()) {
		var e counter.Entry
		w.Must(json.Unmarshal([]byte(line), &e))
		sum += e.Amount + e.Tip
	}
	day, err := w.Counter.Day(ctx, w.Owner, "")
	w.Must(err)
	for _, x := range day.Takings {
		sum -= x.Amount
	}
	if sum != 0 {
		t.Errorf("ledger and day differ by %d", sum)
	}
}

// A deleted contact leaves the sales and their receipts without a name, and without what was written about it; the money stays.
func TestSalesStayWithoutThePerson(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx := t.Context()
	shampoo := product(t, w, "Shampoo", 1290, 100, nil)
	c, _, err := w.People.CreateContact(ctx, w.Owner, booking.ContactInput{Name: "Ida Lund", Email: "ida@mail.example"})
	w.Must(err)
	sale, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{goods(shampoo, 1)}, ContactID: c.ID.String(),
		Discount: off(90, "Ida's birthday"), Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: 1200, Note: "Ida's"}}})
	w.Must(err)
	if sale.Customer != "Ida Lund" {
		t.Fatalf("the customer is %q", sale.Customer)
	}
	w.Must(w.People.DeleteContact(ctx, w.Owner, c.ID.String()))
	for more := true; more; {
		w.Must(w.Store.Write(ctx, func(tx app.Tx) (err error) {
			more, err = tx.SweepErasure(10)
			return err
		}))
	}
	sale, err = w.Counter.Sale(ctx, w.Owner, sale.ID.String())
	w.Must(err)
	text, err := json.Marshal(sale)
	w.Must(err)
	r, err := w.Counter.Receipt(ctx, w.Owner, sale.ReceiptID.String())
	w.Must(err)
	if strings.Contains(string(text), "Ida") || r.Customer != "" || sale.Paid != 1200 || sale.ContactID != nil {
		t.Errorf("what stays is %s, the receipt of %q", text, r.Customer)
	}
}
