package account

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/right"
	"daybook/app/when"
)

// Scope says what an API key may do.
type Scope string

const (
	FullScope     Scope = "full"
	ReadOnlyScope Scope = "read-only"
	// PublicScope is the scope of keys for web pages: they may show open times and book, as visitors of the booking
	// page may.
	PublicScope Scope = "public"
)

// Key is an API key. Its value is shown once and stored only as a hash, unless the key is public.
type Key struct {
	ID          app.KeyID           `json:"id"`
	Name        string              `json:"name"`
	Scope       Scope               `json:"scope"`
	Areas       app.Areas           `json:"areas"`
	Limits      *right.Limits       `json:"limits,omitempty"` // of a restricted key
	Public      string              `json:"public,omitempty"` // the value of a public one
	WorkspaceID catalog.WorkspaceID `json:"-"`
	Workspace   string              `json:"workspace"` // slug
	RateLimit   int                 `json:"rateLimit"` // requests in any 60 seconds
	Hint        string              `json:"hint"`      // the last four characters, to tell keys apart
	CreatedAt   when.Instant        `json:"createdAt"`
	LastUsedAt  when.Instant        `json:"lastUsedAt"`
	RevokedAt   when.Instant        `json:"revokedAt"`
	// PreviousUntil is when the value from before the last rotation stops working, if it still works.
	PreviousUntil when.Instant `json:"previousUntil"`

	// Member is the actor of a token of an agent's program, which is treated as a key with that rate; zero for keys.
	Member app.Actor `json:"-"`

	Hash         []byte `json:"-"`
	PreviousHash []byte `json:"-"`
	// SetupRevision is the workspace's revision when the key was read (FindKey).
	SetupRevision int64 `json:"-"`
	// SuspendedAt is since when the workspace was suspended then, see catalog.Workspace.
	SuspendedAt when.Instant `json:"-"`
}

// NewKey is a key with its value, shown once.
type NewKey struct {
	Key
	Value string
}

// KeyInput describes a new key.
type KeyInput struct {
	Name      string
	Scope     Scope
	Areas     app.Areas // of keys of scope full
	Limits    Limits    // of a restricted key
	RateLimit int       // 0 is DefaultRateLimit
}

// DefaultRateLimit is the number of requests that a key has in any 60 seconds.
const DefaultRateLimit = 120

// keyValue returns a key of 256 random bits and its hash. It needs no slow hash, as nobody can guess 256 bits.
func keyValue(s Scope) (value string, hash []byte) {
	var random [32]byte
	rand.Read(random[:])
	value = prefix[s] + base64.RawURLEncoding.EncodeToString(random[:])
	return value, hashKey(value)
}

var prefix = map[Scope]string{FullScope: "dbk_", ReadOnlyScope: "dbk_", PublicScope: "pk_"}

// give gives the key a new value, which it returns.
func (k *Key) give() (value string) {
	value, k.Hash = keyValue(k.Scope)
	if k.Hint = value[len(value)-4:]; k.Scope == PublicScope {
		k.Public = value
	}
	return value
}

func hashKey(value string) []byte {
	sum := sha256.Sum256([]byte(value))
	return sum[:]
}

// valid reports whether the hash is valid for the key at that time.
func (k *Key) valid(hash []byte, now time.Time) bool {
	if k.RevokedAt != 0 {
		return false
	}
	return string(hash) == string(k.Hash) || string(hash) == string(k.PreviousHash) && when.At(now) < k.PreviousUntil
}
