package web

import (
	"daybook/app/booking"
	"daybook/app/when"
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
	if says, known := c.ComingBadge(b); known {
		return says
	}
	return named
}

// answerShown is how long before the start it is said that an invitee who was asked has not answered.
const answerShown = 3 * when.Day

// ComingBadge returns what the invitee of a booking that is still to come said of whether they come, and that they have said
// nothing where they were asked and it begins soon. It reports false where there is nothing to say.
func (c *Call) ComingBadge(b *booking.Booking) (dash.Badge, bool) {
	now := when.At(c.Subjects.Now())
	if b.Coming == nil || !b.Status.Stands() || b.Start <= now || b.ArrivedAt != 0 || b.DoneAt != 0 {
		return dash.Badge{}, false
	}
	switch b.SaysComing() {
	case booking.ComingYes:
		return dash.Badge{Text: c.T("coming_badge_yes"), Tone: "good"}, true
	case booking.ComingNo:
		return dash.Badge{Text: c.T("coming_badge_no"), Tone: "warn"}, true
	}
	return dash.Badge{Text: c.T("coming_badge_none")}, b.Start < now.Add(answerShown)
}

// BeingCancelled reports whether the booking waits to be cancelled with others, see Cancelling.
func (c *Call) BeingCancelled(b *booking.Booking) bool {
	_, waits := c.waiting[b.ID]
	return waits
}
