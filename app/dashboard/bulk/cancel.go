package bulk

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"daybook/app/bulk"
	"daybook/app/dashboard/web"
	"daybook/app/record"
	"daybook/views/dash"
)

// cancel cancels the chosen bookings, or shows the mail that they would get.
func (c call) cancel() error {
	a, err := c.asked()
	if err != nil {
		return err
	}
	form, err := c.Posted()
	if err != nil {
		return err
	}
	if a.wrong != nil || a.gone || form.Get("do") == "mail" {
		return a.show(form, nil)
	}
	in := bulk.CancelInput{Scope: a.scope, Message: form.Get("message"), Refund: form.Has("refund")}
	for _, l := range form["listed"] {
		id, version, _ := strings.Cut(l, "~")
		in.Listed = append(in.Listed,
			bulk.Listed{ID: id, Version: version, Chosen: slices.Contains(form["booking"], id)})
	}
	err = in.Check()
	if err == nil && form.Has("block") && a.mayBlock() {
		err = a.block() // first, so that nobody books what has just been cancelled
	}
	if e := web.Refused(err); e != nil {
		return a.show(form, e)
	}
	if err != nil {
		return err
	}
	result, err := c.Rooms.Bulk.CancelListed(c.Context(), c.Actor, in)
	if e := web.Refused(err); e != nil {
		return a.show(form, e)
	}
	if err != nil {
		return err
	}
	return a.showResult(&result, form)
}

// showResult shows what was cancelled, whom to call, and what stays and why.
func (a *asked) showResult(r *bulk.Result, form url.Values) error {
	v := dash.CancelledPage{Frame: a.Frame(a.T("cancel_result"), "bookings"), What: a.what, BackURL: a.back,
		AgainURL: a.url}
	var call, mailed, before []dash.CancelRow
	ended := func(all []record.Booking, declined, now bool) error {
		for i := range all {
			b := &all[i]
			row, err := a.ended(b, declined, now && form.Has("refund") || declined)
			switch {
			case err != nil:
				return err
			case b.Cancellation != nil && b.Cancellation.By == record.ByInvitee:
				before = append(before, row)
			case row.Mailed:
				mailed = append(mailed, row)
			default:
				call = append(call, row)
			}
		}
		return nil
	}
	err := errors.Join(ended(r.Cancelled, false, true), ended(r.Declined, true, true), ended(r.Before, false, false))
	if err != nil {
		return err
	}
	v.Title = a.T("cancel_done", "Count", len(r.Cancelled)+len(r.Declined)+len(r.Before))
	for _, p := range []dash.CancelPart{
		{ID: "call", Title: a.T("cancel_part_call"), Bad: true, Rows: call},
		{ID: "left", Title: a.T("cancel_part_left"), Bad: true, Rows: a.left(r.Left)},
		{ID: "new", Title: a.T("cancel_part_new"), Text: a.T("cancel_new_text"), Bad: true, Rows: a.standing(r.New)},
		{ID: "mailed", Title: a.T("cancel_part_mailed"), Rows: mailed},
		{ID: "before", Title: a.T("cancel_part_before"), Rows: before},
		{ID: "kept", Title: a.T("cancel_part_kept"), Rows: a.standing(r.Kept)},
	} {
		if len(p.Rows) > 0 {
			v.Parts = append(v.Parts, p)
		}
	}
	v.Again = len(r.Left)+len(r.New) > 0
	return a.Show(200, dash.Cancelled(v))
}

// ended is a booking that was cancelled; refunded says that what was paid online goes back.
func (a *asked) ended(b *record.Booking, declined, refunded bool) (row dash.CancelRow, err error) {
	row.BookingRow = a.Row(b)
	if row.Mailed, err = a.Rooms.Mail.TellsOfEnding(a.Context(), b, declined); err != nil {
		return row, err
	}
	a.tell(b, &row)
	if b.Cancellation != nil && b.Cancellation.By == record.ByInvitee {
		row.Told, row.TellURL = "", ""
	}
	if left := online(b); refunded && left.Amount > 0 {
		row.Money = append(row.Money, a.T("cancel_online", "Amount", a.Money(&left)))
	}
	if left := byHand(b); left.Amount > 0 {
		row.Money = append(row.Money, a.T("cancel_hand", "Amount", a.Money(&left)))
	}
	return row, nil
}

// left are the bookings that were chosen and stand, each with the reason.
func (a *asked) left(all []bulk.Left) (rows []dash.CancelRow) {
	for i := range all {
		l := &all[i]
		row := dash.CancelRow{Note: a.T("cancel_changed")}
		if l.Err != nil {
			row.Note = a.Sentence(l.Err)
		}
		if l.Booking.ID == 0 {
			row.Name, row.Note = l.ID, a.T("cancel_not_yours")
		} else {
			row.BookingRow = a.Row(&l.Booking)
		}
		rows = append(rows, row)
	}
	return rows
}

// standing are bookings that were not cancelled.
func (a *asked) standing(all []record.Booking) (rows []dash.CancelRow) {
	for i := range all {
		rows = append(rows, dash.CancelRow{BookingRow: a.Row(&all[i])})
	}
	return rows
}
