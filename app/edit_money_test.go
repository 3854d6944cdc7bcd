package app_test

import (
	"testing"

	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/money"
)

// An event type with a price in another currency is refused while the booking has money in its own, and taken once
// that is given back.
func TestEditKeepsTheCurrency(t *testing.T) {
	w := newWorld(t)
	priced := func(slug, currency string, fee int64) {
		w.offer(slug, 4, func(e *catalog.EventType) {
			e.Price = &money.Money{Amount: 4500, Currency: currency}
			if fee > 0 {
				e.NoShowFee = &money.Money{Amount: fee, Currency: currency}
			}
		})
	}
	priced("euro", "EUR", 0)
	priced("fee", "EUR", 2500)
	priced("yen", "JPY", 0)
	w.offer("free", 4, nil)
	ctx := t.Context()
	to := func(b booking.Booking, slug string) (booking.Booking, error) {
		return w.Edit(ctx, w.Owner, b.ID.String(), patch(t, `{"eventType":"`+slug+`"}`), "")
	}
	refused := func(b booking.Booking, slug string) {
		t.Helper()
		_, err := to(b, slug)
		if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "eventType" {
			t.Errorf("%+v", e)
		}
		if now := w.Again(b); now.EventType == slug || now.RescheduleCount != b.RescheduleCount {
			t.Errorf("became %s", now.EventType)
		}
	}

	b := w.Booked("fee", "1T09", "bo")
	refused(b, "yen")
	b, err := to(b, "euro")
	w.Must(err)
	if now := w.Again(b); *now.Price != (money.Money{Amount: 4500, Currency: "EUR"}) || *now.NoShowFee != (money.Money{Amount: 2500, Currency: "EUR"}) {
		t.Errorf("price %v, fee %v", now.Price, now.NoShowFee)
	}

	b = w.Booked("euro", "1T10", "cy")
	b, err = w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 2000, Method: booking.ByCash})
	w.Must(err)
	refused(b, "yen")
	b, err = to(b, "free") // the money stays what it is
	w.Must(err)
	if *b.Paid != (money.Money{Amount: 2000, Currency: "EUR"}) {
		t.Errorf("paid %v", b.Paid)
	}
	refused(b, "yen")
	_, err = w.Counter.GiveBack(ctx, w.Owner, b.Payments[0].ID.String(), nil)
	w.Must(err)
	b, err = to(b, "yen")
	w.Must(err)
	if *b.Due != (money.Money{Amount: 4500, Currency: "JPY"}) {
		t.Errorf("due %v", b.Due)
	}
	b, err = w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 4500, Method: booking.ByCash})
	w.Must(err)
	b, err = to(b, "free")
	w.Must(err)
	if *b.Paid != (money.Money{Amount: 4500, Currency: "JPY"}) {
		t.Errorf("paid %v", b.Paid)
	}
	refused(b, "euro")
	page, err := w.Counter.Receipts(ctx, w.Owner, counter.ReceiptQuery{Booking: b.ID.String()})
	w.Must(err)
	if n := len(page.Data); page.Data[0].Currency != "JPY" || page.Data[0].Total != 4500 {
		t.Errorf("%d receipts: %+v", n, page.Data)
	}
}

