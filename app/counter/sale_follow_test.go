package counter_test

import (
	"strings"
	"testing"

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
