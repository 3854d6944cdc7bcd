package oauth

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Reads finds clients and grants.
type Reads interface {
	OAuthClient(id ClientID) (Client, error)
	// Grants lists the grants whose code was redeemed and that have not ended: of a workspace, or for 0 of all, and of
	// a member, or for 0 of all. The newest comes first.
	Grants(ws catalog.WorkspaceID, u app.UserID, now when.Instant, limit int) ([]Grant, error)
	Grant(id GrantID) (Grant, error)
	// Access returns the grant of an access token, the current or the previous one, with the workspace's revision.
	// Errors: ErrNotFound, also if the member no longer has the role and the host that they had when they gave the
	// access.
	Access(hash []byte) (Access, error)
}

// Writes saves clients and grants. Rows stay locked until the transaction ends; other transactions that lock them wait.
type Writes interface {
	InsertOAuthClient(c *Client, forget when.Instant) error
	// KeepOAuthClient sets the time at which a client is deleted.
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
	// PruneGrants deletes at most limit grants that have ended and at most limit clients that have expired, and returns
	// the larger number.
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
