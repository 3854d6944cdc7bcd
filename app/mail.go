package app

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

// MailKind says what a mail tells, and whom.
type MailKind string

// To the invitee.
const (
	MailConfirmed  MailKind = "confirmed"   // booked
	MailWaiting    MailKind = "waiting"     // requested: waits for approval
	MailPaymentDue MailKind = "payment_due" // held: waits for payment
	MailApproved   MailKind = "approved"
	MailDeclined   MailKind = "declined"
	MailMoved      MailKind = "moved"
	MailCancelled  MailKind = "cancelled"
	MailLapsed     MailKind = "lapsed"
	MailReminder   MailKind = "reminder"
	MailRefunded   MailKind = "refunded"
)

// To the team: the host whose time it is, and the owners.
const (
	MailTeamNew       MailKind = "team_new"
	MailTeamMoved     MailKind = "team_moved"
	MailTeamCancelled MailKind = "team_cancelled"
	MailTeamDecision  MailKind = "team_decision" // wants a yes or a no
	MailTeamEndpoint  MailKind = "team_endpoint" // a webhook endpoint was disabled
)

// MailKinds are all kinds, each of which a workspace or an event type may switch off.
var MailKinds = []MailKind{
	MailConfirmed, MailWaiting, MailPaymentDue, MailApproved, MailDeclined, MailMoved, MailCancelled, MailLapsed, MailReminder, MailRefunded,
	MailTeamNew, MailTeamMoved, MailTeamCancelled, MailTeamDecision, MailTeamEndpoint,
}

// team reports whether the kind is for the team.
func (k MailKind) team() bool { return strings.HasPrefix(string(k), "team_") }

// MailTopic is what a recipient may ask to be spared.
type MailTopic string

const (
	TopicReminders MailTopic = "reminders"
	TopicTeam      MailTopic = "team"
)

// Topic is the topic of the kind, or "" for what nobody can ask to be spared.
func (k MailKind) Topic() MailTopic {
	switch {
	case k == MailReminder:
		return TopicReminders
	case k.team() && k != MailTeamDecision:
		return TopicTeam
	}
	return ""
}

// MailRole is what the recipient is to the booking.
type MailRole string

const (
	ToInvitee MailRole = "invitee"
	ToHost    MailRole = "host"
	ToOwner   MailRole = "owner"
)

// MailState is what became of a mail.
type MailState string

const (
	MailIsWaiting MailState = "waiting" // to be sent, or sent again, when it is due
	MailSent      MailState = "sent"
	MailFailed    MailState = "failed"  // given up
	MailDropped   MailState = "dropped" // overtaken: the booking had changed, or its time had passed
)

// MailStates are all states, by their stored code.
var MailStates = []MailState{MailIsWaiting, MailSent, MailFailed, MailDropped}

// Mail is one message to one recipient, as it stands in the log. What it says is made of its facts when it is sent.
type Mail struct {
	ID          MailID       `json:"id"`
	WorkspaceID WorkspaceID  `json:"-"`
	BookingID   BookingID    `json:"bookingId,omitzero"`
	Kind        MailKind     `json:"kind"`
	To          string       `json:"to"`
	State       MailState    `json:"state"`
	Attempts    int          `json:"attempts"`
	Answer      string       `json:"answer"`    // what became of the last attempt
	DueAt       when.Instant `json:"dueAt"`     // while it waits
	SettledAt   when.Instant `json:"settledAt"` // when it was sent, given up or dropped
	CreatedAt   when.Instant `json:"createdAt"`

	Facts   MailFacts    `json:"-"`
	Until   when.Instant `json:"-"` // when it is given up
	Tries   int          `json:"-"` // since it was last asked for
	Resends int          `json:"-"`
	Lease   when.Instant `json:"-"` // of a claim
}

// MailFacts are what was true when the mail was written.
type MailFacts struct {
	For      MailRole     `json:"for,omitempty"`
	Start    when.Instant `json:"start,omitzero"`
	End      when.Instant `json:"end,omitzero"`
	Previous when.Instant `json:"previous,omitzero"` // a move: the start before it
	Host     HostID       `json:"host,omitzero"`
	Status   Status       `json:"status,omitempty"`
	By       ActorKind    `json:"by,omitempty"`
	Reason   string       `json:"reason,omitempty"`
	Amount   *Money       `json:"amount,omitempty"`   // of a refund
	Sequence int          `json:"sequence,omitempty"` // of the booking's changes, from 0
	Gone     bool         `json:"gone,omitempty"`     // a move: the recipient is not its host any more
	Lead     int          `json:"lead,omitempty"`     // a reminder: minutes before the start
	URL      string       `json:"url,omitempty"`      // of a webhook endpoint
}

// Untold is a change of a booking whose mails are still to be written.
type Untold struct {
	HistoryEntry
	Booking       BookingID
	Seq           int // of the booking's changes, from 1
	PreviousStart when.Instant
	PreviousHost  HostID
}

// defaultReminders are when an invitee is reminded unless the event type says otherwise, in minutes before the start.
var defaultReminders = []int{24 * 60, 60}

const (
	maxReminders    = 5
	maxReminderLead = 30 * 24 * 60 // minutes
)

func checkReminders(field string, minutes []int) ([]int, error) {
	if minutes == nil {
		return slices.Clone(defaultReminders), nil
	}
	if len(minutes) > maxReminders {
		return nil, fault.Invalid(field, "at most %d", maxReminders)
	}
	for _, m := range minutes {
		if m < 5 || m > maxReminderLead {
			return nil, fault.Invalid(field, "each must lie between 5 and %d minutes before the start", maxReminderLead)
		}
	}
	minutes = slices.Clone(minutes)
	slices.SortFunc(minutes, func(a, b int) int { return cmp.Compare(b, a) })
	return slices.Compact(minutes), nil
}

func checkMailKinds(field string, kinds []MailKind) error {
	for _, k := range kinds {
		if !slices.Contains(MailKinds, k) {
			return fault.Invalid(field, "%q is no kind of mail", k)
		}
	}
	return nil
}

// wants reports whether a workspace, and an event type of it or nil, want mails of the kind.
func (s *Setup) wants(k MailKind, e *EventType) bool {
	return !slices.Contains(s.Workspace.Settings.MailsOff, k) && (e == nil || !slices.Contains(e.MailsOff, k))
}

// reminderUntil is when a reminder is too late to be of use: half-way from its due time to the start, so that two
// reminders of a booking never go out together.
func reminderUntil(start when.Instant, lead int) when.Instant {
	return start.Add(-time.Duration(lead) * time.Minute / 2)
}
