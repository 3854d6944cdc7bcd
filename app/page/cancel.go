package page

import (
	"net/http"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/money"
	"daybook/views"
)

// cancelForm asks whether to cancel; if that is not possible, the booking's page says why.
func cancelForm(v *visit) error {
	b, err := v.open()
	if err != nil {
		return err
	}
	fee, err := v.lateFee(&b)
	if err != nil {
		return err
	}
	if fee == nil && !v.changeable(&b) {
		return v.redirect(views.BookingPath(token(&b), v.query.Look()))
	}
	return v.show(http.StatusOK, views.CancelView(v.cancelPage(&b, fee)))
}

// cancelPage asks whether to cancel, which costs that fee; nil is nothing.
func (v *visit) cancelPage(b *booking.Booking, fee *money.Money) views.CancelPage {
	look := v.query.Look()
	p := views.CancelPage{
		Page: v.page(), Event: v.bookedView(b), Start: v.local(b.Start), End: v.local(b.End), Zone: v.zone.String(),
		Action: views.CancelPath(token(b), look), BackURL: views.BookingPath(token(b), look),
	}
	p.Title = v.locale.T("cancel_title")
	if b.Payment != nil && b.Payment.Status == "paid" {
		e := v.setup.EventTypeByID(b.EventTypeID)
		if e != nil && (e.RefundOnCancel == catalog.RefundAlways || // without a fee who may cancel is in time
			e.RefundOnCancel != catalog.RefundNever && fee == nil) {
			p.Refund = &views.Money{Amount: b.Payment.Amount - b.Payment.RefundedAmount, Currency: b.Payment.Currency}
		}
		if p.NoRefund = p.Refund == nil; p.NoRefund {
			p.Kept = shownMoney(b.Deposit)
		}
	}
	v.askFee(&p, b, fee)
	return p
}

// cancel cancels the booking.
func cancel(v *visit) error {
	b, err := v.open()
	if err != nil {
		return err
	}
	if err := v.r.ParseForm(); err != nil {
		return formError(err)
	}
	in := app.CancelInput{Reason: v.r.PostForm.Get("reason")}
	fee, err := v.lateFee(&b)
	if err != nil {
		return err
	}
	if ticked(v.r.PostForm.Get(agreeField)) {
		in.Agreed = fee
	}
	_, err = v.service.Cancel(v.r.Context(), v.actor, b.ID.String(), in)
	switch e := fault.As(err); {
	case e != nil && e.Reason == "late_fee":
		p := v.cancelPage(&b, b.LateFee)
		p.Reason, p.Agree.Error = in.Reason, v.locale.T("error_checkbox")
		return v.show(http.StatusUnprocessableEntity, views.CancelView(p))
	case e != nil && e.Code == fault.Conflict:
		return v.showBooking(http.StatusConflict, &b)
	case e != nil && e.Field == "reason":
		p := v.cancelPage(&b, fee)
		p.Reason = in.Reason
		p.Problem = v.locale.Labelled(v.locale.T("cancel_reason"), v.locale.T("error_too_long", "Count", fault.MaxReason))
		return v.show(http.StatusUnprocessableEntity, views.CancelView(p))
	case err != nil:
		return err
	}
	return v.redirect(views.BookingPath(token(&b), v.query.Look()))
}
