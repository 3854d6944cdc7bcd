package audit

import (
	"slices"
	"strings"
)

// Action says what was done: a topic, a dot, and a verb in the past tense.
type Action string

// The actions. texts.go says what their subject is and what their other fields hold.
const (
	WorkspaceCreated Action = "workspace.created"
	WorkspaceDeleted Action = "workspace.deleted"

	SettingsChanged Action = "settings.changed"
	SetupApplied    Action = "settings.applied"

	KeyCreated Action = "key.created"
	KeyRotated Action = "key.rotated"
	KeyRevoked Action = "key.revoked"

	AgentAllowed  Action = "agent.allowed"
	AgentEnded    Action = "agent.ended"
	AgentReplayed Action = "agent.replayed"

	MemberCreated      Action = "member.created"
	MemberInvited      Action = "member.invited"
	MemberInvitedAgain Action = "member.invited_again"
	MemberChanged      Action = "member.changed"
	MemberRemoved      Action = "member.removed"

	SignedIn        Action = "sign_in.done"
	SignInFailed    Action = "sign_in.failed"
	SessionsEnded   Action = "sign_in.ended_everywhere"
	PasswordChanged Action = "sign_in.password_changed"
	PasswordRefused Action = "sign_in.password_refused"
	FactorShown     Action = "sign_in.factor_shown"
	FactorRefused   Action = "sign_in.factor_refused"
	FactorAdded     Action = "sign_in.factor_added"
	FactorRemoved   Action = "sign_in.factor_removed"
	FactorsReset    Action = "sign_in.factors_reset"
	FactorRequired  Action = "sign_in.factor_required"

	EverythingExported Action = "export.everything"
	ContactsExported   Action = "export.contacts"
	PersonExported     Action = "export.person"
	SetupExported      Action = "export.setup"
	LogExported        Action = "export.log"

	ContactsImported Action = "contact.imported"
	ContactsMerged   Action = "contact.merged"
	ContactDeleted   Action = "contact.deleted"
	ContactsForgot   Action = "contact.forgotten"

	CancellationOrdered Action = "booking.cancellation_ordered"
	CancellationUndone  Action = "booking.cancellation_undone"

	PaymentsConnected    Action = "payment.connected"
	PaymentsDisconnected Action = "payment.disconnected"

	EndpointCreated  Action = "endpoint.created"
	SecretRotated    Action = "endpoint.secret_rotated"
	EndpointChanged  Action = "endpoint.changed"
	EndpointEnabled  Action = "endpoint.enabled"
	EndpointDisabled Action = "endpoint.disabled"
	EndpointDeleted  Action = "endpoint.deleted"

	MailServerSet     Action = "mail.server_set"
	MailServerRemoved Action = "mail.server_removed"

	CalendarConnected     Action = "calendar.connected"
	CalendarRenewed       Action = "calendar.renewed"
	CalendarsChosen       Action = "calendar.chosen"
	CalendarDisconnected  Action = "calendar.disconnected"
	CalendarClientSet     Action = "calendar.client_set"
	CalendarClientRemoved Action = "calendar.client_removed"
	FeedCreated           Action = "calendar.address_created"
	FeedRevoked           Action = "calendar.address_revoked"
)

// Actions lists all actions.
var Actions = []Action{
	WorkspaceCreated, WorkspaceDeleted, SettingsChanged, SetupApplied, KeyCreated, KeyRotated, KeyRevoked,
	AgentAllowed, AgentEnded, AgentReplayed,
	MemberCreated, MemberInvited, MemberInvitedAgain, MemberChanged, MemberRemoved,
	SignedIn, SignInFailed, SessionsEnded, PasswordChanged, PasswordRefused,
	FactorShown, FactorRefused, FactorAdded, FactorRemoved, FactorsReset, FactorRequired,
	EverythingExported, ContactsExported, PersonExported, SetupExported, LogExported,
	ContactsImported, ContactsMerged, ContactDeleted, ContactsForgot,
	CancellationOrdered, CancellationUndone,
	PaymentsConnected, PaymentsDisconnected,
	EndpointCreated, SecretRotated, EndpointChanged, EndpointEnabled, EndpointDisabled, EndpointDeleted,
	MailServerSet, MailServerRemoved, CalendarConnected, CalendarRenewed, CalendarsChosen, CalendarDisconnected,
	CalendarClientSet, CalendarClientRemoved, FeedCreated, FeedRevoked,
}

// Topic is the part of an action before its dot, by which the log can be filtered.
type Topic string

// Topic returns what the action is about.
func (a Action) Topic() Topic {
	topic, _, _ := strings.Cut(string(a), ".")
	return Topic(topic)
}

// Topics returns the topics of all actions, in the order of Actions.
func Topics() (all []Topic) {
	for _, a := range Actions {
		if t := a.Topic(); len(all) == 0 || all[len(all)-1] != t {
			all = append(all, t)
		}
	}
	return all
}

func known(t Topic) bool { return slices.Contains(Topics(), t) }
