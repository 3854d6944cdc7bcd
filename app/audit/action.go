package audit

import (
	"slices"
	"strings"
)

// Action says what was done: a topic, a dot, and a verb in the past tense.
type Action string

// The actions. Described says what their subject is and what their other fields hold.
const (
	WorkspaceCreated   Action = "workspace.created"
	WorkspaceDeleted   Action = "workspace.deleted"
	WorkspaceSuspended Action = "workspace.suspended"
	WorkspaceResumed   Action = "workspace.resumed"

	SettingsChanged Action = "settings.changed"
	SetupApplied    Action = "settings.applied"

	ResourceCreated Action = "resource.created"
	ResourceChanged Action = "resource.changed"
	ResourceRetired Action = "resource.retired"

	ProductCreated  Action = "product.created"
	ProductChanged  Action = "product.changed"
	ProductArchived Action = "product.archived"
	PassCodeShown   Action = "pass.code_shown"
	ProductDeleted  Action = "product.deleted"

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
	HealthExported     Action = "export.with_health"
	ContactsExported   Action = "export.contacts"
	PersonExported     Action = "export.person"
	SetupExported      Action = "export.setup"
	LogExported        Action = "export.log"

	ContactsImported Action = "contact.imported"
	BookingsImported Action = "booking.imported"
	ImportUndone     Action = "contact.import_undone"
	ContactsMerged   Action = "contact.merged"
	ContactDeleted   Action = "contact.deleted"
	ContactsForgot   Action = "contact.forgotten"
	EntryDeleted     Action = "contact.entry_deleted"
	FileDeleted      Action = "contact.file_deleted"
	ConsentWithdrawn Action = "contact.consent_withdrawn"
	HealthDeleted    Action = "contact.health_deleted"
	ContactTextsSet  Action = "contact.texts_set"

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

	TextSenderSet     Action = "text.sender_set"
	TextSenderRemoved Action = "text.sender_removed"
	TextRouteMade     Action = "text.address_made"

	CalendarConnected     Action = "calendar.connected"
	CalendarRenewed       Action = "calendar.renewed"
	CalendarsChosen       Action = "calendar.chosen"
	CalendarDisconnected  Action = "calendar.disconnected"
	CalendarClientSet     Action = "calendar.client_set"
	CalendarClientRemoved Action = "calendar.client_removed"
	FeedCreated           Action = "calendar.address_created"
	FeedRevoked           Action = "calendar.address_revoked"
)

// Description says what an entry of an action holds besides who, when and where, for the documents.
type Description struct {
	Action  Action
	Subject string // whose id; "" is none
	Fields  string // the other fields, in Markdown
}

