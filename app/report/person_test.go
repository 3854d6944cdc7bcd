package report_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/apptest"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/counter"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/money"
	"daybook/app/report"
	"daybook/app/shop"
)

func euros(all []money.Money) int64 {
	sum := int64(0)
	for _, m := range all {
		sum += m.Amount
	}
	return sum
}

// earned is a line of what each person has, as figures say it.
func earned(p *report.PersonFigures) string {
	return fmt.Sprintf("%d bookings %d no-shows value %d revenue %d products %d tips %d", p.Totals.Total, p.Totals.Of(booking.NoShow),
		euros(p.Value), euros(p.Revenue), euros(p.Products), euros(p.Tips))
}

// sold makes a product that is on sale.
func sold(s *apptest.Salon, name string, price int64) catalog.ProductID {
	p := catalog.Product{ID: id.New[catalog.ProductIDKind](s.Clock.Now()), WorkspaceID: s.Workspace.ID, Name: name, Active: true,
		Price: money.Money{Amount: price, Currency: "EUR"}}
	s.Must(s.Store.Write(context.Background(), func(tx app.Tx) error { return tx.(shop.Tx).InsertProduct(&p) }))
	return p.ID
}

// Money is of whoever leads the booking or sold the product, on the day of the business on which it came in or went back;
// value is the price less discounts; products and tips are told apart. The sums are those of the ledger, with kept sums of days
// and without.
func TestMoneyOfPeople(t *testing.T) {
	s := apptest.New(t, apptest.Options{})
	ctx := t.Context()
	setup, err := s.Setup(s.Workspace.ID)
	s.Must(err)
	ana, bob := setup.Hosts[0].ID, setup.Hosts[1].ID
	priced := func(host catalog.HostID, amount int64) func(*catalog.EventType) {
		return func(e *catalog.EventType) {
			e.Price, e.Hosts = &money.Money{Amount: amount, Currency: "EUR"}, []catalog.HostRef{{ID: host}}
		}
	}
	s.Offer("cut", 60, priced(ana, 5000))
	s.Offer("shave", 60, priced(bob, 3000))
	shampoo := sold(s, "Shampoo", 1290)
	first, second := s.Booked("cut", "1T09", "eva"), s.Booked("shave", "1T09", "eva")
	missed := s.Booked("cut", "2T12", "flo")
	s.Booked("shave", "9T09", "gus") // ahead

	two, ten, tip, alone := 2, money.Rate(10000), int64(700), int64(100)
	service := func(b booking.Booking) counter.SaleLineInput {
		return counter.SaleLineInput{Kind: counter.ServiceLine, BookingID: b.ID.String()}
	}
	// On the first day, before the bookings begin: two services, two products that bob sells, a tip; ten percent off.
	sale, err := s.Counter.Sell(ctx, s.Owner, counter.SaleInput{HostID: bob.String(), ContactID: first.ContactID.String(),
		Lines: []counter.SaleLineInput{service(first), service(second), {Kind: counter.ProductLine, ProductID: shampoo.String(), Quantity: &two},
			{Kind: counter.TipLine, Amount: &tip}}, Discount: &counter.Discount{Percent: &ten},
		Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: 5000}, {Method: booking.ByCard, Amount: 5222}}})
	s.Must(err)
	// On the last evening of the month: a product that nobody sold, with a tip.
	s.Clock.Set(time.Date(2026, 12, 31, 22, 30, 0, 0, time.UTC))
	_, err = s.MarkNoShow(ctx, s.Owner, missed.ID.String())
	s.Must(err)
	_, err = s.Counter.Sell(ctx, s.Owner, counter.SaleInput{Lines: []counter.SaleLineInput{{Kind: counter.ProductLine, ProductID: shampoo.String()},
		{Kind: counter.TipLine, Amount: &alone}}, Payments: []counter.SalePaymentInput{{Method: booking.ByCash, Amount: 1390}}})
	s.Must(err)
	// In the next year: one of the services and the products are given back.
	s.Clock.Set(time.Date(2026, 12, 31, 23, 30, 0, 0, time.UTC))
	_, err = s.Counter.RefundSale(ctx, s.Owner, sale.ID.String(), counter.SaleRefundInput{Lines: []int{1, 3}})
	s.Must(err)

	ask := func(in report.AnalyticsInput) *report.Analytics {
		t.Helper()
		in.TimeZone = "Europe/Berlin"
		a, err := s.Report.Analytics(ctx, s.Owner, in)
		s.Must(err)
		return a
	}
	look := func(when string) {
		t.Helper()
		said := func(a *report.Analytics) map[string]string {
			all := map[string]string{}
			for i := range a.ByHost {
				all[a.ByHost[i].Name] = earned(&a.ByHost[i].PersonFigures)
			}
			return all
		}
		// 700 of tips are shared by 5,000 and 3,000 less ten percent: 437.5 and 262.5, the larger remainder, or the first, up.
		month := ask(report.AnalyticsInput{From: "2026-11-30", To: "2027-01-01"})
		want := map[string]string{"ana": "2 bookings 1 no-shows value 4500 revenue 4938 products 0 tips 438",
			"bob": "2 bookings 0 no-shows value 5700 revenue 5284 products 2322 tips 262",
			"":    "0 bookings 0 no-shows value 0 revenue 1390 products 1290 tips 100"}
		if got := said(month); !maps.Equal(got, want) {
			t.Errorf("%s: %v\nwant %v", when, got, want)
		}
		if euros(month.Revenue) != 7112 || euros(month.Tips) != 800 { // by bookings' days: those given back lower it
			t.Errorf("%s: revenue %v, tips %v", when, month.Revenue, month.Tips)
		}
		year := ask(report.AnalyticsInput{From: "2027-01-01", To: "2027-02-01"})
		want = map[string]string{"ana": "0 bookings 0 no-shows value 0 revenue -4500 products 0 tips 0",
			"bob": "0 bookings 0 no-shows value 0 revenue -2322 products -2322 tips 0"}
		if got := said(year); !maps.Equal(got, want) {
			t.Errorf("%s: %v\nwant %v", when, got, want)
		}
		if len(year.ByDay) != 1 || year.ByDay[0].Date != "2027-01-01" || euros(year.ByDay[0].Revenue) != -2322 || euros(year.Revenue) != -2322 {
			t.Errorf("%s: %+v", when, year.ByDay)
		}
		all, by := ask(report.AnalyticsInput{From: "2026-11-01"}), int64(0)
		for _, m := range all.RevenueByMethod {
			by += m.Amount
		}
		ledger := int64(0)
		s.Must(s.Store.Write(ctx, func(tx app.Tx) error {
			return tx.(interface {
				Scan(string, []any, ...any) error
			}).Scan(`SELECT CAST(SUM(amount + tip) AS BIGINT) FROM counter_entries`, nil, &ledger)
		}))
		people := int64(0)
		for i := range all.ByHost {
			people += euros(all.ByHost[i].Revenue)
		}
		if ledger != euros(all.Revenue) || ledger != by || ledger != people {
			t.Errorf("%s: the ledger has %d, figures %d, by method %d, by person %d", when, ledger, euros(all.Revenue), by, people)
		}
		day := ask(report.AnalyticsInput{From: "2026-11-01", Host: bob.String()})
		days := map[string]string{}
		for i := range day.ByHost[0].ByDay {
			if d := &day.ByHost[0].ByDay[i]; d.Totals.Total+len(d.Revenue) > 0 {
				days[d.Date] = earned(&d.PersonFigures)
			}
		}
		want = map[string]string{"2026-11-30": "0 bookings 0 no-shows value 0 revenue 5284 products 2322 tips 262",
			"2026-12-01": "1 bookings 0 no-shows value 2700 revenue 0 products 0 tips 0",
			"2026-12-09": "1 bookings 0 no-shows value 3000 revenue 0 products 0 tips 0",
			"2027-01-01": "0 bookings 0 no-shows value 0 revenue -2322 products -2322 tips 0"}
		if !maps.Equal(days, want) || len(day.ByHost) != 1 {
			t.Errorf("%s: bob's days are %v\nwant %v", when, days, want)
		}
		week, err := s.Report.WeekFigures(ctx, s.Owner, apptest.Monday.AddDate(0, 0, -1), apptest.Monday.AddDate(0, 0, 14))
		if s.Must(err); week.Value["EUR"] != 4500+2700+3000 {
			t.Errorf("%s: the week is worth %d", when, week.Value["EUR"])
		}
	}
	look("without sums")
	s.Must(s.Report.SumDays(ctx, s.Workspace.ID))
	look("with sums")
	// A booking that gets another host takes its money along, also on the days on which it came in.
	s.Must(s.SQL(fmt.Sprintf(`UPDATE bookings SET host_id = %d WHERE id = %d`, int64(setup.Hosts[2].ID), int64(second.ID))))
	exactly(t, s, "with another host")
	card, err := s.People.Card(ctx, s.Owner, first.ContactID.String())
	if s.Must(err); euros(card.Spent) != 10222-4500-2322 {
		t.Errorf("eva spent %v", card.Spent)
	}
	_, err = s.Report.Analytics(ctx, s.Owner, report.AnalyticsInput{Host: "hs_nobody"})
	s.Refused(err, fault.NotFound, "")
	text, err := json.Marshal(ask(report.AnalyticsInput{From: "2026-11-30", NoDays: true}).ByHost)
	s.Must(err)
	var shape []map[string]any
	s.Must(json.Unmarshal(text, &shape))
	if keys := slices.Sorted(maps.Keys(shape[0])); fmt.Sprint(keys) != "[booked bookedOutside hostId name open openFrom products revenue showRate tips totals utilisation value]" {
		t.Error(keys)
	}
}
