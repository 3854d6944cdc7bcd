package payment_test

import (
	"fmt"
	"testing"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/payment/stripetest"
)

// A voucher that pays all of a service that is paid online confirms the booking; one that pays a part leaves the rest to be paid
// there. What lapses unpaid gives it back, and who must be approved has the receipt once they are.
func TestVoucherBeforeTheOnlinePayment(t *testing.T) {
	b := newBed(t)
	b.offer("cut", nil)
	b.offer("asked", func(e *catalog.EventType) { e.RequiresApproval = true })
	ctx, face := t.Context(), int64(6500)
	sale, err := b.Counter.Sell(ctx, b.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{{Kind: counter.VoucherLine, Amount: &face}},
		Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: face}}})
	b.Must(err)
	ref := sale.Lines[0].PassID.String()
	left := func(want int64) {
		t.Helper()
		if p, err := b.Pass.Pass(ctx, b.Owner, ref); err != nil || p.Balance != want {
			t.Errorf("the voucher has %d, want %d: %v", p.Balance, want, err)
		}
	}
	book := func(slug string, hour int) booking.Booking {
		t.Helper()
		in := apptest.Input(slug, apptest.Hours(hour), "eva")
		in.PayWith = &booking.PayWith{Pass: ref}
		k, err := b.Book(ctx, b.Owner, in)
		b.Must(err)
		return k
	}
	whole := book("cut", 3)
	if whole.Status != booking.Confirmed || whole.Payment != nil || whole.Due.Amount != 0 || whole.Payments[0].Receipt == nil {
		t.Errorf("%+v", whole)
	}
	left(2000)
	part := book("cut", 5)
	if part.Status != booking.Pending || part.Payment.Amount != 2500 || part.Paid.Amount != 2000 {
		t.Fatalf("%+v %+v", part.Payment, part.Paid)
	}
	left(0)
	session := b.checkout(part)
	if got := fmt.Sprint(b.stripe.Field(session, "amount_total")); got != "2500" {
		t.Errorf("the page asks for %v", got)
	}
	b.Clock.Advance(31 * 60 * 1e9)
	_, err = b.Lapse(ctx, 10)
	b.Must(err)
	b.want(part, booking.Cancelled)
	left(2000)
	_, err = b.Cancel(ctx, b.Owner, whole.ID.String(), booking.CancelInput{})
	b.Must(err)
	left(6500)
	again := book("cut", 7)
	left(2000)
	paid := book("cut", 9)
	b.stripe.Pay(t, b.checkout(paid), stripetest.Good)
	b.settle()
	if paid = b.want(paid, booking.Confirmed); paid.Due.Amount != 0 || paid.Paid.Amount != 4500 || paid.Payments[0].Receipt == nil {
		t.Errorf("%+v %+v", paid.Paid, paid.Payments)
	}
	for _, k := range []booking.Booking{again, paid} {
		_, err = b.Cancel(ctx, b.Owner, k.ID.String(), booking.CancelInput{})
		b.Must(err)
	}
	left(6500)
	asked := book("asked", 11)
	if asked.Status != booking.Pending || *asked.PendingReason != booking.ForApproval || asked.Payments[0].Receipt != nil {
		t.Errorf("%+v", asked)
	}
	asked, err = b.Confirm(ctx, b.Owner, asked.ID.String())
	b.Must(err)
	if asked.Payments[0].Receipt == nil {
		t.Error("what was approved has no receipt")
	}
}
