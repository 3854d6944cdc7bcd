package calendar

import (
	"strings"

	"daybook/app/booking"
	"daybook/app/slot"
	"daybook/views/dash"
)

// historyWords are the messages of what happened to a booking.
var historyWords = map[booking.Action]string{
	"created":             "dash_history_created",
	"confirmed":           "dash_history_confirmed",
	"rescheduled":         "dash_history_rescheduled",
	"updated":             "edit_history",
	"cancelled":           "dash_history_cancelled",
	"declined":            "dash_history_declined",
	"lapsed":              "dash_history_lapsed",
	"paid":                "dash_history_paid",
	"refunded":            "dash_history_refunded",
	"card_saved":          "dash_history_card_saved",
	"payment_processing":  "dash_history_payment_processing",
	"payment_failed":      "dash_history_payment_failed",
	"paid_late":           "dash_history_paid_late",
	"paid_twice":          "dash_history_paid_twice",
	"refund_asked":        "dash_history_refund_asked",
	"refund_failed":       "dash_history_refund_failed",
	"fee_paid":            "dash_history_fee_paid",
	"fee_failed":          "dash_history_fee_failed",
	"fee_requires_action": "dash_history_fee_requires_action",
	"disputed":            "dash_history_disputed",
}

// lateWords are those of the fee for a late cancellation.
var lateWords = map[booking.Action]string{
	"fee_paid": "deposit_history_fee_paid", "fee_failed": "deposit_history_fee_failed",
	"fee_requires_action": "deposit_history_fee_requires_action"}

func (c call) historyRow(h booking.HistoryEntry) dash.HistoryRow {
	what := string(h.Action)
	switch h.Action {
	case booking.ActArrived, booking.ActArrivalUndone, booking.ActDone, booking.ActDoneUndone, booking.ActNoShow,
		booking.ActNoShowUndone:
		what = c.T("today_history_" + string(h.Action))
	case booking.ActTookCash, booking.ActTookCard, booking.ActTookTransfer, booking.ActTookVoucher, booking.ActTookOther,
		booking.ActGaveBack, booking.ActReceipt:
		what = c.T("counter_history_" + string(h.Action))
	default:
		key, known := historyWords[h.Action]
		if late := lateWords[h.Action]; late != "" && h.To == booking.Cancelled {
			key = late
		}
		if known {
			what = c.T(key, "When", c.Day(c.At(h.Start))+", "+c.Clock(h.Start))
		}
	}
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
		all = append(all, c.T("edit_history"))
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
