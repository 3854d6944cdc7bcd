package calendar

import (
	"daybook/app"
	"daybook/app/dashboard/web"
	"daybook/views/dash"
)

// did redirects after a change of a booking: back to Today, or to its page. An error is shown there.
func (c call) did(err error, said string) error {
	if e := web.Refused(err); e != nil {
		b, err := c.Subjects.Booking(c.Context(), c.Actor, c.PathValue("id"))
		if err != nil {
			return err
		}
		return c.showBooking(&b, e)
	}
	if err != nil {
		return err
	}
	if c.PostFormValue("back") == "today" {
		return c.Redirect(dash.TodayPath, said)
	}
	if back := c.FormValue("back"); dash.IsCalendar(back) {
		return c.Redirect(back, said)
	}
	return c.Redirect(dash.BookingPath(c.PathValue("id")), said)
}

func (c call) confirm() error {
	_, err := c.Subjects.Confirm(c.Context(), c.Actor, c.PathValue("id"))
	return c.did(err, "confirmed")
}

func (c call) decline() error {
	_, err := c.Subjects.Decline(c.Context(), c.Actor, c.PathValue("id"), c.PostFormValue("reason"))
	return c.did(err, "declined")
}

func (c call) cancel() error {
	in := app.CancelInput{Reason: c.PostFormValue("reason"), ChargeLateFee: c.PostForm.Has("chargeLateFee")}
	refund := c.PostForm.Has("refund")
	in.Refund = &refund
	_, err := c.Subjects.Cancel(c.Context(), c.Actor, c.PathValue("id"), in)
	return c.did(err, "cancelled")
}

func (c call) edit() error {
	return c.did(c.edited(c.PathValue("id")), "saved")
}

func (c call) resend() error {
	_, err := c.Subjects.Mail.SendAgain(c.Context(), c.Actor, c.PathValue("id"))
	return c.did(err, "sent")
}
