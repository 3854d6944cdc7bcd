package counter_test

import (
	"strings"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/money"
)

// How much can be taken off is said as prices are kept: without the tax that comes on top.
func TestDiscountIsAtMostWhatIsOpen(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxAdded, Name: "VAT", Rate: 10000}, 4500, "cut")
	ctx, b := t.Context(), w.Booked("cut", "1T09", "bo")
	_, err := w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 4500, Method: booking.ByCash})
	w.Must(err)
	line := service(b)
	sell := func(n int64) (counter.Sale, error) {
		line.Discount = off(n, "")
		return w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{line}, Payments: []counter.SalePaymentInput{}})
	}
	_, err = sell(500)
	if e := w.Refused(err, fault.BadRequest, "discount_too_high"); !strings.Contains(e.Error(), "4.09") {
		t.Errorf("it says %q", e.Error())
	}
	sale, err := sell(409)
	w.Must(err)
	if got, want := sums(sale), "paid total 0 paid 0 due 0 back 0 [service 4500-409-0=0, 0]"; got != want {
		t.Errorf("sold %s\nwant %s", got, want)
	}
	_, err = sell(1)
	w.Refused(err, fault.BadRequest, "discount_too_high")
}

// taken is one payment in cash.
func taken(n int64) []counter.SalePaymentInput {
	return []counter.SalePaymentInput{{Method: booking.ByCash, Amount: n}}
}

// A tip is shared by what the services cost, those that were paid before, too.
func TestTipIsSharedByWhatServicesCost(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, bo, ida := t.Context(), w.Booked("cut", "1T09", "bo"), w.Booked("cut", "1T10", "ida")
	_, err := w.Counter.Record(ctx, w.Owner, bo.ID.String(), counter.Input{Amount: 4500, Method: booking.ByCash})
	w.Must(err)
	_, err = w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(bo), service(ida), tip(1001)}, Payments: taken(5501)})
	w.Must(err)
	for b, want := range map[*booking.Booking]string{&bo: "paid 4500 due 0 [cash 4500+0-0 true] [cash 0+501-0 true]",
		&ida: "paid 4500 due 0 [cash 4500+0-0 true] [cash 0+500-0 true]"} {
		if got := amounts(w.Again(*b)); got != want {
			t.Errorf("the booking has %s\nwant %s", got, want)
		}
	}
}

// Who is forgotten takes no name off the sale and receipt of somebody else, who paid for both.
func TestSaleOfAnotherKeepsItsCustomer(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, bo, ida := t.Context(), w.Booked("cut", "1T09", "Bo"), w.Booked("cut", "1T10", "Ida")
	sale, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(bo), service(ida)}, Discount: off(90, "Ida's birthday"),
		Payments: taken(8910)})
	w.Must(err)
	w.Clock.Advance(40 * time.Hour)
	customers := func(b booking.Booking) string {
		t.Helper()
		erased(w, b)
		sale, err = w.Counter.Sale(ctx, w.Owner, sale.ID.String())
		w.Must(err)
		r, err := w.Counter.Receipt(ctx, w.Owner, sale.ReceiptID.String())
		w.Must(err)
		return sale.Customer + ", " + r.Customer + ", " + sale.Discount.Reason
	}
	if got := customers(ida); got != "Bo, Bo, " || sale.ContactID == nil {
		t.Errorf("without Ida it is of %q", got)
	}
	if got := customers(bo); got != ", , " || sale.ContactID != nil {
		t.Errorf("without Bo it is of %q", got)
	}
}

// erased deletes the contact of a booking with all that tells of it.
func erased(w *apptest.Salon, b booking.Booking) {
	ctx := w.T.Context()
	w.Must(w.People.DeleteContact(ctx, w.Owner, b.ContactID.String()))
	for more := true; more; {
		w.Must(w.Store.Write(ctx, func(tx app.Tx) (err error) {
			more, err = tx.SweepErasure(10)
			return err
		}))
	}
}

