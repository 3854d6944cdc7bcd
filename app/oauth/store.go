package oauth

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Reads finds clients and grants.
type Reads interface {
	OAuthClient(id ClientID) (Client, error)
	// Grants lists the grants whose code was redeemed and that are not over: of a workspace, 0 for all, and of a
	// member, 0 for all. The newest comes first.
	Grants(ws catalog.WorkspaceID, u app.UserID, now when.Instant, limit int) ([]Grant, error)
	Grant(id GrantID) (Grant, error)
	// Access returns the grant of an access token, the present or the previous one, as long as its member has the role
	// and the host of when they allowed it, with the workspace's revision. Else it is ErrNotFound.
	Access(hash []byte) (Access, error)
}

// Writes saves clients and grants. What is locked stays so until the transaction ends: others who ask for it wait.
type Writes interface {
	InsertOAuthClient(c *Client, forget when.Instant) error
	// KeepOAuthClient has a client forgotten at that time only.
	KeepOAuthClient(id ClientID, forget when.Instant) error
	// LockMember locks a member, and reports whether they still have that role and host.
	LockMember(u *app.User) (bool, error)
	InsertGrant(g *Grant) error
	// LockGrantByCode and LockGrantByFamily find the grant of a code or of refresh tokens, and lock it, as Access does.
	LockGrantByCode(hash []byte) (Grant, error)
	LockGrantByFamily(hash []byte) (Grant, error)
	SaveTokens(g *Grant) error
	TouchGrant(id GrantID, at when.Instant) error
	DeleteGrant(id GrantID) error
	// PruneGrants deletes at most limit grants and as many clients that are over, and returns the larger number.
	PruneGrants(now when.Instant, limit int) (int, error)
}

// Reader is what the Service reads from the store.
type Reader interface {
	app.Reader
	Reads
}

// Tx is what the Service uses of a transaction.
type Tx interface {
	app.Tx
	Reads
	Writes
}
