package record

// ActorKind says who made a change, in the history and in webhooks.
type ActorKind string

const (
	ByInvitee ActorKind = "invitee"
	ByOwner   ActorKind = "owner"
	ByAPI     ActorKind = "api"
	ByAgent   ActorKind = "agent"
	BySystem  ActorKind = "system"
)

// ActorKinds are all kinds.
var ActorKinds = []ActorKind{ByInvitee, ByOwner, ByAPI, ByAgent, BySystem}
