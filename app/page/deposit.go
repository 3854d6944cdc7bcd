package page

import (
	"cmp"
	"strings"
	"time"

	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
	"daybook/views"
)

// paysAhead reports whether the price, or a deposit, is paid online before the booking is confirmed.
func (c *call) paysAhead(e *catalog.EventType) bool {
	return e.PaysAhead() && c.takesCards(e.WorkspaceID)
}

// takesFee reports whether a fee can be charged, so that the invitee must agree to it.
func (c *call) takesFee(e *catalog.EventType) bool {
	return e.TakesFee() && c.takesCards(e.WorkspaceID)
}

// addPayment adds what is paid when the event type is booked, and what its fees are.
func (c *call) addPayment(view *views.Event, e *catalog.EventType) {
	view.Deposit, view.Rest = nil, nil
	if c.paysAhead(e) && !e.PaysOnline() {
		view.Deposit, view.Rest = shownMoney(e.DepositDue()), rest(e.Price, e.DepositDue())
	}
	if c.takesFee(e) {
		view.NoShowFee, view.LateFee = shownMoney(e.NoShowFee), shownMoney(e.LateCancellationFee)
		view.LateNotice = time.Duration(e.CancellationNoticeMinutes) * time.Minute
	}
}

// addBookedPayment adds what was agreed when it was booked.
func (c *call) addBookedPayment(view *views.Event, b *booking.Booking) {
	view.Price, view.OnSite = shownMoney(b.Price), b.Price != nil && (b.Payment == nil || b.Payment.For() == booking.ForCard)
	view.Deposit, view.Rest, view.LateFee = shownMoney(b.Deposit), rest(b.Price, b.Deposit), nil
	addPaid(view, []booking.Booking{*b})
	if p := b.Payment; view.Used != nil && p != nil && p.Status == "unpaid" && p.Amount > 0 { // the rest of it is paid now
		view.Deposit, view.Rest, view.UsedRest = &views.Money{Amount: p.Amount, Currency: p.Currency}, nil, nil
	}
	if b.LateFee != nil && b.Status.Live() {
		view.LateFee, view.FreeUntil = shownMoney(b.LateFee), c.moment(b.FreeUntil())
	}
}

// addPaid adds what was paid of bookings, online and on site, and what is due on site by now.
func addPaid(view *views.Event, of []booking.Booking) {
	var due *views.Money
	live, onSite := false, false
	view.Used, view.UsedRest = nil, nil
	for i := range of {
		b := &of[i]
		if !b.Status.Live() {
			continue
		}
		live, onSite = true, onSite || len(b.Payments) > 0
		for j := range b.Payments {
			if p := &b.Payments[j]; p.Pass != nil && p.Stays() {
				left, _ := p.Left()
				view.Used = addMoney(view.Used, &views.Money{Amount: left, Currency: p.Currency})
			}
		}
		if b.Due != nil && b.Due.Amount > 0 {
			due = addMoney(due, shownMoney(b.Due))
		}
	}
	if view.Paid = paidOnline(of); view.Paid != nil {
		view.Rest = due
	}
	if view.Used != nil && view.Paid == nil {
		view.UsedRest = due
	}
	view.Settled = live && onSite && due == nil
}

// rest returns what is left of a price after the deposit; nil is nothing.
func rest(price, deposit *money.Money) *views.Money {
	if price == nil || deposit == nil || deposit.Amount >= price.Amount {
		return nil
	}
	return &views.Money{Amount: price.Amount - deposit.Amount, Currency: price.Currency}
}

// addOnline adds to a visit how much of its price is paid online; nil is nothing.
func addOnline(view *views.Event, now *views.Money) {
	if now == nil {
		return
	}
	view.OnSite = false
	switch {
	case view.Price == nil:
		view.Deposit = now
	case now.Amount < view.Price.Amount:
		view.Deposit, view.Rest = now, &views.Money{Amount: view.Price.Amount - now.Amount, Currency: now.Currency}
	}
}