// Once all is given back the tax is the next money's: what is due and what is accepted follow the same rate.
func TestTaxAfterAllIsGivenBack(t *testing.T) {
	for _, step := range []struct {
		first, then money.Rate
		due, other  int64 // what is due then, and was due before
		tax         string
	}{{19000, 7000, 10700, 11900, "2026-3 receipt 10700 7%=700"}, {7000, 19000, 11900, 10700, "2026-3 receipt 11900 19%=1900"}} {
		w := newWorld(t)
		w.Taxed(money.Tax{Mode: money.TaxAdded, Rate: step.first}, 10000, "one")
		w.offer("two", 4, func(e *catalog.EventType) {
			e.Price, e.TaxRate = &money.Money{Amount: 10000, Currency: "EUR"}, &step.then
		})
		ctx, b := t.Context(), w.Booked("one", "1T09", "bo")
		id := b.ID.String()
		take := func(amount int64) (booking.Booking, error) {
			return w.Counter.Record(ctx, w.Owner, id, counter.Input{Amount: amount, Method: booking.ByCash})
		}
		b, err := take(step.other)
		w.Must(err)
		b, err = w.Counter.GiveBack(ctx, w.Owner, b.Payments[0].ID.String(), nil)
		w.Must(err)
		b, err = w.Edit(ctx, w.Owner, id, patch(t, `{"eventType":"two"}`), "")
		w.Must(err)
		if b.Due.Amount != step.due {
			t.Errorf("%s: %d is due, want %d", step.then, b.Due.Amount, step.due)
		}
		_, err = take(step.due + 1)
		w.Refused(err, fault.BadRequest, "overpaid")
		b, err = take(step.due)
		w.Must(err)
		if got := w.Written(b); b.Due.Amount != 0 || len(got) != 3 || got[2] != step.tax {
			t.Errorf("%s: due %d, receipts %q", step.then, b.Due.Amount, got)
		}
	}
}

// An edit that leaves nothing due closes the receipt; one that leaves something due closes none.
func TestEditClosesTheReceipt(t *testing.T) {
	w := newWorld(t)
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Rate: 19000}, 4500, "cut")
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Rate: 19000}, 2000, "wash")
	w.Taxed(money.Tax{Mode: money.TaxIncluded, Rate: 19000}, 9000, "colour")
	w.offer("free", 4, nil)
	ctx := t.Context()
	for i, slug := range []string{"wash", "free"} {
		b := w.Booked("cut", []string{"1T09", "1T10"}[i], slug)
		b, err := w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 2000, Method: booking.ByCash})
		w.Must(err)
		for _, to := range []string{"colour", slug} {
			b, err = w.Edit(ctx, w.Owner, b.ID.String(), patch(t, `{"eventType":"`+to+`"}`), "")
			w.Must(err)
			if closed := w.Again(b).Payments[0].Receipt != nil; closed != (to == slug) {
				t.Errorf("%s: on a receipt: %v", to, closed)
			}
		}
		if got, want := w.Written(b), []string{"2026-1 receipt 2000 19%=319", "2026-2 receipt 2000 19%=319"}[i]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: receipts %q", slug, got)
		}
	}
}

// Other seats keep the price of a seat that the booking has, so they are taken whatever the event type costs now, and
// as long as the whole is a sum that can be charged.
func TestSeatsKeepTheirCurrency(t *testing.T) {
	w := newWorld(t)
	e := w.offer("class", 1, func(e *catalog.EventType) { e.Seats, e.Price = 30, euros(20) })
	ctx, in := t.Context(), apptest.Input("class", "1T09", "bo")
	in.Seats = 2
	b, err := w.Book(ctx, w.API, in)
	w.Must(err)
	b, err = w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 4000, Method: booking.ByCash})
	w.Must(err)
	e.Price = &money.Money{Amount: 50_000_00, Currency: "CHF"}
	_, err = w.Shop.SaveEventType(ctx, w.Owner, e)
	w.Must(err)
	b, err = w.Edit(ctx, w.Owner, b.ID.String(), patch(t, `{"seats":3}`), "")
	w.Must(err)
	if *b.Price != *euros(60) {
		t.Errorf("three seats cost %+v", b.Price)
	}
	in = apptest.Input("class", "1T10", "cy")
	in.Seats = 19
	dear, err := w.Book(ctx, w.API, in)
	w.Must(err)
	_, err = w.Edit(ctx, w.Owner, dear.ID.String(), patch(t, `{"seats":20}`), "")
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "seats" {
		t.Errorf("%+v", e)
	}
	in.Seats, in.Start = 20, apptest.At("1T11")
	_, err = w.Book(ctx, w.API, in)
	if e := w.Refused(err, fault.BadRequest, "invalid"); e.Field != "seats" {
		t.Errorf("%+v", e)
	}
}
