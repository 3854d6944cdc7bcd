package factor

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"slices"
	"strings"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/fault"
)

// newCodes makes recovery codes of 80 bits each, as people copy them, and their hashes.
func newCodes(u *app.User) (codes []string, hashes [][]byte) {
	for range codesAtOnce {
		random := make([]byte, 10)
		rand.Read(random)
		text := strings.ToLower(unpadded.EncodeToString(random))
		code := text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
		codes, hashes = append(codes, code), append(hashes, codeHash(u, code))
	}
	return codes, hashes
}

// codeHash returns what is stored of a member's code.
func codeHash(u *app.User, code string) []byte {
	sum := sha256.Sum256([]byte(u.ID.String() + " " + strings.ToLower(digits(code))))
	return sum[:]
}

// firstCodes returns the member's recovery codes, made with the first factor; nil if they had one before.
func (s *Service) firstCodes(tx Tx, u *app.User, before *State) ([]string, error) {
	if before.Any() {
		return nil, nil
	}
	codes, hashes := newCodes(u)
	return codes, tx.ReplaceRecoveryCodes(u, hashes)
}

// NewCodes replaces the member's recovery codes. They are shown this once. Errors: conflict sign_in_again, conflict
// no_factor.
func (s *Service) NewCodes(ctx context.Context, w Who) (codes []string, err error) {
	err = s.change(ctx, w, func(tx Tx, u *app.User, now State) error {
		if !now.Any() {
			return fault.Conflictf("no_factor", "Recovery codes stand in for a second factor. Add one first.")
		}
		made, hashes := newCodes(u)
		if err := tx.ReplaceRecoveryCodes(u, hashes); err != nil {
			return err
		}
		codes = made
		return s.note(tx, u.Actor(), u, audit.FactorAdded, CodesMade, "")
	})
	return codes, err
}

// Required returns the roles of the workspace that need a second factor. The error is forbidden.
func (s *Service) Required(ctx context.Context, a app.Actor) ([]app.Role, error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return nil, err
	}
	return s.Reader(ctx).FactorRoles(a.Workspace)
}

// Require has members of these roles, and of no other, show a second factor. It counts from their next request: who has
// none sets one up before anything else. Errors: forbidden, bad_request.
func (s *Service) Require(ctx context.Context, a app.Actor, roles []app.Role) error {
	if err := a.May(app.MayManageMembers); err != nil {
		return err
	}
	var need []app.Role
	for _, r := range app.Roles { // in their order, each once
		if slices.Contains(roles, r) {
			need = append(need, r)
		}
	}
	for _, r := range roles {
		if !slices.Contains(app.Roles, r) {
			return fault.Invalid("roles", "must be owner, manager or staff")
		}
	}
	return s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		was, err := tx.FactorRoles(a.Workspace)
		if err != nil || slices.Equal(was, need) {
			return err
		}
		if err := tx.SetFactorRoles(a.Workspace, need); err != nil {
			return err
		}
		e := audit.Entry{Action: audit.FactorRequired}
		for _, r := range need {
			e.Fields = append(e.Fields, string(r))
		}
		return audit.Note(tx, s.Now(), a, e)
	})
}

// ResetFactors removes all factors of a user of any workspace, who lost them, and ends their sessions. If their role
// needs a factor they set one up when they sign in. Errors: forbidden, not_found.
func (s *Service) ResetFactors(ctx context.Context, a app.Actor, email string) (u app.User, err error) {
	if err := a.May(app.MayOperate); err != nil {
		return u, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		none := fault.New(fault.NotFound, "", "There is no user %s.", email)
		if u, err = tx.UserByEmail(email); err != nil {
			return fault.OrMissing(err, none)
		}
		if still, err := tx.LockFactors(&u); err != nil || !still {
			return fault.OrMissing(orNot(err), none)
		}
		keys, err := tx.Passkeys(&u, app.Every)
		if err != nil {
			return err
		}
		for i := range keys {
			if err := tx.DeletePasskey(&keys[i]); err != nil {
				return err
			}
		}
		if err := tx.DeleteAuthenticator(&u); err != nil {
			return err
		}
		if err := tx.ReplaceRecoveryCodes(&u, nil); err != nil {
			return err
		}
		if err := tx.DeleteSessions(u.ID, nil); err != nil {
			return err
		}
		return s.note(tx, a, &u, audit.FactorsReset, Reset, "")
	})
	return u, err
}
