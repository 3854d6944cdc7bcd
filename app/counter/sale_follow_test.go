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
