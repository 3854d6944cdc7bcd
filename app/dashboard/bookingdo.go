package dashboard

import (
	"daybook/app"
	"daybook/views/dash"
)

// did leads on after a change of a booking: back to Today, or to its page; a refusal is shown there.
func (c *call) did(err error, said string) error {
	if e := refused(err); e != nil {
		b, err := c.door.Booking(c.Context(), c.actor, c.PathValue("id"))
		if err != nil {
			return err
		}
		return c.showBooking(&b, e)
	}
	if err != nil {
		return err
	}
	if c.PostFormValue("back") == "today" {
		return c.redirect(dash.TodayPath, said)
	}
	return c.redirect(dash.BookingPath(c.PathValue("id")), said)
}

func (d *Door) confirm(c *call) error {
	_, err := d.Confirm(c.Context(), c.actor, c.PathValue("id"))
	return c.did(err, "confirmed")
}

func (d *Door) decline(c *call) error {
	_, err := d.Decline(c.Context(), c.actor, c.PathValue("id"), c.PostFormValue("reason"))
	return c.did(err, "declined")
}

func (d *Door) cancel(c *call) error {
	in := app.CancelInput{Reason: c.PostFormValue("reason")}
	refund := c.PostForm.Has("refund")
	in.Refund = &refund
	_, err := d.Cancel(c.Context(), c.actor, c.PathValue("id"), in)
	return c.did(err, "cancelled")
}

func (d *Door) noShow(c *call) error {
	_, err := d.MarkNoShow(c.Context(), c.actor, c.PathValue("id"))
	return c.did(err, "noshow")
}

func (d *Door) undoNoShow(c *call) error {
	_, err := d.UndoNoShow(c.Context(), c.actor, c.PathValue("id"))
	return c.did(err, "undone")
}
