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
