package account

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// maxRateLimit bounds what a key's window may need: 8 bytes a request.
const maxRateLimit = 1_000_000

// CreateKey makes an API key of the actor's workspace. Its value is in the result and is never shown again, unless the
// key is public. An API key can't create one with more rights than its own. Errors: forbidden, bad_request.
func (s *Service) CreateKey(ctx context.Context, a app.Actor, in KeyInput) (NewKey, error) {
	if err := a.May(app.MayManageKeys); err != nil {
		return NewKey{}, err
	}
	name, err := fault.CheckLine("name", in.Name, 1, 100)
	if err != nil {
		return NewKey{}, err
	}
	if prefix[in.Scope] == "" {
		return NewKey{}, fault.Invalid("scope", "must be full, read-only or public")
	}
	if in.Areas != 0 && in.Scope != FullScope {
		return NewKey{}, fault.Invalid("areas", "are for keys of scope full only")
	}
	if in.RateLimit == 0 {
		in.RateLimit = DefaultRateLimit
	}
	if in.RateLimit < 1 || in.RateLimit > maxRateLimit {
		return NewKey{}, fault.Invalid("rateLimit", "must lie between 1 and %d requests a minute", maxRateLimit)
	}
	ws, err := s.Reader(ctx).Workspace(a.Workspace)
	if err != nil {
		return NewKey{}, err
	}
	limits, err := s.limitsOf(a, in)
	if err != nil {
		return NewKey{}, err
	}
	now := s.Core.Now()
	k := Key{
		ID: id.New[app.KeyIDKind](now), Name: name, Scope: in.Scope, Areas: in.Areas, Limits: limits,
		WorkspaceID: a.Workspace, Workspace: ws.Slug, RateLimit: in.RateLimit, CreatedAt: when.At(now),
	}
	value := k.give()
	err = s.Write(ctx, func(tx Tx) error {
		if err := notAbove(tx, a, &k); err != nil {
			return err
		}
		if err := tx.InsertKey(&k); err != nil {
			return err
		}
		return audit.Note(tx, now, a, audit.Entry{Action: audit.KeyCreated, Subject: k.ID.String(), To: string(k.Scope),
			Fields: k.granted()})
	})
	return NewKey{k, value}, err
}

// Keys lists the keys of the actor's workspace, revoked ones included, the newest first, at most 1000. An operator of
// all workspaces gets the keys of all of them. Errors: forbidden.
func (s *Service) Keys(ctx context.Context, a app.Actor) ([]Key, error) {
	if err := a.May(app.MayManageKeys); err != nil {
		return nil, err
	}
	if a.Workspace == 0 && !a.Everywhere() {
		return nil, nil // the store takes 0 for all workspaces
	}
	return s.Reader(ctx).Keys(a.Workspace, 1000)
}

// RotateKey gives a key a new value. The old value stays valid for grace, and the id does not change. An API key can't
// rotate one with more rights than its own. Errors: forbidden, bad_request (the grace), not_found, conflict
// key_revoked.
func (s *Service) RotateKey(ctx context.Context, a app.Actor, ref string, grace time.Duration) (NewKey, error) {
	if err := a.May(app.MayManageKeys); err != nil {
		return NewKey{}, err
	}
	if grace < 0 || grace > 30*when.Day {
		return NewKey{}, fault.Invalid("grace", "must lie between 0s and 720h")
	}
	value := ""
	k, err := s.changeKey(ctx, a, ref, audit.KeyRotated, func(tx Tx, k *Key) error {
		if err := notAbove(tx, a, k); err != nil { // the new value is in the answer
			return err
		}
		if k.RevokedAt != 0 {
			return fault.Conflictf("key_revoked", "The key %s is revoked; create a new one.", k.ID)
		}
		k.PreviousHash, k.PreviousUntil = nil, 0
		if grace > 0 {
			k.PreviousHash, k.PreviousUntil = k.Hash, when.At(s.Core.Now().Add(grace))
		}
		value = k.give()
		return nil
	})
	return NewKey{k, value}, err
}

// RevokeKey ends a key for good, from the next request on. Revoking it again is no error. Errors: forbidden, not_found.
func (s *Service) RevokeKey(ctx context.Context, a app.Actor, ref string) (Key, error) {
	if err := a.May(app.MayManageKeys); err != nil {
		return Key{}, err
	}
	return s.changeKey(ctx, a, ref, audit.KeyRevoked, func(_ Tx, k *Key) error {
		if k.RevokedAt == 0 {
			k.RevokedAt = when.At(s.Core.Now())
		}
		k.PreviousHash, k.PreviousUntil = nil, 0
		return nil
	})
}

// changeKey changes a key of the actor's workspace, or any key for an operator of all workspaces.
func (s *Service) changeKey(ctx context.Context, a app.Actor, ref string, what audit.Action,
	change func(Tx, *Key) error) (k Key, err error) {
	missing := fault.Missing("key", ref)
	if a.Operator {
		missing = fault.New(fault.NotFound, "", "There is no key \"%s\"; list them with: daybook keys list", ref)
	}
	id, err := id.Parse[app.KeyIDKind](ref)
	if err != nil {
		return k, missing
	}
	err = s.Write(ctx, func(tx Tx) (err error) {
		if err := tx.LockKey(id); err != nil {
			return err
		}
		if k, err = tx.Key(id); err != nil {
			return fault.OrMissing(err, missing)
		}
		if k.WorkspaceID != a.Workspace && !a.Everywhere() {
			return missing
		}
		revoked := k.RevokedAt != 0
		if err := change(tx, &k); err != nil {
			return err
		}
		if err := tx.UpdateKey(&k); err != nil || revoked {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: what, Subject: k.ID.String(), Workspace: k.WorkspaceID})
	})
	return k, err
}
