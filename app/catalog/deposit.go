package catalog

import (
	"daybook/app/fault"
	"daybook/app/money"
)

// DepositDue returns the deposit that is paid online when the event type is booked: for a share in percent, rounded to
// an amount that cards can be charged, halves up, at least the smallest such amount and never more than the price. It
// returns nil if there is no deposit.
func (e *EventType) DepositDue() *money.Money {
	if e.Deposit == nil || e.Price == nil {
		return nil
	}
	step := money.Step(e.Price.Currency)
	due := step
	if amount := e.Deposit.Amount; amount != nil {
		due = amount.Amount
	} else {
		due = max(step, (2*e.Price.Amount*int64(e.Deposit.Percent)+100*step)/(200*step)*step)
	}
	if due = min(due, e.Price.Amount-e.Price.Amount%step); due <= 0 {
		return nil
	}
	return &money.Money{Amount: due, Currency: e.Price.Currency}
}

// checkDeposit checks the deposit against the price and how that is paid.
func (e *EventType) checkDeposit(at string) error {
	d := e.Deposit
	if d == nil {
		return nil
	}
	switch {
	case (d.Percent == 0) == (d.Amount == nil):
		return fault.Invalid(at, "give either percent, from 1 to 100, or amount")
	case d.Amount == nil && (d.Percent < 1 || d.Percent > 100):
		return fault.Invalid(at+".percent", "must lie between %d and %d", 1, 100)
	case e.Price == nil:
		return fault.Invalid(at, "is a part of the price: set a price, or leave the deposit out")
	case e.Payment == PayOnline:
		return fault.Invalid(at, "is paid online and the rest on site, so payment must be on_site: online, all of the price "+
			"is paid when booking")
	case d.Amount == nil:
		return nil
	}
	own := *d
	if err := e.checkExtra(at+".amount", &own.Amount); err != nil {
		return err
	}
	switch {
	case own.Amount == nil:
		return fault.Invalid(at+".amount", "must be more than 0: leave the deposit out where there is none")
	case own.Amount.Amount > e.Price.Amount:
		return fault.Invalid(at+".amount", "must be at most the price, %s", e.Price.Text())
	}
	e.Deposit = &own
	return money.CheckChargeable(at+".amount", own.Amount)
}

// checkLateFee checks the fee for cancelling late.
func (e *EventType) checkLateFee(at string) error {
	if err := e.checkExtra(at, &e.LateCancellationFee); err != nil || e.LateCancellationFee == nil {
		return err
	}
	if fee := e.NoShowFee; fee != nil && fee.Currency != e.LateCancellationFee.Currency {
		return fault.Invalid(at+".currency", "must be the no-show fee's currency, %s", fee.Currency)
	}
	if e.CancellationNoticeMinutes == 0 {
		return fault.Invalid(at, "is for cancelling within cancellationNoticeMinutes, which is 0: set that too")
	}
	return money.CheckChargeable(at, e.LateCancellationFee)
}

// PaysAhead reports whether a booking of the event type waits for a payment: of the price, or of a deposit.
func (e *EventType) PaysAhead() bool { return e.PaysOnline() || e.DepositDue() != nil }

// TakesFee reports whether there is a fee that may be charged to a saved card.
func (e *EventType) TakesFee() bool { return e.NoShowFee != nil || e.LateCancellationFee != nil }