// addMoney returns a sum; nil is nothing.
func addMoney(a, b *views.Money) *views.Money {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return &views.Money{Amount: a.Amount + b.Amount, Currency: a.Currency}
}

// moment returns a day and a time in the visitor's zone: "Tue, Dec 1, 9:00".
func (c *call) moment(at when.Instant) string {
	t := c.local(at)
	return c.locale.ShortDay(t) + ", " + c.locale.Time(t, c.query.Clock)
}

// consentField is the box that agrees to the fees of a booking.
const consentField = "feeConsent"

// consent asks to agree to the fees of the event types, each of which is named where they are several; nil where there is
// none.
func (c *call) consent(f form, of ...*catalog.EventType) *views.Field {
	amount := func(fee *money.Money, e *catalog.EventType) string {
		text := c.locale.Money(*shownMoney(fee))
		if len(of) > 1 {
			text += " (" + e.Title + ")"
		}
		return text
	}
	var missed, late, label []string
	for _, e := range of {
		if c.takesFee(e) && e.NoShowFee != nil {
			missed = append(missed, amount(e.NoShowFee, e))
		}
	}
	if len(missed) > 0 {
		label = append(label, c.locale.T("fee_consent", "Amount", strings.Join(missed, ", ")))
	}
	said := map[int]bool{}
	for _, e := range of {
		notice := e.CancellationNoticeMinutes
		if !c.takesFee(e) || e.LateCancellationFee == nil || said[notice] {
			continue
		}
		said[notice], late = true, nil
		for _, o := range of {
			if o.LateCancellationFee != nil && o.CancellationNoticeMinutes == notice {
				late = append(late, amount(o.LateCancellationFee, o))
			}
		}
		label = append(label, c.locale.T("deposit_consent_late", "Amount", strings.Join(late, ", "), "Notice",
			c.locale.Duration(time.Duration(notice)*time.Minute)))
	}
	if len(label) == 0 {
		return nil
	}
	if asksForDates(f) {
		label = append(label, c.locale.T("deposit_consent_dates"))
	}
	return &views.Field{Name: consentField, Kind: views.Checkbox, Required: true, Value: f.values.Get(consentField),
		Error: f.wrong[consentField], Label: strings.Join(label, " ")}
}

// agreeField is the box that agrees to what cancelling costs now.
const agreeField = "agreeFee"

// lateFee returns what cancelling the booking costs now; nil is nothing. After the start nobody cancels by themselves.
func (c *call) lateFee(b *booking.Booking) (*money.Money, error) {
	if when.At(c.service.Now()) > b.Start {
		return nil, nil
	}
	return c.service.Payment.LateFee(c.r.Context(), b)
}

// askFee adds to the page what cancelling costs, and until when it is free.
func (c *call) askFee(p *views.CancelPage, b *booking.Booking, fee *money.Money) {
	if b.LateFee == nil || !b.Status.Stands() {
		return
	}
	p.FreeUntil = c.moment(b.FreeUntil())
	if fee == nil {
		return
	}
	p.Fee = shownMoney(fee)
	p.Agree = &views.Field{Name: agreeField, Kind: views.Checkbox, Required: true,
		Label: c.locale.T("deposit_cancel_agree", "Fee", c.locale.Money(*p.Fee))}
}

// addLateFee adds to a booking's page what became of the fee for cancelling it late.
func addLateFee(p *views.BookingPage, b *booking.Booking, link string) {
	cancelled := b.Cancellation
	if cancelled == nil || cancelled.Fee == nil {
		return
	}
	p.Cancelled.Fee = &views.Money{Amount: cancelled.Fee.Amount, Currency: cancelled.Fee.Currency}
	p.Cancelled.FeeStatus = cancelled.Fee.Status
	if cancelled.Fee.URL != "" {
		p.PayURL = views.PayPath(link)
	}
}
