package calendar

import (
	"net/url"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/payment"
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
		m.ArrivedURL = dash.BookingArrivedPath(id)
	}
	if b.DoneAt == 0 && app.MayDone(b, now) == nil {
		m.DoneURL = dash.BookingDonePath(id)
		m.DoneFirst = b.ArrivedAt != 0 || b.End <= now
	}
	if app.MayMiss(b, now) == nil {
		m.NoShowURL = dash.BookingNoShowPath(id)
	}
	return m
}

// attendanceActions are the marks that the page of a booking offers.
func (c call) attendanceActions(b *booking.Booking, outlook payment.FeeOutlook, v *dash.BookingDetail) {
	m := c.marks(b)
	v.Arrived, v.Done = m.ArrivedURL, m.DoneURL
	if m.NoShowURL != "" {
		fee := c.Money(b.NoShowFee)
		text := map[payment.FeeOutlook]string{
			payment.NoFee:     c.T("today_no_show_text"),
			payment.FeeNoCard: c.T("today_no_show_no_card", "Fee", fee),
			payment.FeeWaits:  c.T("today_no_show_waits", "Fee", fee),
			payment.FeeCharge: c.T("today_no_show_charge", "Fee", fee),
		}[outlook]
		v.Actions = append(v.Actions, dash.Danger{Title: c.T("today_no_show_mark"), Text: text, Action: m.NoShowURL,
			Submit: c.T("today_no_show_mark")})
	}
	switch m.Undo {
	case "":
	case string(app.ArrivedMark), string(app.DoneMark):
		v.Undo = web.WithQuery(dash.BookingUndoPath(b.ID.String()), url.Values{"of": {m.Undo}})
		v.UndoText = c.T("today_undo_" + m.Undo)
	case string(app.NoShowMark): // may give money back, so it is asked first
		v.Actions = append(v.Actions, dash.Danger{Title: c.T("today_undo_no_show"),
			Text: c.T("today_undo_no_show_text"), Action: dash.BookingUndoPath(b.ID.String()),
			Submit: c.T("today_undo_no_show"), Quiet: true})
	}
}
