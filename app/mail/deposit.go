package mail

import (
	"daybook/app/booking"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views"
)

func (c *composer) money(m money.Money) string {
	return c.locale.Money(views.Money{Amount: m.Amount, Currency: m.Currency})
}

// parts says how much of a price is paid online, and how much on site.
func (c *composer) parts(b *booking.Booking, price string) string {
	rest := money.Money{Amount: b.Price.Amount - b.Deposit.Amount, Currency: b.Price.Currency}
	if rest.Amount <= 0 {
		return price
	}
	return c.t("deposit_mail_price", "Price", price, "Now", c.money(*b.Deposit), "Rest", c.money(rest))
}

// cancelling says until when cancelling is free, and what it costs later; "" where it never costs anything.
func (c *composer) cancelling() string {
	b := &c.about.Booking
	if b.LateFee == nil {
		return ""
	}
	free := c.facts.Start - b.Start + b.FreeUntil()
	t := free.Time().In(c.zone)
	return c.t("deposit_late_until", "Until", c.locale.ShortDay(t)+", "+c.locale.Time(t, ""), "Fee", c.money(*b.LateFee))
}

// changing says until when the invitee may move or cancel what the mail lists for nothing; "" where that costs a fee later,
// which cancelling says, and once it is over.
func (c *composer) changing(listed ...*booking.Booking) string {
	until := when.Instant(0)
	for _, b := range listed {
		if b.LateFee != nil {
			return ""
		}
		if at := b.ChangeableUntil(c.about.Setup); until == 0 || at < until {
			until = at
		}
	}
	if until <= when.At(c.service.Core.Now()) {
		return ""
	}
	t := until.Time().In(c.zone)
	return c.t("change_until", "Until", c.locale.ShortDay(t)+", "+c.locale.Time(t, ""))
}

// lateFee returns what the cancellation costs that the mail tells of; "" for nothing.
func (c *composer) lateFee() string {
	if x := c.about.Booking.Cancellation; c.over() && x != nil && x.Fee != nil {
		return c.money(money.Money{Amount: x.Fee.Amount, Currency: x.Fee.Currency})
	}
	return ""
}
