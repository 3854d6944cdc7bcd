package booking

import (
	"daybook/app/catalog"
	"daybook/app/money"
	"daybook/app/when"
)

// Step is one entry of a booking's history, with its events.
type Step struct {
	History HistoryEntry
	Events  []Event // for the subscribed webhook endpoints
}

// Saved is a booking as a change saved it, with the number of its Steps, for Tx.Watch.
type Saved struct {
	Booking Booking
	Steps   int
}

// Action says, in the history, what was done to a booking. The words are stored, so none may be renamed.
type Action string

const (
	ActCreated           Action = "created"
	ActImported          Action = "imported"
	ActConfirmed         Action = "confirmed"
	ActRescheduled       Action = "rescheduled"
	ActUpdated           Action = "updated"
	ActCancelled         Action = "cancelled"
	ActDeclined          Action = "declined"
	ActLapsed            Action = "lapsed"
	ActNoShow            Action = "no_show"
	ActNoShowUndone      Action = "no_show_undone"
	ActArrived           Action = "arrived"
	ActArrivalUndone     Action = "arrived_undone"
	ActDone              Action = "done"
	ActDoneUndone        Action = "done_undone"
	ActCardSaved         Action = "card_saved"
	ActPaid              Action = "paid"
	ActWaitOver          Action = "wait_over" // the others of its visit are to be paid no more, and it costs nothing online
	ActPaidLate          Action = "paid_late"
	ActPaidTwice         Action = "paid_twice"
	ActPaymentProcessing Action = "payment_processing"
	ActPaymentFailed     Action = "payment_failed"
	ActRefundAsked       Action = "refund_asked"
	ActRefunded          Action = "refunded"
	ActRefundFailed      Action = "refund_failed"
	ActDisputed          Action = "disputed"
	ActFeePaid           Action = "fee_paid"
	ActFeeFailed         Action = "fee_failed"
	ActFeeNeedsYou       Action = "fee_requires_action"
	ActTookCash          Action = "took_cash"
	ActTookCard          Action = "took_card"
	ActTookTransfer      Action = "took_transfer"
	ActTookVoucher       Action = "took_voucher"
	ActTookOther         Action = "took_other"
	ActGaveBack          Action = "gave_back"
	ActReceipt           Action = "receipt_issued"
	ActDiscounted        Action = "discounted" // what is taken off the price now; 0 is nothing any more
	ActAskedComing       Action = "asked_coming"
	ActComing            Action = "coming" // the invitee says that they come, or the business that they said so
	ActNotComing         Action = "not_coming"
)

// HistoryEntry is one recorded change of a booking.
type HistoryEntry struct {
	At     when.Instant   `json:"at"`
	Actor  ActorKind      `json:"actor"`
	By     string         `json:"by,omitempty"` // id of the key or user
	Action Action         `json:"action"`
	From   Status         `json:"from,omitempty"`
	To     Status         `json:"to"`
	Start  when.Instant   `json:"start"`
	Reason string         `json:"reason,omitempty"`
	Amount *money.Money   `json:"amount,omitempty"` // of money that was taken, requested back or given back
	Waived []string       `json:"waived,omitempty"` // the rules that a booking or move was made against
	Host   catalog.HostID `json:"-"`                // after it; 0 in old entries

	Others []catalog.HostID `json:"-"` // who did it beside Host after it

	WithVisit  bool `json:"-"` // the change was of the whole visit that the booking is a part of
	WithSeries bool `json:"-"` // the change was of several dates of the series that the booking is of

	PreviousEnd       when.Instant        `json:"-"` // the end before it, where the change gave another length
	PreviousEventType catalog.EventTypeID `json:"-"` // the event type before it, where the change gave another one
}

// Waived returns the rules that were waived for the booking's present time, by its history, oldest first.
func Waived(history []HistoryEntry) (rules []string) {
	for i := range history {
		if a := history[i].Action; a == ActCreated || a == ActRescheduled || a == ActImported {
			rules = history[i].Waived
		}
	}
	return rules
}
