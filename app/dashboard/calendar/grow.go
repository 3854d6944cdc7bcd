package calendar

import (
	"net/url"
	"time"

	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/when"
	"daybook/views/dash"
)

// grow gives a booking another end, to which its lower edge was pulled, or puts the end back.
func (c call) grow() error {
	form, err := c.Posted()
	if err != nil {
		return err
	}
	b, err := c.cameFrom(form)
	if err != nil {
		return err
	}
	k, err := c.Subjects.Booking(c.Context(), c.Actor, form.Get("booking"))
	if err != nil {
		return err
	}
	end, e := c.endOf(&k, form)
	if e != nil {
		return b.refused(e, c.Sentence(e))
	}
	text, undo := when.At(end).String(), form.Get("undo") != ""
	in := booking.EditInput{End: &text, Override: form["override"]}
	if undo {
		in.Override = booking.OverrideNames(undoWaives)
	}
	_, err = c.Subjects.Edit(c.Context(), c.Actor, k.ID.String(), in, "")
	if e := web.Refused(err); e != nil {
		why := b.whyNot(e, &k, b.hostFor(k.Host.ID.String()), b.At(k.Start), end)
		b.anyway(e, c.T("calendar_not_grown", "Why", why), form, k.Start,
			dash.CalToast{Action: dash.CalendarGrow, Label: c.T("calendar_grow_anyway")})
		return b.show(web.RefusedStatus(e))
	}
	if err != nil {
		return err
	}
	if undo {
		return c.Redirect(b.at("shrunk", k.ID.String()), "")
	}
	return c.Redirect(b.at("grown", k.ID.String()), "")
}

// endOf returns the end that the form gives a booking: an instant, or a time of the wall clock, of which midnight is
// the end of the booking's day.
func (c call) endOf(k *booking.Booking, form url.Values) (time.Time, *fault.Error) {
	text := form.Get("end")
	if at, err := when.Parse(text); err == nil {
		return at.Time(), nil
	}
	end, err := when.ParseWall(localTime, text, c.Zone())
	if err != nil {
		return end, fault.Invalid("end", "must be a time such as 2026-11-24T10:20")
	}
	if start := c.At(k.Start); end.Equal(web.Midnight(end)) && !end.After(start) {
		end = when.AddDays(end, 1)
	}
	return end, nil
}

// grownToast says until when a booking lasts now. A change that the member has just made can be undone.
func (b *board) grownToast(k *booking.Booking, undone bool) error {
	key := "calendar_grown"
	if undone {
		key = "calendar_shrunk"
	}
	length := b.Locale.Duration(time.Duration(k.End-k.Start) * time.Millisecond)
	b.view.Toast = &dash.CalToast{Text: b.T(key, "Name", b.Invitee(k), "Length", length, "Time", b.Clock(k.End))}
	last, _, err := b.mine(k)
	if err == nil && last != nil && !undone && last.PreviousEnd != 0 {
		b.view.Toast.Undo(dash.CalendarGrow, "booking", k.ID.String(), "end", last.PreviousEnd.String(), "back", b.at())
	}
	return err
}
