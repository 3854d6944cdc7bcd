package account

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/right"
	"daybook/app/when"
)

// keyCache holds the keys that were found, so that a request costs no SELECT while no set-up or key is changed
// anywhere.
type keyCache struct {
	mu   sync.RWMutex
	keys map[[sha256.Size]byte]cachedKey
	used map[app.KeyID]when.Instant // last use that is not saved yet
}

type cachedKey struct {
	key     Key
	version int64 // SetupVersion at which it was read
}

const maxCachedKeys = 10_000

func (c *keyCache) find(hash [sha256.Size]byte, version int64) (Key, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	held, ok := c.keys[hash]
	return held.key, ok && held.version == version
}

func (c *keyCache) put(hash [sha256.Size]byte, k Key, version int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keys == nil || len(c.keys) >= maxCachedKeys {
		c.keys = map[[sha256.Size]byte]cachedKey{}
	}
	c.keys[hash] = cachedKey{k, version}
}

// note remembers that the key was used, to be saved by the next maintenance.
func (c *keyCache) note(id app.KeyID, now time.Time) {
	at := when.At(now)
	c.mu.RLock()
	last := c.used[id]
	c.mu.RUnlock()
	if at-last < 1000 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used == nil {
		c.used = map[app.KeyID]when.Instant{}
	}
	c.used[id] = at
}

// takeUsed returns and clears what note remembered.
func (c *keyCache) takeUsed() map[app.KeyID]when.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	used := c.used
	c.used = nil
	return used
}

// Authenticate finds the key of a bearer token. The error is unauthorized for a token that is unknown, revoked or
// replaced, and forbidden while its workspace is suspended. A revocation by another process takes effect with the next call.
func (s *Service) Authenticate(value string) (Key, error) {
	k, err := s.CheckKey(value)
	if err == nil {
		s.keys.note(k.ID, s.Core.Now())
	}
	return k, err
}

// CheckKey does the same as Authenticate for repeated checks, which don't count as a use of the key.
func (s *Service) CheckKey(value string) (Key, error) {
	hash := sha256.Sum256([]byte(value))
	version, err := s.Core.SetupVersion()
	if err != nil {
		return Key{}, err
	}
	k, ok := s.keys.find(hash, version)
	if !ok {
		// The answer is kept for all requests, so it does not end with this one.
		if k, err = s.Reader(context.Background()).FindKey(hash[:]); errors.Is(err, fault.ErrNotFound) {
			return Key{}, errBadKey()
		} else if err != nil {
			return Key{}, err
		}
		s.keys.put(hash, k, version)
	}
	if !k.valid(hash[:], s.Core.Now()) {
		return Key{}, errBadKey()
	}
	if err := (&catalog.Workspace{SuspendedAt: k.SuspendedAt}).Open(); err != nil {
		return Key{}, err
	}
	return k, k.Limits.Over(s.Core.Now())
}

func errBadKey() *fault.Error {
	return fault.New(fault.Unauthorized, "",
		"The API key is unknown, revoked or replaced. Send a valid one as Authorization: Bearer <API_KEY>.")
}

// Actor returns the actor of a caller with this key.
func (k Key) Actor(kind booking.ActorKind) app.Actor {
	if k.Member.User != 0 {
		return k.Member
	}
	if k.Scope == PublicScope { // whoever asks is a visitor, and sees of the limits what there is to book
		return app.Actor{Kind: booking.ByInvitee, Workspace: k.WorkspaceID, Key: k.ID, Revision: k.SetupRevision,
			Limits: &right.Limits{EventTypes: k.Limits.EventTypes, Hosts: k.Limits.Hosts}}
	}
	return app.Actor{Kind: kind, Workspace: k.WorkspaceID, Key: k.ID, ReadOnly: k.Scope != FullScope,
		Areas: k.Areas, Limits: k.Limits, Revision: k.SetupRevision}
}

// saveUse saves when each key was last used.
func (s *Service) saveUse(ctx context.Context) error {
	used := s.keys.takeUsed()
	if len(used) == 0 {
		return nil
	}
	return s.Quietly(ctx, func(tx Tx) error {
		for id, at := range used {
			if err := tx.TouchKey(id, at); err != nil {
				return err
			}
		}
		return nil
	})
}
