package oauth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/booking"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/right"
	"daybook/app/when"
)

// GrantID identifies a grant.
type GrantID = id.ID[GrantIDKind]

// GrantIDKind gives ids of grants their prefix.
type GrantIDKind struct{ id.Few }

func (GrantIDKind) Prefix() string { return "ag_" }

// Scope is what a grant may do (RFC 6749 §3.3). Each includes those before it.
type Scope string

const (
	ReadScope     Scope = "read"
	WriteScope    Scope = "write"    // book, move, cancel
	DeskScope     Scope = "desk"     // take money, approve, edit bookings and contacts, give time off
	SettingsScope Scope = "settings" // change services, hosts and their hours
)

// Scopes lists all scopes, the smallest first.
var Scopes = []Scope{ReadScope, WriteScope, DeskScope, SettingsScope}

// Includes reports whether the scope is the other one, or more than it. Of two that are unknown none includes the other.
func (s Scope) Includes(other Scope) bool {
	at := slices.Index(Scopes, other)
	return at >= 0 && slices.Index(Scopes, s) >= at
}

// words returns the scope as the answers of the protocol have it: all that it includes.
func (s Scope) words() string {
	var all []string
	for _, each := range Scopes {
		if s.Includes(each) {
			all = append(all, string(each))
		}
	}
	return strings.Join(all, " ")
}

// areas are the rights of a scope besides those of every full key.
func (s Scope) areas() app.Areas {
	switch s {
	case DeskScope:
		return right.Contacts | right.Hours
	case SettingsScope:
		return right.Contacts | right.Hours | right.Settings
	}
	return 0
}

// ScopeOf returns the scope of an agent with a member's consent.
func ScopeOf(a app.Actor) Scope {
	switch {
	case a.ReadOnly:
		return ReadScope
	case a.Areas&right.Settings != 0:
		return SettingsScope
	case a.Areas&right.Hours != 0:
		return DeskScope
	}
	return WriteScope
}

// Grant is the access that a member has given to a client: a family of tokens, of which the row has the current ones.
type Grant struct {
	ID          GrantID             `json:"id"`
	WorkspaceID catalog.WorkspaceID `json:"-"`
	Workspace   string              `json:"workspace"` // slug
	Member      app.User            `json:"-"`
	Email       string              `json:"member"`
	Client      string              `json:"client"` // its id
	Name        string              `json:"name"`   // as it calls itself
	Redirect    string              `json:"redirect"`
	Scope       Scope               `json:"scope"`
	Resource    string              `json:"resource"`
	CreatedAt   when.Instant        `json:"createdAt"`
	LastUsedAt  when.Instant        `json:"lastUsedAt"`
	// OverAt is when it ends unless it is used before, EndsAt when it ends in any case.
	OverAt when.Instant `json:"endsUnused"`
	EndsAt when.Instant `json:"endsAt"`

	codes
}

// codes are what stands for a grant, as hashes.
type codes struct {
	Code      []byte
	Challenge string
	Family    []byte // nil before the code is redeemed
	Refresh   []byte
	Previous  []byte // the refresh token before
	RotatedAt when.Instant
	Salt      []byte
	Token     []byte // the access token
	Until     when.Instant
	PreToken  []byte // the access token before
	PreUntil  when.Instant
}

const (
	codePrefix    = "dbc_"
	accessPrefix  = "dba_"
	refreshPrefix = "dbr_"
)

// IsToken reports whether a bearer token is an access token of this package, and not an API key.
func IsToken(value string) bool {
	return strings.HasPrefix(value, accessPrefix) || strings.HasPrefix(value, refreshPrefix)
}

// random returns 256 random bits. Nobody can guess them (RFC 6749 §10.10), so their hash needs not be slow.
func random() []byte {
	b := make([]byte, 32)
	rand.Read(b) // never fails (crypto/rand)
	return b
}

func hash(parts ...[]byte) []byte {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

func text(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// secrets reads the parts of 32 bytes of a code or token.
func secrets(value, prefix string, n int) (parts [][]byte, ok bool) {
	body, ok := strings.CutPrefix(value, prefix)
	if !ok || len(body) != 43*n {
		return nil, false
	}
	for i := range n {
		b, err := base64.RawURLEncoding.Strict().DecodeString(body[43*i : 43*(i+1)])
		if err != nil {
			return nil, false
		}
		parts = append(parts, b)
	}
	return parts, true
}

// Grants lists the grants that are in force: those of all members of the workspace for actors who manage API keys, else
// those of the actor. An operator of all workspaces gets the grants of all of them. The newest comes first, at most
// 1000. Errors: forbidden.
func (s *Service) Grants(ctx context.Context, a app.Actor) ([]Grant, error) {
	if err := a.May(app.MaySeeSessions); err != nil {
		return nil, err
	}
	if a.Workspace == 0 && !a.Everywhere() {
		return nil, nil // the store takes 0 for all workspaces
	}
	of := a.User
	if a.May(app.MayManageKeys) == nil {
		of = 0
	}
	return s.Reader(ctx).Grants(a.Workspace, of, when.At(s.Core.Now()), maxList)
}

// EndGrant ends a grant with all its tokens, from the next request on: the actor's own, or any grant of the workspace
// for actors who manage API keys. Errors: forbidden, not_found.
func (s *Service) EndGrant(ctx context.Context, a app.Actor, ref string) (g Grant, err error) {
	if err := a.May(app.MaySeeSessions); err != nil {
		return g, err
	}
	missing := fault.Missing("connection", ref)
	number, err := id.Parse[GrantIDKind](ref)
	if err != nil {
		return g, missing
	}
	err = s.Write(ctx, func(tx Tx) error {
		if g, err = tx.Grant(number); err != nil {
			return fault.OrMissing(err, missing)
		}
		if g.WorkspaceID != a.Workspace && !a.Everywhere() || g.Member.ID != a.User && a.May(app.MayManageKeys) != nil {
			return missing
		}
		return s.end(tx, a, &g, audit.AgentEnded)
	})
	return g, err
}

// end deletes a grant, and notes who ended it.
func (s *Service) end(tx Tx, a app.Actor, g *Grant, why audit.Action) error {
	if err := tx.DeleteGrant(g.ID); err != nil {
		return err
	}
	return audit.Note(tx, s.Core.Now(), a, audit.Entry{Workspace: g.WorkspaceID, Action: why, Subject: g.ID.String()})
}

// replayed ends a grant of which a code or a token came back.
func (s *Service) replayed(tx Tx, g *Grant) error {
	return s.end(tx, app.Actor{Kind: booking.BySystem, Workspace: g.WorkspaceID}, g, audit.AgentReplayed)
}
