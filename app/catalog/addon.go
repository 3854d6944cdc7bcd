package catalog

import (
	"daybook/app/fault"
	"daybook/app/money"
)

func (e *EventType) extras() Extras {
	return Extras{AddOns: e.AddOns, Groups: e.AddOnGroups}
}

// checkExtra normalises an amount that comes beside the price, in the one currency of the event type.
func (e *EventType) checkExtra(at string, m **money.Money) (err error) {
	in := e.PricedIn()
	if *m != nil && (*m).Currency == "" && in != "" {
		*m = &money.Money{Amount: (*m).Amount, Currency: in}
	}
	if *m, err = money.CheckMoney(at, *m); err != nil {
		return err
	}
	if *m != nil && in != "" && (*m).Currency != in {
		switch {
		case e.Price != nil:
			return fault.Invalid(at+".currency", "must be the price's currency, %s", in)
		case e.NoShowFee != nil:
			return fault.Invalid(at+".currency", "must be the no-show fee's currency, %s", in)
		}
		return fault.Invalid(at+".currency", "must be the event type's currency, %s", in)
	}
	if e.Payment == PayOnline {
		return money.CheckChargeable(at, *m)
	}
	return nil
}

// Choice is what a customer chooses when they book an event type: add-ons and seats. The zero value is no add-on and
// one seat.
type Choice struct {
	AddOns []string // their IDs
	Seats  int      // 0 is 1
}

// Chosen returns the event type with the choice applied: its length and price include the add-ons, and the price is for
// all seats. It returns e itself for the zero Choice. With, called on the result, includes the choice, too. Errors:
// bad_request for addOns or seats, also if the price with one of its hosts is more than can be charged at once.
func (e *EventType) Chosen(c Choice) (*EventType, error) {
	seats := max(1, c.Seats)
	if err := e.CheckSeats(c.Seats); err != nil {
		return nil, err
	}
	taken, err := e.extras().Take(e.Title, c.AddOns)
	if err != nil || len(taken) == 0 && seats == 1 {
		return e, err
	}
	own := *e
	own.choice = &choice{addOns: taken, seats: seats}
	own.DurationMinutes, own.Price = own.choice.apply(e.DurationMinutes, e.Price)
	own.Parts = own.choice.lengthen(e.Parts)
	dearest := own.Price.Units()
	for i, h := range own.Hosts {
		p := own.With(h.ID).Price.Units()
		if i == 0 {
			dearest = p
		}
		dearest = max(dearest, p)
	}
	if each := dearest / int64(seats); each > money.MaxAmount {
		return nil, fault.Invalid("addOns", "cost more than can be charged at once: choose fewer")
	}
	return &own, CheckTotal(dearest, seats)
}

// CheckSeats returns an error for a number of seats that one booking can't have; 0 counts as 1. Errors: bad_request for
// seats.
func (e *EventType) CheckSeats(seats int) error {
	if seats < 0 || seats > max(1, e.Seats) {
		return fault.Invalid("seats", "must lie between %d and %d", 1, e.Seats)
	}
	return nil
}

// CheckTotal returns an error if the price of that many seats, in minor units, is more than can be charged at once.
// Errors: bad_request for seats.
func CheckTotal(amount int64, seats int) error {
	if amount <= money.MaxAmount {
		return nil
	}
	most := int64(money.MaxAmount) * int64(seats) / amount
	return fault.Invalid("seats", "must lie between %d and %d", 1, max(1, most))
}

// TakenAddOns returns the add-ons of an event type that Chosen returned, in its order.
func (e *EventType) TakenAddOns() []AddOn {
	if e.choice == nil {
		return nil
	}
	return e.choice.addOns
}

// TakenSeats returns the chosen seats of an event type that Chosen returned; 1 for any other.
func (e *EventType) TakenSeats() int {
	if e.choice == nil {
		return 1
	}
	return e.choice.seats
}

// choice is a checked Choice.
type choice struct {
	addOns []AddOn
	seats  int
}

// apply returns the length and price with what was chosen.
func (c *choice) apply(minutes int, price *money.Money) (int, *money.Money) {
	if c == nil {
		return minutes, price
	}
	total := money.Money{}
	if price != nil {
		total = *price
	}
	for _, a := range c.addOns {
		minutes += a.Minutes
		if a.Price != nil {
			total = money.Money{Amount: total.Amount + a.Price.Amount, Currency: a.Price.Currency}
		}
	}
	if total.Amount == 0 {
		return minutes, nil
	}
	total.Amount *= int64(c.seats)
	return minutes, &total
}
