package calendar

import (
	"net/url"

	"daybook/app/availability"
	"daybook/app/booking"
	"daybook/app/dashboard/web"
	"daybook/app/fault"
	"daybook/app/slot"
	"daybook/app/when"
	"daybook/views/dash"
)

// wholeVisit returns the visit of a booking, where it can move as one: several of its bookings stand, and the member sees
// all of it; else nil.
func (c call) wholeVisit(b *booking.Booking) (*booking.Visit, error) {
	if b.Visit == nil || b.Visit.Of < 2 || !b.Status.Live() {
		return nil, nil
	}
	v, err := c.Subjects.Visit(c.Context(), c.Actor, b.Visit.ID.String())
	if err != nil {
		return nil, fault.OrMissing(err, nil)
	}
	if len(v.Live()) < 2 || v.ManageURL == "" { // nobody who sees a part has the link to all of it
		return nil, nil
	}
	return &v, nil
}

// moveVisit moves a visit by as much as one of its bookings was dragged, or back.
func (b *board) moveVisit(v *booking.Visit, k *booking.Booking, dropped when.Instant, form url.Values) error {
	undo := form.Get("undo") != ""
	if h := b.hostFor(form.Get("host")); !undo && h != nil && form.Get("host") != "" && !k.With(h.ID) {
		e := fault.New(fault.Conflict, "slot_taken", "%s", b.T("calendar_not_moved", "Why", b.T("calendar_visit_host")))
		return b.refused(e, b.Sentence(e))
	}
	start := v.Live()[0].Start + dropped - k.Start
	in := booking.VisitMoveInput{Start: start.String(), Override: form["override"]}
	if undo {
		in.Override = booking.OverrideNames(undoWaives | slot.ReasonsOf(slot.Buffer)) // they have theirs back
	}
	_, err := b.Subjects.MoveVisit(b.Context(), b.Actor, v.ID.String(), in)
	if e := web.Refused(err); e != nil {
		b.anyway(e, b.T("calendar_not_moved", "Why", b.Sentence(e)), form, start, dash.CalToast{Action: dash.CalendarMove, Label: b.T("waive_move")})
		return b.show(web.RefusedStatus(e))
	}
	if err != nil {
		return err
	}
	if undo {
		return b.Redirect(b.at("undone", k.ID.String()), "")
	}
	return b.Redirect(b.at("moved", k.ID.String()), "")
}

// visitTimes finds where the visit can move.
func (c call) visitTimes(v *booking.Visit) availability.VisitInput {
	return availability.VisitInput{ExcludeVisit: v.ID.String()}
}

// moveTabs leads from moving all of a visit to moving one service of it, and back.
func (c call) moveTabs(path string, keep url.Values, alone bool) []dash.Tab {
	return []dash.Tab{{Label: c.T("move_visit_all"), URL: web.WithQuery(path, keep, "alone", "", "whole", "1", "host", ""), Current: !alone},
		{Label: c.T("move_visit_one"), URL: web.WithQuery(path, keep, "whole", "", "alone", "1"), Current: alone}}
}