// What was paid in a sale that is open gets no receipt of its own: the sale has one in the end. Its money is in its currency.
func TestOpenSaleAloneHasTheReceipt(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, b := t.Context(), w.Booked("cut", "1T09", "bo")
	sale, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(b)}, Payments: taken(1000)})
	w.Must(err)
	_, err = w.Counter.IssueReceipt(ctx, w.Owner, b.ID.String())
	w.Refused(err, fault.Conflict, "in_sale")
	_, err = w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 500, Currency: "USD", Method: booking.ByCash})
	w.Refused(err, fault.BadRequest, "invalid")
	_, err = w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 500, Currency: "EUR", Method: booking.ByCash})
	w.Must(err)
	sale, err = w.Counter.PaySale(ctx, w.Owner, sale.ID.String(), taken(3000))
	w.Must(err)
	if got, want := written(t, w, sale), "2026-1 receipt 4500: [service Cut 4500 19%] 19%=718 cash 1000 cash 500 cash 3000"; got != want {
		t.Errorf("the receipt is %s\nwant %s", got, want)
	}
}

// A booking that nobody came to has left the sale for good once others of it were paid: where that is undone it costs what it
// did, and is paid by itself.
func TestBookingThatLeftAnOpenSaleIsFree(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, bo, ida := t.Context(), w.Booked("cut", "1T09", "bo"), w.Booked("cut", "1T10", "ida")
	sale, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(bo), service(ida)}, Discount: percent(10000, "")})
	w.Must(err)
	w.Clock.Advance(40 * time.Hour)
	_, err = w.MarkNoShow(ctx, w.Owner, bo.ID.String())
	w.Must(err)
	sale, err = w.Counter.PaySale(ctx, w.Owner, sale.ID.String(), taken(1000))
	w.Must(err)
	_, err = w.UndoMark(ctx, w.Owner, bo.ID.String(), "")
	w.Must(err)
	if b := w.Again(bo); b.Discount != nil || b.Due.Amount != 4500 {
		t.Errorf("its discount is %v, %d due", b.Discount, b.Due.Amount)
	}
	b, err := w.Counter.Record(ctx, w.Owner, bo.ID.String(), counter.Input{Amount: 4500, Method: booking.ByCash})
	w.Must(err)
	if got := amounts(b); got != "paid 4500 due 0 [cash 4500+0-0 true]" {
		t.Errorf("by itself it has %s", got)
	}
	sale, err = w.Counter.PaySale(ctx, w.Owner, sale.ID.String(), taken(3050))
	w.Must(err)
	if got, want := sums(sale), "paid total 4050 paid 4050 due 0 back 0 [service 4500-0-450=4050, 4050]"; got != want {
		t.Errorf("the sale is %s\nwant %s", got, want)
	}
}

// What was given back for a booking that was cancelled in an open sale isn't due again, and once all was given back the sale
// can be given up: what it had is free.
func TestOpenSaleIsGivenUpOnceAllWasGivenBack(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, bo, ida := t.Context(), w.Booked("cut", "1T09", "bo"), w.Booked("cut", "1T10", "ida")
	sale, err := w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(bo), service(ida)}, Discount: percent(10000, ""),
		Payments: taken(2000)})
	w.Must(err)
	ref := sale.ID.String()
	_, err = w.Cancel(ctx, w.Owner, bo.ID.String(), app.CancelInput{})
	w.Must(err)
	sale, err = w.Counter.RefundSale(ctx, w.Owner, ref, counter.SaleRefundInput{Lines: []int{1}})
	w.Must(err)
	if got, want := sums(sale), "open total 4050 paid 1000 due 3050 back 1000 [service 4500-0-450=4050, 1000]"; got != want {
		t.Errorf("given back for the cancelled one: %s\nwant %s", got, want)
	}
	_, err = w.Counter.VoidSale(ctx, w.Owner, ref)
	w.Refused(err, fault.Conflict, "sale_fixed")
	_, err = w.Counter.RefundSale(ctx, w.Owner, ref, counter.SaleRefundInput{})
	w.Must(err)
	_, err = w.Counter.VoidSale(ctx, w.Owner, ref)
	w.Must(err)
	if b := w.Again(ida); b.Discount != nil || b.Due.Amount != 4500 {
		t.Errorf("given up: discount %v, due %d", b.Discount, b.Due.Amount)
	}
	_, err = w.Counter.Sell(ctx, w.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{service(ida)}})
	w.Must(err)
	page, err := w.Counter.Sales(ctx, w.Owner, counter.SaleQuery{Booking: ida.ID.String()})
	w.Must(err)
	if len(page.Data) != 2 {
		t.Errorf("%d sales of the booking, want the one given up, too", len(page.Data))
	}
}
