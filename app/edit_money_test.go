package app_test

import (
	"testing"

	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/record"
)

// An event type with a price in another currency is refused while the booking has money in its own, and taken once
// that is given back.
func TestEditKeepsTheCurrency(t *testing.T) {
	w := newWorld(t)
	priced := func(slug, currency string, fee int64) {
		w.offer(slug, 4, func(e *catalog.EventType) {
			e.Price = &catalog.Money{Amount: 4500, Currency: currency}
			if fee > 0 {
				e.NoShowFee = &catalog.Money{Amount: fee, Currency: currency}
			}
		})
	}
	priced("euro", "EUR", 0)
	priced("fee", "EUR", 2500)
	priced("yen", "JPY", 0)
	w.offer("free", 4, nil)
	ctx := t.Context()
	to := func(b record.Booking, slug string) (record.Booking, error) {
		return w.Edit.Edit(ctx, w.Owner, b.ID.String(), patch(t, `{"eventType":"`+slug+`"}`), "")
	}
	refused := func(b record.Booking, slug string) {
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
	if now := w.Again(b); *now.Price != (catalog.Money{Amount: 4500, Currency: "EUR"}) || *now.NoShowFee != (catalog.Money{Amount: 2500, Currency: "EUR"}) {
		t.Errorf("price %v, fee %v", now.Price, now.NoShowFee)
	}

	b = w.Booked("euro", "1T10", "cy")
	b, err = w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 2000, Method: record.ByCash})
	w.Must(err)
	refused(b, "yen")
	b, err = to(b, "free") // the money stays what it is
	w.Must(err)
	if *b.Paid != (catalog.Money{Amount: 2000, Currency: "EUR"}) {
		t.Errorf("paid %v", b.Paid)
	}
	refused(b, "yen")
	_, err = w.Counter.GiveBack(ctx, w.Owner, b.Payments[0].ID.String(), nil)
	w.Must(err)
	b, err = to(b, "yen")
	w.Must(err)
	if *b.Due != (catalog.Money{Amount: 4500, Currency: "JPY"}) {
		t.Errorf("due %v", b.Due)
	}
	b, err = w.Counter.Record(ctx, w.Owner, b.ID.String(), counter.Input{Amount: 4500, Method: record.ByCash})
	w.Must(err)
	b, err = to(b, "free")
	w.Must(err)
	if *b.Paid != (catalog.Money{Amount: 4500, Currency: "JPY"}) {
		t.Errorf("paid %v", b.Paid)
	}
	refused(b, "euro")
	page, err := w.Counter.Receipts(ctx, w.Owner, counter.ReceiptQuery{Booking: b.ID.String()})
	w.Must(err)
	if n := len(page.Data); page.Data[0].Currency != "JPY" || page.Data[0].Total != 4500 {
		t.Errorf("%d receipts: %+v", n, page.Data)
	}
}
