package account

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// maxRateLimit bounds what a key's window may need: 8 bytes a request.
const maxRateLimit = 1_000_000

// CreateKey makes an API key. Its value is in the answer, and nowhere else ever again. The error is bad_request.
func (s *Service) CreateKey(ctx context.Context, ws catalog.Workspace, in KeyInput) (NewKey, error) {
	name, err := fault.CheckLine("name", in.Name, 1, 100)
	if err != nil {
		return NewKey{}, err
	}
	if in.Scope != FullScope && in.Scope != ReadOnlyScope {
		return NewKey{}, fault.Invalid("scope", "must be full or read-only")
	}
	if in.RateLimit == 0 {
		in.RateLimit = DefaultRateLimit
	}
	if in.RateLimit < 1 || in.RateLimit > maxRateLimit {
		return NewKey{}, fault.Invalid("rateLimit", "must lie between 1 and %d requests a minute", maxRateLimit)
	}
	now := s.Core.Now()
	value, hash := keyValue()
	k := Key{
		ID: id.New[app.KeyIDKind](now), Name: name, Scope: in.Scope, WorkspaceID: ws.ID, Workspace: ws.Slug, RateLimit: in.RateLimit,
		Hint: value[len(value)-4:], Hash: hash, CreatedAt: when.At(now),
	}
	err = s.Write(ctx, func(tx Tx) error { return tx.InsertKey(&k) })
	return NewKey{k, value}, err
}

// Keys are a workspace's keys, revoked ones too, the newest first, at most 1000; of all workspaces for 0.
func (s *Service) Keys(ws catalog.WorkspaceID) ([]Key, error) {
	return s.Reader(context.Background()).Keys(ws, 1000)
}

// RotateKey gives a key a new value; the old one works on for the grace. The id stays. Errors: not_found, conflict key_revoked.
func (s *Service) RotateKey(ctx context.Context, ref string, grace time.Duration) (NewKey, error) {
	if grace < 0 || grace > 30*when.Day {
		return NewKey{}, fault.Invalid("grace", "must lie between 0s and 720h")
	}
	value, hash := keyValue()
	k, err := s.changeKey(ctx, ref, func(k *Key) error {
		if k.RevokedAt != 0 {
			return fault.Conflictf("key_revoked", "The key %s is revoked; create a new one.", k.ID)
		}
		k.PreviousHash, k.PreviousUntil = nil, 0
		if grace > 0 {
			k.PreviousHash, k.PreviousUntil = k.Hash, when.At(s.Core.Now().Add(grace))
		}
		k.Hash, k.Hint = hash, value[len(value)-4:]
		return nil
	})
	return NewKey{k, value}, err
}

// RevokeKey ends a key for good, from the next request on. Revoking again is no error. The error is not_found.
func (s *Service) RevokeKey(ctx context.Context, ref string) (Key, error) {
	return s.changeKey(ctx, ref, func(k *Key) error {
		if k.RevokedAt == 0 {
			k.RevokedAt = when.At(s.Core.Now())
		}
		k.PreviousHash, k.PreviousUntil = nil, 0
		return nil
	})
}

func (s *Service) changeKey(ctx context.Context, ref string, change func(*Key) error) (k Key, err error) {
	missing := &fault.Error{Code: fault.NotFound, Message: "There is no key \"" + ref + "\"; list them with: daybook keys list"}
	id, err := id.Parse[app.KeyIDKind](ref)
	if err != nil {
		return k, missing
	}
	err = s.Write(ctx, func(tx Tx) (err error) {
		if k, err = tx.Key(id); err != nil {
			return fault.OrMissing(err, missing)
		}
		if err := change(&k); err != nil {
			return err
		}
		return tx.UpdateKey(&k)
	})
	return k, err
}

// KeyOf is a key of the actor's workspace. Errors: forbidden, not_found.
func (s *Service) KeyOf(ctx context.Context, a app.Actor, ref string) (Key, error) {
	if err := a.May(app.MayManageKeys); err != nil {
		return Key{}, err
	}
	id, err := id.Parse[app.KeyIDKind](ref)
	if err != nil {
		return Key{}, fault.Missing("key", ref)
	}
	k, err := s.Reader(ctx).Key(id)
	if err == nil && k.WorkspaceID != a.Workspace {
		err = fault.ErrNotFound
	}
	return k, fault.OrMissing(err, fault.Missing("key", ref))
}
