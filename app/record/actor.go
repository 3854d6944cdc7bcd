package record

// ActorKind says through which hands a change came, as the history and the webhooks tell.
type ActorKind string

const (
	ByInvitee ActorKind = "invitee"
	ByOwner   ActorKind = "owner"
	ByAPI     ActorKind = "api"
	ByAgent   ActorKind = "agent"
	BySystem  ActorKind = "system"
)
