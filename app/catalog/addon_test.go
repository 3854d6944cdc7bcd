package catalog

import (
	"testing"

	"daybook/app/fault"
	"daybook/app/money"
)

// class is an event type of 30 seats without a price.
func class() EventType {
	e := NewEventType()
	e.Slug, e.Title, e.DurationMinutes, e.Hosts, e.Seats = "class", "Class", 45, []HostRef{{ID: 1}}, 30
	return e
}

// All amounts that can be added or owed together are of one currency, also where the event type has no price itself.
func TestAddOnsHaveOneCurrency(t *testing.T) {
	towel := AddOn{ID: "towel", Title: "Towel", Price: &money.Money{Amount: 1000, Currency: "EUR"}}
	for field, change := range map[string]func(*EventType){
		"":                                   func(e *EventType) { e.AddOns[1].Price.Currency = "" },
		"eventType.addOns[1].price.currency": func(e *EventType) { e.AddOns[1].Price.Currency = "USD" },
		"eventType.addOns[0].price.currency": func(e *EventType) { e.NoShowFee = &money.Money{Amount: 2000, Currency: "USD"} },
	} {
		e := class()
		e.AddOns = []AddOn{towel, {ID: "mat", Title: "Mat", Price: &money.Money{Amount: 500, Currency: "EUR"}}}
		change(&e)
		err := e.Check("eventType")
		switch wrong := fault.As(err); {
		case field == "" && (err != nil || e.AddOns[1].Price.Currency != "EUR"):
			t.Errorf("without a currency: %v, %+v", err, e.AddOns[1].Price)
		case field != "" && (wrong == nil || wrong.Field != field):
			t.Errorf("%s: %v", field, err)
		}
	}
	e, host := class(), Host{ID: 1, Name: "Ada"}
	e.ID, e.AddOns = 7, []AddOn{towel}
	host.EventTypes = []Terms{{EventType: 7, Price: &money.Money{Amount: 3000, Currency: "USD"}}}
	if err := e.CheckOwn("eventType", []Host{host}); err == nil {
		t.Error("a host's own price has another currency than the add-ons")
	}
}

// What seats and add-ons cost together is a sum that can be charged at once, with any of the hosts.
func TestChosenPriceIsBounded(t *testing.T) {
	e := class()
	e.Price, e.AddOns = &money.Money{Amount: 50_000_00, Currency: "EUR"}, []AddOn{{ID: "gold", Title: "Gold", Price: &money.Money{Amount: money.MaxAmount, Currency: "EUR"}}}
	for field, c := range map[string]Choice{"": {Seats: 19}, "seats": {Seats: 20}, "addOns": {AddOns: []string{"gold"}}} {
		_, err := e.Chosen(c)
		if wrong := fault.As(err); (wrong == nil) != (field == "") || wrong != nil && wrong.Field != field {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if fits := e.Fit(Choice{Seats: 30}); fits.Seats != 19 {
		t.Errorf("%d seats fit", fits.Seats)
	}
	e.terms = map[HostID]*Terms{1: {Price: &money.Money{Amount: 100, Currency: "EUR"}}}
	if own, err := e.Chosen(Choice{Seats: 30}); err != nil || own.With(1).Price.Amount != 3000 {
		t.Errorf("with a cheaper host: %+v, %v", own, err)
	}
}
