package page

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/views"
)

// cancelForm asks whether to cancel; if that is not possible, the booking's page says why.
func cancelForm(c *call) error {
	b, err := c.open()
	if err != nil {
		return err
	}
	fee, err := c.lateFee(&b)
	if err != nil {
		return err
	}
	if fee == nil && !c.changeable(&b) {
		return c.redirect(views.BookingPath(token(&b), c.query.OfBooking()))
	}
	p := c.cancelPage(&b, fee)
	if !b.InVisit() {
		if err := c.askScope(&p, &b, "", fee); err != nil {
			return err
		}
	}
	return c.show(http.StatusOK, views.CancelView(p))
}

// cancelPage asks whether to cancel, which costs that fee; nil is nothing.
func (c *call) cancelPage(b *booking.Booking, fee *money.Money) views.CancelPage {
	look := c.query.OfBooking()
	p := views.CancelPage{
		Page: c.page(), Event: c.bookedView(b), Start: c.local(b.Start), End: c.local(b.End), Zone: c.zone.String(),
		Action: views.CancelPath(token(b), look), BackURL: views.BookingPath(token(b), look),
	}
	p.Title = c.locale.T("cancel_title")
	var lost *views.Money
	if p.Refund, lost = c.comesBack([]booking.Booking{*b}); lost != nil {
		p.NoRefund, p.Kept = true, shownMoney(b.Deposit)
	}
	p.Passes = c.passesBack([]booking.Booking{*b})
	c.askFee(&p, b, fee)
	return p
}

// cancel cancels the booking.
func cancel(c *call) error {
	b, err := c.open()
	if err != nil {
		return err
	}
	if err := c.r.ParseForm(); err != nil {
		return formError(err)
	}
	in := app.CancelInput{Reason: c.r.PostForm.Get("reason")}
	fee, err := c.lateFee(&b)
	if err != nil {
		return err
	}
	if ticked(c.r.PostForm.Get(agreeField)) {
		in.Agreed = fee
	}
	scope := c.scope(&b)
	again := func(fee *money.Money) (views.CancelPage, error) {
		p := c.cancelPage(&b, fee)
		if b.InVisit() {
			return p, nil
		}
		return p, c.askScope(&p, &b, string(scope), fee)
	}
	to := views.BookingPath(token(&b), c.query.OfBooking())
	if scope != booking.SeriesThis && !b.InVisit() {
		err = c.cancelDates(&b, scope, in, to, func(status int, note string) error {
			now, _, err := c.service.BookingByToken(c.r.Context(), token(&b))
			if err != nil {
				return err
			}
			return c.showNoted(status, &now, note)
		})
		if fault.As(err) == nil {
			return err
		}
	} else {
		_, err = c.service.Cancel(c.r.Context(), c.actor, b.ID.String(), in)
	}
	switch e := fault.As(err); {
	case e != nil && e.Reason == "late_fee":
		p, failed := again(b.LateFee)
		if failed != nil {
			return failed
		}
		p.Reason, p.Agree.Error = in.Reason, c.locale.T("error_checkbox")
		return c.show(http.StatusUnprocessableEntity, views.CancelView(p))
	case e != nil && e.Code == fault.Conflict:
		return c.showBooking(http.StatusConflict, &b)
	case e != nil && e.Field == "reason":
		p, failed := again(fee)
		if failed != nil {
			return failed
		}
		p.Reason = in.Reason
		p.Problem = c.locale.Labelled(c.locale.T("cancel_reason"), c.locale.T("error_too_long", "Count", fault.MaxReason))
		return c.show(http.StatusUnprocessableEntity, views.CancelView(p))
	case err != nil:
		return err
	}
	return c.redirect(to)
}
