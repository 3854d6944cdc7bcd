package calendar

import (
	"net/url"
	"time"

	"daybook/app/booking"
	"daybook/app/bulk"
	"daybook/app/catalog"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/shop"
	"daybook/views/dash"
)

// cancellation shows one: while it waits with how to undo it, then with what became of each booking.
func (c call) cancellation() error {
	k, err := c.Subjects.Bulk.Cancellation(c.Context(), c.Actor, c.PathValue("id"))
	if err != nil {
		return err
	}
	return c.showCancellation(&k, nil)
}

// undoCancellation drops a cancellation that still waits.
func (c call) undoCancellation() error {
	k, err := c.Subjects.Bulk.UndoCancellation(c.Context(), c.Actor, c.PathValue("id"))
	if e := web.Refused(err); e != nil && e.Code == fault.Conflict {
		return c.showCancellation(&k, e)
	}
	if err != nil {
		return err
	}
	return c.Redirect(dash.CancellationPath(k.ID.String()), "")
}

// seen takes the result of a cancellation from Today.
func (c call) seen() error {
	if err := c.Subjects.Bulk.SeeCancellation(c.Context(), c.Actor, c.PathValue("id")); err != nil {
		return err
	}
	return c.Redirect(dash.TodayPath, "")
}

func (c call) showCancellation(k *bulk.Cancellation, e *fault.Error) error {
	a, err := c.about(&k.Scope)
	if err != nil {
		return err
	}
	id := k.ID.String()
	v := dash.CancelledPage{Frame: a.Frame("", "bookings"), What: a.what, BackURL: a.back, AgainURL: a.url}
	v.Live = true
	if e != nil {
		v.Said, v.SaidBad = c.Sentence(e), true
	}
	switch k.State {
	case bulk.Waits, bulk.Runs:
		note := c.CancelNote(k)
		v.Note, v.Title = &note, note.Text
		v.Text = c.T("cancel_ask_text")
		if k.State == bulk.Runs {
			v.Text = c.T("cancel_running_text")
		}
	case bulk.Undone:
		v.Title, v.Text = c.T("cancel_undone", "Count", k.Count(bulk.Dropped)), c.T("cancel_undone_text")
	case bulk.Done:
		v.Title = c.T("cancel_done", "Count", k.Count(bulk.Cancelled, bulk.Declined, bulk.Before))
		if !k.Seen {
			v.SeenURL = dash.CancellationSeenPath(id)
		}
	}
	if v.Parts, err = a.parts(k); err != nil {
		return err
	}
	v.Again = k.State == bulk.Done && k.Count(bulk.Changed, bulk.Refused) > 0
	for _, p := range v.Parts {
		v.Again = v.Again || p.ID == "new"
	}
	return a.Show(web.RefusedStatus(e), dash.Cancelled(v))
}

// parts returns the bookings of a cancellation by what became of them.
func (a *asked) parts(k *bulk.Cancellation) (parts []dash.CancelPart, err error) {
	by := map[string][]dash.CancelRow{}
	known := map[booking.BookingID]bool{}
	for _, i := range k.Items {
		known[i.Booking] = true
		part, row, err := a.item(k, &i)
		if err != nil {
			return nil, err
		}
		by[part] = append(by[part], row)
	}
	if k.State == bulk.Done {
		now, err := a.Subjects.Bulk.Within(a.Context(), a.Actor, k.Scope, bulk.Most)
		if err != nil && !fault.Is(err, fault.NotFound) { // the host was deleted
			return nil, err
		}
		for i := range now {
			if !known[now[i].ID] {
				by["new"] = append(by["new"], dash.CancelRow{BookingRow: a.Row(&now[i])})
			}
		}
	}
	for _, p := range []dash.CancelPart{
		{ID: "open", Title: a.T("cancel_badge")},
		{ID: "call", Title: a.T("cancel_part_call"), Bad: true},
		{ID: "left", Title: a.T("cancel_part_left"), Bad: true},
		{ID: "new", Title: a.T("cancel_part_new"), Text: a.T("cancel_new_text"), Bad: true},
		{ID: "mailed", Title: a.T("cancel_part_mailed")},
		{ID: "texted", Title: a.T("cancel_part_texted")},
		{ID: "before", Title: a.T("cancel_part_before")},
		{ID: "dropped", Title: a.T("cancel_part_dropped")},
		{ID: "kept", Title: a.T("cancel_part_kept")},
	} {
		if p.Rows = by[p.ID]; len(p.Rows) > 0 {
			parts = append(parts, p)
		}
	}
	return parts, nil
}

