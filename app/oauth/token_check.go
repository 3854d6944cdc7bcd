package oauth

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
	"daybook/app/when"
)

// Access is what an access token gives access to.
type Access struct {
	Grant         GrantID
	Member        app.User
	Scope         Scope
	Resource      string // the address of the tools that it is for
	Until         when.Instant
	SetupRevision int64        // of the workspace, when it was read
	SuspendedAt   when.Instant // see catalog.Workspace
}

// Actor returns the caller with such a token: an agent that may do what both its member and an API key of that scope
// may.
func (a Access) Actor() app.Actor {
	actor := a.Member.Actor()
	actor.Kind, actor.ReadOnly, actor.Revision = booking.ByAgent, !a.Scope.Includes(WriteScope), a.SetupRevision
	actor.Areas = a.Scope.areas()
	return actor
}

// accessCache holds the tokens that were found, so that a request costs no SELECT while no set-up, member or grant is
// changed anywhere.
type accessCache struct {
	mu   sync.RWMutex
	kept map[[sha256.Size]byte]keptAccess
	used map[GrantID]when.Instant // last use that is not saved yet
}

type keptAccess struct {
	access  Access
	version int64 // SetupVersion at which it was read
}

const maxKept = 10_000

func (c *accessCache) find(hash [sha256.Size]byte, version int64) (Access, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	k, ok := c.kept[hash]
	return k.access, ok && k.version == version
}

func (c *accessCache) keep(hash [sha256.Size]byte, k keptAccess) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil || len(c.kept) >= maxKept {
		c.kept = map[[sha256.Size]byte]keptAccess{}
	}
	c.kept[hash] = k
}

// note remembers that the grant was used, to be saved by the next maintenance.
func (c *accessCache) note(id GrantID, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.used == nil {
		c.used = map[GrantID]when.Instant{}
	}
	c.used[id] = when.At(now)
}

func (c *accessCache) takeUsed() map[GrantID]when.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	used := c.used
	c.used = nil
	return used
}

// saveUse saves when each grant was last used.
func (s *Service) saveUse(ctx context.Context) error {
	used := s.access.takeUsed()
	if len(used) == 0 {
		return nil
	}
	return s.Quietly(ctx, func(tx Tx) error {
		for id, at := range used {
			if err := tx.TouchGrant(id, at); err != nil {
				return err
			}
		}
		return nil
	})
}

func errBadToken() *fault.Error {
	return fault.New(fault.Unauthorized, "",
		"The access token is unknown, over or revoked. Use the refresh token, or have the member sign in again.")
}

// AuthenticateToken returns the access of a token. The error is unauthorized for a token that is unknown, expired or
// revoked, or whose member was removed or has another role or host; it is forbidden while the workspace is suspended. Changes by another process take effect with the
// next call.
func (s *Service) AuthenticateToken(value string) (Access, error) {
	a, err := s.CheckToken(value)
	if err == nil {
		s.access.note(a.Grant, s.Core.Now())
	}
	return a, err
}

// CheckToken does the same as AuthenticateToken for repeated checks, which don't count as a use.
func (s *Service) CheckToken(value string) (Access, error) {
	parts, ok := secrets(value, accessPrefix, 1)
	if !ok {
		return Access{}, errBadToken()
	}
	sum := sha256.Sum256(parts[0])
	version, err := s.Core.SetupVersion()
	if err != nil {
		return Access{}, err
	}
	a, ok := s.access.find(sum, version)
	if !ok {
		// The answer is kept for all requests, so it does not end with this one.
		a, err = s.Reader(context.Background()).Access(sum[:])
		if errors.Is(err, fault.ErrNotFound) {
			return Access{}, errBadToken()
		}
		if err != nil {
			return Access{}, err
		}
		s.access.keep(sum, keptAccess{a, version})
	}
	if a.Until <= when.At(s.Core.Now()) {
		return Access{}, errBadToken()
	}
	return a, (&catalog.Workspace{SuspendedAt: a.SuspendedAt}).Open()
}
