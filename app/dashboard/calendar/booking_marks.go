package calendar

import (
	"daybook/app"
	"daybook/app/booking"
	"daybook/app/when"
	"daybook/views/dash"
)

// marks returns what the member can mark on the booking now. An arrival is not asked for any more after the end.
func (c call) marks(b *booking.Booking) (m dash.Marks) {
	if !c.May(app.MayMarkAttendance) {
		return m
	}
	m.Undo = string(app.LastMark(b))
	now := when.At(c.Subjects.Now())
	m.Arrived = b.ArrivedAt == 0 && now < b.End && app.MayArrive(b, c.Zone(), now) == nil
	m.Done = b.DoneAt == 0 && app.MayDone(b, now) == nil
	m.DoneFirst = m.Done && (b.ArrivedAt != 0 || b.End <= now)
	m.NoShow = app.MayMiss(b, now) == nil
	return m
}
