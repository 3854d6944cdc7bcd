package agenda

import (
	"net/url"
	"strings"

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

// toast is what was just marked on Today, see marked. It is nil when that no longer is so.
func (c call) toast() (*dash.Toast, error) {
	what, id, ok := strings.Cut(c.URL.Query().Get("said"), ".")
	if !ok {
		return nil, nil
	}
	b, err := c.Rooms.Booking(c.Context(), c.Actor, id)
	if web.Refused(err) != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if what == "undone" {
		return &dash.Toast{Text: c.T("today_said_undone", "Name", b.Invitee.Name)}, nil
	}
	if what != string(visit.Last(&b)) {
		return nil, nil
	}
	text := map[visit.Mark]string{visit.Arrived: c.T("today_said_arrived", "Name", b.Invitee.Name),
		visit.Done:   c.T("today_said_done", "Name", b.Invitee.Name),
		visit.NoShow: c.T("today_said_no_show", "Name", b.Invitee.Name)}[visit.Last(&b)]
	return &dash.Toast{Text: text, Name: b.Invitee.Name, UndoURL: dash.BookingUndoPath(id), Of: what,
		Back: c.URL.Query().Get("host")}, nil
}

// visitActions are the marks that the page of a booking offers.
func (c call) visitActions(b *record.Booking, outlook payment.FeeOutlook, v *dash.BookingDetail) {
	row := c.sheetRow(b, c.Now())
	v.Arrived, v.Done = row.ArrivedURL, row.DoneURL
	if row.NoShowURL != "" {
		fee := c.Money(b.NoShowFee)
		text := map[payment.FeeOutlook]string{
			payment.NoFee:     c.T("today_no_show_text"),
			payment.FeeNoCard: c.T("today_no_show_no_card", "Fee", fee),
			payment.FeeWaits:  c.T("today_no_show_waits", "Fee", fee),
			payment.FeeCharge: c.T("today_no_show_charge", "Fee", fee),
		}[outlook]
		v.Actions = append(v.Actions, dash.Danger{Title: c.T("today_no_show_mark"), Text: text, Action: row.NoShowURL,
			Submit: c.T("today_no_show_mark")})
	}
	if row.Undo == "" {
		return
	}
	v.Actions = append(v.Actions, dash.Danger{Title: c.T("today_undo_" + row.Undo),
		Text: c.T("today_undo_" + row.Undo + "_text"), Action: dash.BookingUndoPath(b.ID.String()),
		Submit: c.T("today_undo_" + row.Undo), Quiet: true})
}