// Described are the descriptions of all actions.
var Described = []Description{
	{WorkspaceCreated, "", ""},
	{WorkspaceDeleted, "", ""},
	{WorkspaceSuspended, "", "by the operator"},
	{WorkspaceResumed, "", "by the operator"},
	{SettingsChanged, "", "`fields`"},
	{SetupApplied, "", "by a set-up file; `fields`: its parts that changed something; `count`: how many things"},
	{ResourceCreated, "resource", ""},
	{ResourceChanged, "resource", "`fields`"},
	{ResourceRetired, "resource", "switched off; `fields`"},
	{ProductCreated, "product", ""},
	{ProductChanged, "product", "`fields`"},
	{ProductArchived, "product", "no longer on sale; `fields`"},
	{PassCodeShown, "pass", "its code was printed; one that was printed before ended"},
	{ProductDeleted, "product", "it was never sold"},
	{KeyCreated, "key", "`to`: its scope; `fields`: its areas, and `limited` for a restricted one"},
	{KeyRotated, "key", ""},
	{KeyRevoked, "key", ""},
	{AgentAllowed, "what a member allowed an agent's program", "`to`: the scope"},
	{AgentEnded, "what a member allowed an agent's program", ""},
	{AgentReplayed, "what a member allowed an agent's program", "ended since a code or token of it came back that was used before"},
	{MemberCreated, "member", "`to`: the role"},
	{MemberInvited, "member", "`to`: the role"},
	{MemberInvitedAgain, "member", ""},
	{MemberChanged, "member", "`from`, `to`: the role; `fields`: `role`, `host`"},
	{MemberRemoved, "member", "`from`: the role"},
	{SignedIn, "member", "`to`: `password`, `passkey`, `invitation` or `setup_link`; `device`"},
	{SignInFailed, "member", "`device`"},
	{SessionsEnded, "member", ""},
	{PasswordChanged, "member", "`to`: `own`, `operator`, `invitation`"},
	{PasswordRefused, "member", "the present one was wrong; logged once an hour"},
	{FactorShown, "member", "`to`: `app`, `passkey` or `recovery_code`"},
	{FactorRefused, "member", "a code or passkey was wrong; logged once an hour"},
	{FactorAdded, "member", "`to`: `app_added`, `passkey_added` or `codes_made`"},
	{FactorRemoved, "member", "`to`: `app_removed` or `passkey_removed`"},
	{FactorsReset, "member", "by the operator"},
	{FactorRequired, "", "`fields`: the roles that need one now"},
	{EverythingExported, "", ""},
	{HealthExported, "", "everything, with health entries, signatures and files of customers"},
	{ContactsExported, "", ""},
	{PersonExported, "contact", ""},
	{SetupExported, "", ""},
	{LogExported, "", ""},
	{ContactsImported, "import", "`count`: of lines; written with the first that changes something"},
	{BookingsImported, "import", "`count`: of lines; written with the first that changes something"},
	{ImportUndone, "import", "`count`: of contacts that the import made or changed, with its bookings, services and people"},
	{ContactsMerged, "contact that stays", ""},
	{ContactDeleted, "contact", ""},
	{ContactsForgot, "", "`count`: contacts and old bookings of others, of a night"},
	{EntryDeleted, "entry on the card of a customer", "with those that it corrects"},
	{FileDeleted, "photograph or file of a customer", ""},
	{ConsentWithdrawn, "consent of a customer", "and what hung on it was deleted"},
	{HealthDeleted, "health entry of a customer", ""},
	{ContactTextsSet, "contact", "what they said about texts to the business; `to`: `yes` or `no`"},
	{CancellationOrdered, "cancellation of several bookings", "`count`: of bookings"},
	{CancellationUndone, "cancellation of several bookings", "`count`: of bookings"},
	{PaymentsConnected, "", "`to`: `test` or `live`"},
	{PaymentsDisconnected, "", ""},
	{EndpointCreated, "webhook endpoint", ""},
	{SecretRotated, "webhook endpoint", ""},
	{EndpointChanged, "webhook endpoint", "`fields`: `url`, `events`"},
	{EndpointEnabled, "webhook endpoint", ""},
	{EndpointDisabled, "webhook endpoint", ""},
	{EndpointDeleted, "webhook endpoint", ""},
	{MailServerSet, "", ""},
	{MailServerRemoved, "", ""},
	{TextSenderSet, "", ""},
	{TextSenderRemoved, "", ""},
	{TextRouteMade, "", "the secret address to which a sender of texts posts; the one before ended"},
	{CalendarConnected, "connection", "`to`: its kind"},
	{CalendarRenewed, "connection", "signed in again; `to`: its kind"},
	{CalendarsChosen, "connection", "which calendars block and are written"},
	{CalendarDisconnected, "connection", "`from`: its kind"},
	{CalendarClientSet, "", "`to`: its kind"},
	{CalendarClientRemoved, "", "`from`: its kind"},
	{FeedCreated, "host, if it is of one", ""},
	{FeedRevoked, "host, if it is of one", ""},
}

// Actions lists all actions, in the order in which they are described.
var Actions = actions()

func actions() (all []Action) {
	for _, d := range Described {
		all = append(all, d.Action)
	}
	return all
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
