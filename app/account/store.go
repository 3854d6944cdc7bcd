package account

import (
	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/when"
)

// KeyReader finds API keys and set-up links.
type KeyReader interface {
	// FindKey finds the key whose present or previous value has that hash, with its workspace's revision.
	FindKey(hash []byte) (Key, error)
	Key(id app.KeyID) (Key, error)
	Keys(ws catalog.WorkspaceID, limit int) ([]Key, error) // newest first; ws 0 is all
	// SetupLink returns when the set-up link with that hash stops working. Errors: ErrNotFound.
	SetupLink(hash []byte) (when.Instant, error)
	// RateServers returns the servers that count the rates of keys together, including those that were killed recently.
	RateServers() ([]RateServer, error)
	// KeyUses lists the uses of the key with greater numbers, in their order.
	KeyUses(k app.KeyID, after int64) ([]KeyUse, error)
	// KeyUsesSince lists the uses of the keys that were used after since, by key and in their order.
	KeyUsesSince(since when.Instant) ([]KeyUse, error)
}

// KeyWriter saves API keys, users and set-up links.
type KeyWriter interface {
	InsertKey(k *Key) error
	// LockKey makes every other transaction that locks or changes the key wait for the end of this one.
	LockKey(id app.KeyID) error
	UpdateKey(k *Key) error
	TouchKey(id app.KeyID, at when.Instant) error
	InsertUser(u *app.User) error // ErrTaken: e-mail
	// SetRole changes a user's role and host, SetPassword the password, SetLocale the language. Errors: ErrNotFound, if
	// the user was removed. Another role, host or password ends the access that the user gave to agents' programs (RFC
	// 9700 §4.14.2).
	SetRole(u *app.User) error
	SetPassword(u *app.User) error
	SetLocale(u *app.User) error
	// LockPassword makes every other transaction that changes or removes the user wait for the end of this one, and
	// reports whether the password is still the user's.
	LockPassword(u *app.User) (bool, error)
	// LockSetupLinks makes every other transaction that uses or ends set-up links wait for the end of this one.
	LockSetupLinks() error
	// ReplaceSetupLink makes this the only set-up link; with a nil hash there is none.
	ReplaceSetupLink(hash []byte, until when.Instant) error
	// JoinRateServers adds the server and renews the rows of all others, with a time that differs from their previous
	// one.
	JoinRateServers(server int64, now when.Instant) error
	TouchRateServer(server int64, now when.Instant) error
	DeleteRateServer(server int64) error
	// LockKeyWindow makes every other transaction that reports uses of the key wait for the end of this one.
	LockKeyWindow(k app.KeyID) error
	// InsertKeyUse numbers the use and saves it. The transaction must have called LockKeyWindow.
	InsertKeyUse(u KeyUse) error
	// PruneRates deletes the uses outside that time, and the servers that have not been known to be alive since.
	PruneRates(from, to, servers when.Instant) error
	// ForgetRates deletes the servers and all uses.
	ForgetRates() error
}