// item returns a booking of a cancellation, and the part that it is in.
func (a *asked) item(k *bulk.Cancellation, i *bulk.Item) (part string, row dash.CancelRow, err error) {
	b, err := a.Subjects.Booking(a.Context(), a.Actor, i.Booking.String())
	if web.Refused(err) != nil {
		row.Name, row.Note = i.Booking.String(), a.T("cancel_not_yours")
		return "left", row, nil
	}
	if err != nil {
		return "", row, err
	}
	row.BookingRow = a.Row(&b)
	switch i.Outcome {
	case bulk.Open:
		row, err = a.row(&b)
		return "open", row, err
	case bulk.Kept:
		return "kept", row, nil
	case bulk.Dropped:
		return "dropped", row, nil
	case bulk.Cancelled, bulk.Declined, bulk.Before:
		declined := i.Outcome == bulk.Declined
		row, err = a.ended(&b, declined, i.Outcome != bulk.Before && (k.Refund || declined))
		switch {
		case i.Outcome == bulk.Before:
			part = "before"
		case row.Texted:
			part = "texted"
		case row.Mailed:
			part = "mailed"
		default:
			part = "call"
		}
		return part, row, err
	case bulk.InChair:
		row.Note = a.T("cancel_in_chair")
	case bulk.Gone:
		row.Note = a.T("cancel_not_yours")
	case bulk.NoRight:
		row.Note = a.T("cancel_no_right")
	case bulk.Refused:
		row.Note = a.Words(i.Why)
	default:
		row.Note = a.T("cancel_changed")
	}
	return "left", row, nil
}

// ended returns a booking that was cancelled; refunded says that what was paid online goes back.
func (a *asked) ended(b *booking.Booking, declined, refunded bool) (row dash.CancelRow, err error) {
	row.BookingRow = a.Row(b)
	if row.Mailed, err = a.Subjects.Mail.TellsOfEnding(a.Context(), b, declined); err != nil {
		return row, err
	}
	if row.Texted, err = a.Subjects.Text.Tells(a.Context(), b, catalog.TextCancelled); err != nil {
		return row, err
	}
	a.tell(b, &row)
	if b.Cancellation != nil && b.Cancellation.By == booking.ByInvitee {
		row.Told, row.TellURL = "", ""
	}
	if left := onlineOf(b); refunded && left.Amount > 0 {
		row.Money = append(row.Money, a.T("cancel_online", "Amount", a.Money(&left)))
	}
	if left := byHand(b); left.Amount > 0 {
		row.Money = append(row.Money, a.T("cancel_hand", "Amount", a.Money(&left)))
	}
	return row, nil
}

// about returns the scope of a cancellation, as the address of its list would have it.
func (c call) about(s *bulk.Scope) (*asked, error) {
	a := &asked{call: c, zone: c.Zone(), scope: *s, day: s.Off == nil && !s.Holidays}
	ref := shop.Everybody
	if s.Host != 0 {
		ref = s.Host.String()
		if a.host = c.Setup.Host(s.Host); a.host != nil {
			a.zone = a.host.Location()
		}
	}
	switch {
	case a.day:
		from, to := s.From.Time().In(a.zone), s.To.Time().In(a.zone)
		q := url.Values{"date": {from.Format(time.DateOnly)}, "from": {from.Format("15:04")}, "to": {to.Format("15:04")}}
		if s.Host != 0 {
			q.Set("host", ref)
		}
		a.readDay(q)
	case s.Holidays:
		a.what, a.back, a.url = a.T("off_holidays"), dash.HostAwayPath(ref), dash.HostAwayBookingsPath(ref)
	default:
		a.what, a.back = a.AwaySpan(a.zone, *s.Off), dash.HostAwayPath(ref)
		a.url = web.WithQuery(dash.HostAwayBookingsPath(ref),
			url.Values{"start": {s.Off.Start.String()}, "end": {s.Off.End.String()}, "tag": {s.Off.Tag()}})
	}
	return a, nil
}
