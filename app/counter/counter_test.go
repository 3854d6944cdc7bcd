package counter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/app/subjects"
)

// salon is the standard salon, whose server doesn't know its address: links are paths.
func salon(t *testing.T) *apptest.Salon {
	t.Helper()
	return apptest.New(t, apptest.Options{With: func(c *subjects.Config) { c.BaseURL = nil }})
}

// amounts are those of a booking and its payments in a line.
func amounts(b booking.Booking) string {
	text := fmt.Sprintf("paid %d due %d", b.Paid.Amount, b.Due.Amount)
	for _, p := range b.Payments {
		text += fmt.Sprintf(" [%s %d+%d-%d %t]", p.Method, p.Amount, p.Tip, p.RefundedAmount, p.Receipt != nil)
	}
	return text
}

// Money is taken in parts and with a tip, goes on a receipt when nothing is due, and comes back off it.
func TestMoneyAtTheCounter(t *testing.T) {
	w := salon(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Name: "VAT", Rate: 19000}, 4500, "cut")
	ctx, b := t.Context(), w.Booked("cut", "1T09", "bo")
	id := b.ID.String()
	take := func(amount, tip int64, method booking.Method) (booking.Booking, error) {
		return w.Counter.Record(ctx, w.Owner, id, counter.Input{Amount: amount, Tip: tip, Method: method, Note: "by hand"})
	}
	is := func(b booking.Booking, err error, want string, receipts ...string) {
		t.Helper()
		w.Must(err)
		if got := amounts(b); got != want {
			t.Errorf("answered %s, want %s", got, want)
		}
		stored, err := w.Booking(ctx, w.API, id)
		w.Must(err)
		if got := amounts(stored); got != want {
			t.Errorf("stored %s, want %s", got, want)
		}
		if got := w.Written(b); !slices.Equal(got, receipts) {
			t.Errorf("receipts %q, want %q", got, receipts)
		}
	}
	is(b, nil, "paid 0 due 4500")
	_, err := take(4501, 0, booking.ByCash)
	if e := w.Refused(err, fault.BadRequest, "overpaid"); e.Field != "amount" || !strings.Contains(e.Error(), "EUR 45.00") {
		t.Errorf("overpaid: %+v", e)
	}
	b, err = take(2000, 0, booking.ByCash)
	is(b, err, "paid 2000 due 2500 [cash 2000+0-0 false]")
	b, err = take(2500, 500, booking.ByCard)
	is(b, err, "paid 4500 due 0 [cash 2000+0-0 true] [card 2500+500-0 true]", "2026-1 receipt 5000 19%=718")
	_, err = take(1, 0, booking.ByCash)
	w.Refused(err, fault.BadRequest, "overpaid")
	b, err = take(0, 100, booking.ByCash)
	is(b, err, "paid 4500 due 0 [cash 2000+0-0 true] [card 2500+500-0 true] [cash 0+100-0 true]",
		"2026-1 receipt 5000 19%=718", "2026-2 receipt 100")
	part := int64(600)
	b, err = w.Counter.GiveBack(ctx, w.Owner, b.Payments[1].ID.String(), &part)
	is(b, err, "paid 3900 due 600 [cash 2000+0-0 true] [card 2500+500-600 true] [cash 0+100-0 true]",
		"2026-1 receipt 5000 19%=718 by 2026-3", "2026-2 receipt 100", "2026-3 reversal -5000 19%=-718 of 2026-1",
		"2026-4 receipt 4400 19%=623")
	b, err = w.Counter.GiveBack(ctx, w.Owner, b.Payments[1].ID.String(), nil)
	is(b, err, "paid 2000 due 2500 [cash 2000+0-0 true] [card 2500+500-3000 false] [cash 0+100-0 true]",
		"2026-1 receipt 5000 19%=718 by 2026-3", "2026-2 receipt 100", "2026-3 reversal -5000 19%=-718 of 2026-1",
		"2026-4 receipt 4400 19%=623 by 2026-5", "2026-5 reversal -4400 19%=-623 of 2026-4", "2026-6 receipt 2000 19%=319")
	_, err = w.Counter.GiveBack(ctx, w.Owner, b.Payments[1].ID.String(), nil)
	w.Refused(err, fault.Conflict, "nothing_to_refund")

	history, err := w.History(ctx, w.API, id)
	w.Must(err)
	var told []string
	for _, h := range history[1:] {
		told = append(told, fmt.Sprintf("%s %d by %s", h.Action, h.Amount.Amount, h.By))
	}
	by := " by " + w.Owner.ID()
	if want := []string{"took_cash 2000" + by, "took_card 3000" + by, "took_cash 100" + by, "gave_back 600" + by,
		"gave_back 2400" + by}; !slices.Equal(told, want) {
		t.Errorf("the history has %q, want %q", told, want)
	}
	day, err := w.Counter.Day(ctx, w.Owner, "")
	w.Must(err)
	if got := fmt.Sprint(day.Takings); got != "[{cash EUR 2100 100 0} {card EUR 0 0 3000}]" || day.Expected != 2100 {
		t.Errorf("the day has %s, expected %d", got, day.Expected)
	}
}
