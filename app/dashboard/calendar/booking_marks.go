package calendar

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/when"
	"daybook/views/dash"
)

// marks is what a member can mark on a booking now: where each mark is made, "" for what can't be.
type marks struct {
	ArrivedURL, DoneURL, NoShowURL string
	DoneFirst                      bool   // that it is done is what to mark next
	Undo                           string // the mark that can be taken back, or ""
}

// marks returns what the member can mark on the booking now. An arrival is not asked for any more after the end.
func (c call) marks(b *booking.Booking) (m marks) {
	if !c.May(app.MayMarkAttendance) {
		return m
	}
	m.Undo = string(app.LastMark(b))
	id, now := b.ID.String(), when.At(c.Subjects.Now())
	if b.ArrivedAt == 0 && now < b.End && app.MayArrive(b, c.Zone(), now) == nil {
		m.ArrivedURL = dash.BookingDoPath(id, "arrived")
	}
	if b.DoneAt == 0 && app.MayDone(b, now) == nil {
		m.DoneURL = dash.BookingDoPath(id, "done")
		m.DoneFirst = b.ArrivedAt != 0 || b.End <= now
	}
	if app.MayMiss(b, now) == nil {
		m.NoShowURL = dash.BookingDoPath(id, "no-show")
	}
	return m
}
