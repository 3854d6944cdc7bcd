package catalog

import (
	"cmp"
	"slices"
	"strings"

	"daybook/app/fault"
)

// MailKind says what a mail is about and who gets it.
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
	MailReceipt    MailKind = "receipt"    // one of the counter's, which a member sends; to whom they like
	MailInvitation MailKind = "invitation" // to whom an invitation link is for
	MailGuest      MailKind = "guest"      // asks whether to book what the person's assistant asked for
	MailWaits      MailKind = "waits"      // asks somebody to confirm that they wait for a time
	MailOffer      MailKind = "offer"      // offers somebody who waits a time that came free
	MailOfferOver  MailKind = "offer_over" // says that somebody else has what was offered
	MailOpening    MailKind = "opening"    // tells all who wait of a time that came free, which is held for nobody
	MailVoucher    MailKind = "voucher"    // a voucher, to whom it is for
	MailBought     MailKind = "bought"     // to who bought a voucher online: the receipt, and the way to it
	MailOwn        MailKind = "own"        // to a contact: the link to the page of their own, for which somebody asked
)

// To the team: the host whose time it is, and the owners.
const (
	MailTeamNew       MailKind = "team_new"
	MailTeamMoved     MailKind = "team_moved"
	MailTeamCancelled MailKind = "team_cancelled"
	MailTeamDecision  MailKind = "team_decision"   // asks for a yes or a no
	MailTeamNotComing MailKind = "team_not_coming" // the invitee says that they don't come
	MailTeamEndpoint  MailKind = "team_endpoint"   // a webhook endpoint was disabled
	MailTeamCalendar  MailKind = "team_calendar"   // the sign-in to a host's other calendar is refused
	MailTeamServer    MailKind = "team_server"     // something is wrong with the server
	MailTeamTexts     MailKind = "team_texts"      // the month's texts are nearly used up, or are
	MailSecurity      MailKind = "security"        // to a member: what they sign in by has changed; always sent
	MailMember        MailKind = "member"          // to a new member, or one without a password: the link to choose one
)

// InviteeMails lists the kinds that go to invitees.
var InviteeMails = []MailKind{
	MailConfirmed, MailWaiting, MailPaymentDue, MailApproved, MailDeclined, MailMoved, MailCancelled, MailLapsed,
	MailReminder, MailRefunded, MailReceipt,
}

// MailKinds lists all kinds that are sent automatically. A workspace or an event type may switch each of them off.
var MailKinds = []MailKind{
	MailConfirmed, MailWaiting, MailPaymentDue, MailApproved, MailDeclined, MailMoved, MailCancelled, MailLapsed,
	MailReminder, MailRefunded,
	MailTeamNew, MailTeamMoved, MailTeamCancelled, MailTeamDecision, MailTeamNotComing, MailTeamEndpoint,
	MailTeamCalendar, MailTeamServer, MailTeamTexts,
}

// team reports whether the kind is for the team.
func (k MailKind) team() bool { return strings.HasPrefix(string(k), "team_") }

// MailTopic is a group of mails that a recipient can unsubscribe from.
type MailTopic string

const (
	TopicReminders MailTopic = "reminders"
	TopicTeam      MailTopic = "team"
)

// Topic returns the kind's topic, or "" for mails that nobody can unsubscribe from.
func (k MailKind) Topic() MailTopic {
	switch {
	case k == MailReminder:
		return TopicReminders
	case k.team() && k != MailTeamDecision:
		return TopicTeam
	}
	return ""
}

// DefaultReminders lists the reminders of an event type that sets none, in minutes before the start.
var DefaultReminders = []int{24 * 60, 60}

const (
	maxReminders    = 5
	maxReminderLead = 30 * 24 * 60 // minutes
)

// CheckReminders returns the reminders in order, each once; for nil it returns DefaultReminders. Errors: bad_request.
func CheckReminders(field string, minutes []int) ([]int, error) {
	if minutes == nil {
		return slices.Clone(DefaultReminders), nil
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

// CheckMailKinds returns bad_request for a name that is no kind of mail.
func CheckMailKinds(field string, kinds []MailKind) error {
	for _, k := range kinds {
		if !slices.Contains(MailKinds, k) {
			return fault.Invalid(field, "%q is no kind of mail", k)
		}
	}
	return nil
}
