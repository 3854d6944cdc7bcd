package app

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// These are the operator's doings: the command line and the dashboard call them for somebody who may.

// WorkspaceInput is what the operator says of a new workspace.
type WorkspaceInput struct {
	ID                             WorkspaceID // 0 makes one
	Slug, Name, TimeZone, Currency string      // Currency "" is EUR
}

// workspace has what the operator said, and the defaults.
func (in WorkspaceInput) workspace() Workspace {
	w := Workspace{ID: in.ID, Slug: in.Slug, Name: in.Name, TimeZone: in.TimeZone, Currency: in.Currency}
	if w.Currency == "" {
		w.Currency = "EUR"
	}
	return w
}

// CreateWorkspace makes an empty workspace. Errors: bad_request, conflict slug_taken.
func (s *Service) CreateWorkspace(ctx context.Context, in WorkspaceInput) (w Workspace, err error) {
	err = s.write(ctx, func(tx Tx) (err error) {
		w, err = s.insertWorkspace(tx, in)
		return err
	})
	return w, err
}

func (s *Service) insertWorkspace(tx Tx, in WorkspaceInput) (Workspace, error) {
	now := s.clock()
	linkKey := make([]byte, 32)
	rand.Read(linkKey)
	w := in.workspace()
	w.CreatedAt, w.LinkKey, w.Revision = when.At(now), s.vault.Seal(linkKey), 1
	if w.ID == 0 {
		w.ID = id.New[workspaceKind](now)
	}
	if err := w.check(); err != nil {
		return w, err
	}
	if err := tx.InsertWorkspace(&w); err == fault.ErrTaken {
		return w, fault.Conflictf("slug_taken", "There is a workspace %q already; choose another slug.", w.Slug)
	} else if err != nil {
		return w, err
	}
	return w, nil
}

// Workspaces are all workspaces by slug, at most 1000.
func (s *Service) Workspaces() ([]Workspace, error) { return s.store.Workspaces(1000) }

// WorkspaceBySlug finds a workspace. The error is not_found.
func (s *Service) WorkspaceBySlug(slug string) (Workspace, error) {
	w, err := s.store.WorkspaceBySlug(slug)
	return w, orMissing(err, &fault.Error{Code: fault.NotFound, Message: "There is no workspace \"" + slug + "\"; list them with: daybook workspace list"})
}

// maxRateLimit bounds what a key's window may need: 8 bytes a request.
const maxRateLimit = 1_000_000

// CreateKey makes an API key. Its value is in the answer, and nowhere else ever again. The error is bad_request.
func (s *Service) CreateKey(ctx context.Context, ws Workspace, in KeyInput) (NewKey, error) {
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
	now := s.clock()
	value, hash := keyValue()
	k := Key{
		ID: id.New[keyKind](now), Name: name, Scope: in.Scope, WorkspaceID: ws.ID, Workspace: ws.Slug, RateLimit: in.RateLimit,
		Hint: value[len(value)-4:], Hash: hash, CreatedAt: when.At(now),
	}
	err = s.write(ctx, func(tx Tx) error { return tx.InsertKey(&k) })
	return NewKey{k, value}, err
}

// Keys are a workspace's keys, revoked ones too, the newest first, at most 1000; of all workspaces for 0.
func (s *Service) Keys(ws WorkspaceID) ([]Key, error) { return s.store.Keys(ws, 1000) }

// RotateKey gives a key a new value; the old one works on for the grace. The id stays. Errors: not_found, conflict key_revoked.
func (s *Service) RotateKey(ctx context.Context, ref string, grace time.Duration) (NewKey, error) {
	if grace < 0 || grace > 30*day {
		return NewKey{}, fault.Invalid("grace", "must lie between 0s and 720h")
	}
	value, hash := keyValue()
	k, err := s.changeKey(ctx, ref, func(k *Key) error {
		if k.RevokedAt != 0 {
			return fault.Conflictf("key_revoked", "The key %s is revoked; create a new one.", k.ID)
		}
		k.PreviousHash, k.PreviousUntil = nil, 0
		if grace > 0 {
			k.PreviousHash, k.PreviousUntil = k.Hash, when.At(s.clock().Add(grace))
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
			k.RevokedAt = when.At(s.clock())
		}
		k.PreviousHash, k.PreviousUntil = nil, 0
		return nil
	})
}

func (s *Service) changeKey(ctx context.Context, ref string, change func(*Key) error) (k Key, err error) {
	missing := &fault.Error{Code: fault.NotFound, Message: "There is no key \"" + ref + "\"; list them with: daybook keys list"}
	id, err := id.Parse[keyKind](ref)
	if err != nil {
		return k, missing
	}
	err = s.write(ctx, func(tx Tx) (err error) {
		if k, err = tx.Key(id); err != nil {
			return orMissing(err, missing)
		}
		if err := change(&k); err != nil {
			return err
		}
		return tx.UpdateKey(&k)
	})
	return k, err
}

// UserInput is what the operator says of a new member.
type UserInput struct {
	Email    string
	Role     Role
	Host     HostID // of staff: the host that they are
	Password string // "" for an invitation that is still to be taken
}

// CreateUser makes a member of a workspace. Errors: bad_request, conflict email_taken.
func (s *Service) CreateUser(ctx context.Context, ws Workspace, in UserInput) (u User, err error) {
	email, err := fault.CheckEmail("email", in.Email)
	if err != nil {
		return u, err
	}
	if !slices.Contains(Roles, in.Role) {
		return u, fault.Invalid("role", "must be owner, manager or staff")
	}
	hash := ""
	if in.Password != "" {
		if hash, err = hashPassword(ctx, in.Password); err != nil {
			return u, err
		}
	}
	now := s.clock()
	u = User{ID: id.New[userKind](now), WorkspaceID: ws.ID, Workspace: ws.Slug, Email: email, Role: in.Role, HostID: in.Host, CreatedAt: when.At(now), PasswordHash: hash}
	err = s.write(ctx, func(tx Tx) error {
		if err := tx.InsertUser(&u); err != nil {
			return err
		}
		return tx.ReplaceSetupLink(nil, 0) // it ends with the first user
	})
	if err == fault.ErrTaken {
		return u, fault.Conflictf("email_taken", "There is a user %s already.", email)
	}
	return u, err
}

// SetPassword gives a user a new password and ends all their sessions: who has to do so may have lost the old one to
// somebody. Errors: bad_request, not_found.
func (s *Service) SetPassword(ctx context.Context, email, password string) (u User, err error) {
	hash, err := hashPassword(ctx, password)
	if err != nil {
		return u, err
	}
	err = s.write(ctx, func(tx Tx) error {
		if u, err = tx.UserByEmail(email); err != nil {
			return orMissing(err, &fault.Error{Code: fault.NotFound, Message: "There is no user " + email + "."})
		}
		u.PasswordHash = hash
		if err := tx.UpdateUser(&u); err != nil {
			return err
		}
		return tx.DeleteSessions(u.ID, nil)
	})
	return u, err
}
