package account

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/when"
)

// KeyReader finds API keys and set-up links.
type KeyReader interface {
	// FindKey is the key whose present or previous value has that hash, with its workspace's revision.
	FindKey(hash []byte) (Key, error)
	Key(id app.KeyID) (Key, error)
	Keys(ws catalog.WorkspaceID, limit int) ([]Key, error) // newest first; ws 0 is all
	// SetupLink is when the set-up link of that hash stops working, or ErrNotFound.
	SetupLink(hash []byte) (when.Instant, error)
	// OtherRateServers is how many servers share the rates of keys, without this one.
	OtherRateServers(but int64) (int, error)
	// KeyUses are those after the one of that number, in their order.
	KeyUses(after int64) ([]KeyUse, error)
}

// KeyWriter saves API keys, users and set-up links.
type KeyWriter interface {
	InsertKey(k *Key) error
	UpdateKey(k *Key) error
	TouchKey(id app.KeyID, at when.Instant) error
	InsertUser(u *app.User) error // ErrTaken: e-mail
	UpdateUser(u *app.User) error
	// ReplaceSetupLink leaves this one as the only set-up link; a nil hash leaves none.
	ReplaceSetupLink(hash []byte, until when.Instant) error
	InsertRateServer(server int64) error // again is no error
	DeleteRateServer(server int64) error
	InsertKeyUse(u KeyUse) error // gives the next number
	// PruneKeyUses deletes those outside of that time.
	PruneKeyUses(from, to when.Instant) error
	// ForgetRates deletes the servers and all uses.
	ForgetRates() error
}
