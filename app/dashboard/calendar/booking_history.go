package calendar

import (
	"strings"

	"daybook/app/booking"
	"daybook/app/slot"
	"daybook/views/dash"
)

// historyRow says what happened: the message history_ and the action, or history_late_ for the fee of a late
// cancellation.
func (c call) historyRow(h booking.HistoryEntry) dash.HistoryRow {
	key := "history_"
	if h.To == booking.Cancelled && strings.HasPrefix(string(h.Action), "fee_") {
		key = "history_late_"
	}
	what := c.T(key+string(h.Action), "When", c.Day(c.At(h.Start))+", "+c.Clock(h.Start))
	if h.Amount != nil {
		what = c.Locale.Labelled(what, c.Money(h.Amount))
	}
	return dash.HistoryRow{What: what + c.waivedText(h), Who: c.actor(h), When: c.Day(c.At(h.At)) + ", " + c.Clock(h.At),
		Reason: h.Reason}
}

// changedAt says what a change gave the booking that left its start as it was.
func (c call) changedAt(h, before booking.HistoryEntry) string {
	var all []string
	if h.PreviousEventType != 0 {
		all = append(all, c.T("calendar_history_service"))
	} else if h.PreviousEnd != 0 {
		all = append(all, c.T("calendar_history_length"))
	}
	if host := c.Setup.Host(h.Host); host != nil && h.Host != before.Host {
		all = append(all, c.T("calendar_history_host", "Host", host.Name))
	}
	if len(all) == 0 {
		all = append(all, c.T("history_updated"))
	}
	return strings.Join(all, ", ") + c.waivedText(h)
}

// waivedText returns a sentence that names the rules that a change was made against, "" for none.
func (c call) waivedText(h booking.HistoryEntry) string {
	if len(h.Waived) == 0 {
		return ""
	}
	return ". " + c.Rules(slot.ReasonsOf(reasons(h.Waived)...), true)
}

// systemActors name who did what nobody did in Daybook. Actions that are not listed are automatic.
var systemActors = map[booking.Action]string{
	"paid": "dash_by_invitee", "card_saved": "dash_by_invitee", "payment_processing": "dash_by_invitee",
	"paid_late": "dash_by_invitee", "paid_twice": "dash_by_invitee",
	"payment_failed": "dash_reported_stripe", "refunded": "dash_by_stripe", "refund_failed": "dash_reported_stripe",
	"fee_paid":   "dash_by_stripe",
	"fee_failed": "dash_reported_stripe", "fee_requires_action": "dash_reported_stripe", "disputed": "dash_at_bank",
}

// actor names the person or system that did it, as far as the history knows.
func (c call) actor(h booking.HistoryEntry) string {
	switch h.Actor {
	case booking.ByInvitee:
		return c.T("dash_by_invitee")
	case booking.ByOwner:
		if h.By == c.Actor.User.String() && h.By != "" {
			return c.T("dash_by_you")
		}
		return c.T("dash_by_business")
	case booking.ByAPI:
		return c.T("dash_by_api")
	case booking.ByAgent:
		return c.T("dash_by_agent")
	}
	if who, known := systemActors[h.Action]; known {
		return c.T(who)
	}
	return c.T("dash_by_itself")
}

// reasons returns the rules that a history names.
func reasons(names []string) (all []slot.Reason) {
	for _, name := range names {
		all = append(all, slot.Reason(name))
	}
	return all
}
