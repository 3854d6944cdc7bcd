package agenda

import (
	"net/url"

	"daybook/app/dashboard/web"
	"daybook/app/payment"
	"daybook/app/record"
	"daybook/app/visit"
	"daybook/views/dash"
)

func (c call) arrived() error {
	_, err := c.Rooms.Visit.MarkArrived(c.Context(), c.Actor, c.PathValue("id"))
	return c.marked(err, string(visit.Arrived))
}

func (c call) done() error {
	_, err := c.Rooms.Visit.MarkDone(c.Context(), c.Actor, c.PathValue("id"))
	return c.marked(err, string(visit.Done))
}

func (c call) noShow() error {
	_, err := c.Rooms.Visit.MarkNoShow(c.Context(), c.Actor, c.PathValue("id"))
	return c.marked(err, string(visit.NoShow))
}

// undo takes back what the form names, so that a second tap takes nothing else back.
func (c call) undo() error {
	_, err := c.Rooms.Visit.Undo(c.Context(), c.Actor, c.PathValue("id"), visit.Mark(c.PostFormValue("of")))
	return c.marked(err, "undone")
}

// marked goes back to where the mark was made. Today names the booking and offers to take it back.
func (c call) marked(err error, what string) error {
	if err == nil && c.PostFormValue("back") == "today" {
		return c.Redirect(web.WithQuery(dash.TodayPath, url.Values{"host": {c.PostFormValue("host")}}),
			what+"."+c.PathValue("id"))
	}
	return c.did(err, map[string]string{"no_show": "noshow", "undone": "undone"}[what])
}

// visitActions are the marks that the page of a booking offers.
func (c call) visitActions(b *record.Booking, outlook payment.FeeOutlook, v *dash.BookingDetail) {
	marks := c.Marks(b)
	v.Arrived, v.Done = marks.ArrivedURL, marks.DoneURL
	if marks.NoShowURL != "" {
		fee := c.Money(b.NoShowFee)
		text := map[payment.FeeOutlook]string{
			payment.NoFee:     c.T("today_no_show_text"),
			payment.FeeNoCard: c.T("today_no_show_no_card", "Fee", fee),
			payment.FeeWaits:  c.T("today_no_show_waits", "Fee", fee),
			payment.FeeCharge: c.T("today_no_show_charge", "Fee", fee),
		}[outlook]
		v.Actions = append(v.Actions, dash.Danger{Title: c.T("today_no_show_mark"), Text: text, Action: marks.NoShowURL,
			Submit: c.T("today_no_show_mark")})
	}
	if marks.Undo == "" {
		return
	}
	v.Actions = append(v.Actions, dash.Danger{Title: c.T("today_undo_" + marks.Undo),
		Text: c.T("today_undo_" + marks.Undo + "_text"), Action: dash.BookingUndoPath(b.ID.String()),
		Submit: c.T("today_undo_" + marks.Undo), Quiet: true})
}
