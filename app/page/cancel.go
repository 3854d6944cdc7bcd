package page

import (
	"net/http"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/record"
	"daybook/views"
)

// cancelForm asks whether to cancel; if that is not possible, the booking's page says why.
func cancelForm(v *visit) error {
	b, err := v.open()
	if err != nil {
		return err
	}
	if !v.changeable(&b) {
		return v.redirect(views.BookingPath(token(&b), v.query.Look()))
	}
	return v.show(http.StatusOK, views.CancelView(v.cancelPage(&b)))
}

func (v *visit) cancelPage(b *record.Booking) views.CancelPage {
	look := v.query.Look()
	p := views.CancelPage{
		Page: v.page(), Event: v.bookedView(b), Start: v.local(b.Start), End: v.local(b.End), Zone: v.zone.String(),
		Action: views.CancelPath(token(b), look), BackURL: views.BookingPath(token(b), look),
	}
	p.Title = v.locale.T("cancel_title")
	if b.Payment != nil && b.Payment.Status == "paid" {
		e := v.setup.EventTypeByID(b.EventTypeID)
		if e != nil && e.RefundOnCancel != catalog.RefundNever { // an invitee who may cancel is within the notice
			p.Refund = &views.Money{Amount: b.Payment.Amount - b.Payment.RefundedAmount, Currency: b.Payment.Currency}
		}
		p.NoRefund = p.Refund == nil
	}
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
	reason := v.r.PostForm.Get("reason")
	_, err = v.service.Cancel(v.r.Context(), v.actor, b.ID.String(), app.CancelInput{Reason: reason})
	switch e := fault.As(err); {
	case e != nil && e.Code == fault.Conflict:
		return v.showBooking(http.StatusConflict, &b)
	case e != nil && e.Field == "reason":
		p := v.cancelPage(&b)
		p.Reason = reason
		p.Problem = v.locale.Labelled(v.locale.T("cancel_reason"), v.locale.T("error_too_long", "Count", fault.MaxReason))
		return v.show(http.StatusUnprocessableEntity, views.CancelView(p))
	case err != nil:
		return err
	}
	return v.redirect(views.BookingPath(token(&b), v.query.Look()))
}
