package catalog

import (
	"testing"

	"daybook/app/fault"
	"daybook/app/money"
)

func TestDepositDue(t *testing.T) {
	percent := func(n int) *Deposit { return &Deposit{Percent: n} }
	for _, c := range []struct {
		price    int64
		currency string
		deposit  *Deposit
		want     int64 // 0 is none
	}{
		{4500, "EUR", percent(20), 900}, {4500, "EUR", percent(100), 4500}, {4550, "EUR", percent(33), 1502}, // 1501.5
		{4549, "EUR", percent(33), 1501}, {10, "EUR", percent(1), 1}, {4500, "JPY", percent(33), 1485},
		{455000, "ISK", percent(33), 150200}, {150, "ISK", percent(50), 100}, {50, "ISK", percent(50), 0},
		{4500, "EUR", &Deposit{Amount: &money.Money{Amount: 1000, Currency: "EUR"}}, 1000}, {800, "EUR", &Deposit{Amount: &money.Money{Amount: 1000, Currency: "EUR"}}, 800},
		{4500, "EUR", nil, 0}, {0, "EUR", percent(20), 0},
	} {
		e := NewEventType()
		if e.Deposit = c.deposit; c.price > 0 {
			e.Price = &money.Money{Amount: c.price, Currency: c.currency}
		}
		got := int64(0)
		if due := e.DepositDue(); due != nil {
			got = due.Amount
		}
		if got != c.want {
			t.Errorf("%d %s, %+v: %d, want %d", c.price, c.currency, c.deposit, got, c.want)
		}
	}
}

func TestDepositsAndLateFeesThatCantBe(t *testing.T) {
	for field, change := range map[string]func(*EventType){
		"eventType.deposit":                      func(e *EventType) { e.Payment, e.Deposit = PayOnline, &Deposit{Percent: 100} },
		"eventType.deposit.percent":              func(e *EventType) { e.Deposit = &Deposit{Percent: 101} },
		"eventType.deposit.amount":               func(e *EventType) { e.Deposit = &Deposit{Amount: &money.Money{Amount: 4501, Currency: "EUR"}} },
		"eventType.deposit.amount.currency":      func(e *EventType) { e.Deposit = &Deposit{Amount: &money.Money{Amount: 100, Currency: "USD"}} },
		"eventType.lateCancellationFee":          func(e *EventType) { e.CancellationNoticeMinutes = 0 },
		"eventType.lateCancellationFee.currency": func(e *EventType) { e.LateCancellationFee = &money.Money{Amount: 100, Currency: "USD"} },
	} {
		e := NewEventType()
		e.Slug, e.Title, e.DurationMinutes, e.Hosts = "cut", "Cut", 45, []HostRef{{ID: 1}}
		e.Price, e.LateCancellationFee, e.CancellationNoticeMinutes = &money.Money{Amount: 4500, Currency: "EUR"}, &money.Money{Amount: 2000, Currency: "EUR"}, 60
		if err := e.Problems(); err != nil {
			t.Fatal(err)
		}
		change(&e)
		if wrong := fault.As(e.Problems()); wrong == nil || wrong.Field != field {
			t.Errorf("%s: %v", field, wrong)
		}
	}
	e := NewEventType()
	e.Slug, e.Title, e.DurationMinutes, e.Hosts, e.Deposit = "cut", "Cut", 45, []HostRef{{ID: 1}}, &Deposit{Percent: 20}
	if wrong := fault.As(e.Problems()); wrong == nil || wrong.Field != "eventType.deposit" {
		t.Errorf("without a price: %v", wrong)
	}
}
