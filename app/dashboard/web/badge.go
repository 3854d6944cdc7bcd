package web

import (
	"daybook/app/booking"
	"daybook/views/dash"
)

// StateBadge returns what is known of a booking now, in a word or two: its status, and once its time has come what was
// marked.
func (c *Call) StateBadge(b *booking.Booking) dash.Badge {
	if _, waits := c.waiting[b.ID]; waits {
		return dash.Badge{Text: c.T("cancel_badge"), Tone: "warn"}
	}
	switch {
	case b.Status == booking.Pending && b.PendingReason != nil && *b.PendingReason == booking.ForPayment:
		return dash.Badge{Text: c.T("dash_badge_unpaid_yet"), Tone: "warn"}
	case b.Status == booking.Pending && b.PendingReason != nil:
		return dash.Badge{Text: c.T("dash_badge_approval"), Tone: "warn"}
	}
	named := dash.Badge{Text: c.StatusName(b.Status), Tone: b.Status.Tone()}
	if !b.Status.Stands() {
		return named
	}
	now := c.Subjects.Now()
	switch {
	case b.DoneAt != 0:
		return dash.Badge{Text: c.T("today_state_done"), Tone: "good"}
	case b.ArrivedAt != 0 && b.End.Time().After(now):
		return dash.Badge{Text: c.T("today_state_arrived"), Tone: "info"}
	case b.ArrivedAt != 0:
		return dash.Badge{Text: c.T("today_state_came"), Tone: "good"}
	case !b.End.Time().After(now):
		return dash.Badge{Text: c.T("today_state_over")}
	case !b.Start.Time().After(now):
		return dash.Badge{Text: c.T("today_state_now"), Tone: "info"}
	}
	return named
}

// BeingCancelled reports whether the booking waits to be cancelled with others, see Cancelling.
func (c *Call) BeingCancelled(b *booking.Booking) bool {
	_, waits := c.waiting[b.ID]
	return waits
}
