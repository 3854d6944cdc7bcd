package factor

import (
	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/when"
)

// Reads finds the factors of members.
type Reads interface {
	UserByEmail(email string) (app.User, error)
	User(id app.UserID) (app.User, error)
	// Authenticator returns the member's app, or ErrNotFound.
	Authenticator(u *app.User) (App, error)
	// Authenticators returns those of a workspace.
	Authenticators(ws catalog.WorkspaceID, limit int) ([]App, error)
	// RecoveryCodes returns how many codes the member has left.
	RecoveryCodes(u *app.User) (int, error)
	// FactorRoles returns the roles that need a second factor.
	FactorRoles(ws catalog.WorkspaceID) ([]app.Role, error)
	// Passkeys returns the member's, the oldest first.
	Passkeys(u *app.User, limit int) ([]Passkey, error)
	PasskeyByCredential(credential []byte) (Passkey, error)
	// HasPasskeys reports whether there are passkeys of a host, and of any other.
	HasPasskeys(host string) (here, elsewhere bool, err error)
	// Challenge returns the sealed data of a challenge of the session, or ErrNotFound.
	Challenge(hash, about []byte, now when.Instant) (data string, err error)
}

// Writes saves them. What is locked stays so until the transaction ends.
type Writes interface {
	// LockFactors makes every other transaction that changes the member's factors wait for the end of this one. It
	// reports whether the member is still there.
	LockFactors(u *app.User) (bool, error)
	// Proven returns when the member of a session last showed who they are, and when a second factor, 0 for not yet; or
	// ErrNotFound.
	Proven(session []byte, u *app.User) (proven, factor when.Instant, err error)
	// ProveFactor notes that the session's member showed a second factor, ProveAgain that they signed in again.
	ProveFactor(session []byte, at when.Instant) error
	ProveAgain(session []byte, at when.Instant) error
	SaveAuthenticator(a *App) error
	// TakeStep takes a step of the member's app, unless it or a later one is taken.
	TakeStep(u *app.User, step int64) (bool, error)
	DeleteAuthenticator(u *app.User) error
	// ReplaceRecoveryCodes leaves only those.
	ReplaceRecoveryCodes(u *app.User, hashes [][]byte) error
	// TakeRecoveryCode deletes a code, and reports whether it was there.
	TakeRecoveryCode(u *app.User, hash []byte) (bool, error)
	SetFactorRoles(ws catalog.WorkspaceID, roles []app.Role) error
	InsertPasskey(p *Passkey) error // ErrTaken: the credential
	// UpdatePasskey saves its name, record and use.
	UpdatePasskey(p *Passkey) error
	DeletePasskey(p *Passkey) error
	InsertChallenge(hash, about []byte, data string, ends when.Instant) error
	// TakeChallenge deletes a challenge, and reports whether it was there.
	TakeChallenge(hash []byte) (bool, error)
	// PruneChallenges deletes at most limit that are over, and says how many.
	PruneChallenges(now when.Instant, limit int) (int, error)
	DeleteSessions(u app.UserID, except []byte) error
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
	audit.Reads
}
