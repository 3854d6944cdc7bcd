package calendar

import (
	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/views/dash"
)

func (c call) booking() error {
	b, err := c.Subjects.Booking(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showBooking(&b, nil)
}

func (c call) showBooking(b *booking.Booking, e *fault.Error) error {
	v, err := c.detail(b)
	if err != nil {
		return err
	}
	if e != nil {
		v.Said, v.SaidBad = c.Sentence(e), true
		for i := range v.Actions {
			c.reopen(&v.Actions[i], e)
		}
	}
	return c.Show(web.RefusedStatus(e), dash.BookingShown(v))
}

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
