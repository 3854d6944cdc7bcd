package payment_test

import (
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/payment/stripetest"
	"daybook/app/report"
)

func TestRevenueIsPaidLessRefunded(t *testing.T) {
	b := newBed(t)
	b.offer("cut", fee)
	b.offer("yen", func(e *catalog.EventType) { e.Price = &money.Money{Amount: 9000, Currency: "JPY"} })
	b.book("cut", 1, "ina") // never pays
	k := b.paid("cut", 3, "eva", stripetest.Good)
	b.paid("yen", 30, "bob", stripetest.Good)
	gone := b.paid("yen", 40, "cyd", stripetest.Good)
	_, err := b.Cancel(t.Context(), b.API, gone.ID.String(), app.CancelInput{})
	b.Must(err)
	part := int64(1000)
	_, err = b.Payment.Refund(t.Context(), b.Owner, k.ID.String(), &part)
	b.Must(err)
	b.Clock.Advance(5 * time.Hour)
	b.mark(k) // 2500 more
	b.settle()
	a, err := b.Report.Analytics(t.Context(), b.Owner, report.AnalyticsInput{})
	b.Must(err)
	eur, jpy := []money.Money{{Amount: 6000, Currency: "EUR"}}, []money.Money{{Amount: 9000, Currency: "JPY"}}
	if want := slices.Concat(eur, jpy); !slices.Equal(a.Revenue, want) {
		t.Errorf("revenue %v, want %v", a.Revenue, want)
	}
	if len(a.ByDay) != 3 || len(a.ByDay[2].Revenue) != 0 || !slices.Equal(a.ByDay[0].Revenue, eur) || !slices.Equal(a.ByDay[1].Revenue, jpy) {
		t.Errorf("by day %+v", a.ByDay)
	}
	for _, e := range a.ByEventType {
		if want := map[string][]money.Money{"cut": eur, "yen": jpy}[e.EventType]; !slices.Equal(e.Revenue, want) {
			t.Errorf("%s: %v", e.EventType, e.Revenue)
		}
	}
	a, err = b.Report.Analytics(t.Context(), b.Owner, report.AnalyticsInput{From: "2026-12-01", To: "2026-12-02"})
	b.Must(err)
	if !slices.Equal(a.Revenue, jpy) {
		t.Errorf("of the second day: %v", a.Revenue)
	}
}
