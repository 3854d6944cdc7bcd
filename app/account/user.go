package account

import (
	"context"
	"errors"
	"slices"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// UserInput describes a new member.
type UserInput struct {
	Email    string
	Role     app.Role
	Host     catalog.HostID // of staff: the host that they are
	Password string         // "" for an invitation that is still to be taken
}

// CreateUser makes a member of the actor's workspace. Errors: forbidden, bad_request, conflict email_taken.
func (s *Service) CreateUser(ctx context.Context, a app.Actor, in UserInput) (u app.User, err error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return u, err
	}
	email, err := fault.CheckEmail("email", in.Email)
	if err != nil {
		return u, err
	}
	if !slices.Contains(app.Roles, in.Role) {
		return u, fault.Invalid("role", "must be owner, manager or staff")
	}
	hash := ""
	if in.Password != "" {
		if hash, err = hashPassword(ctx, in.Password); err != nil {
			return u, err
		}
	}
	ws, err := s.Reader(ctx).Workspace(a.Workspace)
	if err != nil {
		return u, err
	}
	now := s.Core.Now()
	u = app.User{
		ID: id.New[app.UserIDKind](now), WorkspaceID: a.Workspace, Workspace: ws.Slug, Email: email,
		Role: in.Role, HostID: in.Host, CreatedAt: when.At(now), PasswordHash: hash,
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.ReplaceSetupLink(nil, 0); err != nil { // it ends with the first user; who is taking it goes first
			return err
		}
		if err := tx.InsertUser(&u); err != nil {
			return err
		}
		return audit.Note(tx, now, a, audit.Entry{Action: audit.MemberCreated, Subject: u.ID.String(), To: string(u.Role)})
	})
	if errors.Is(err, fault.ErrTaken) {
		return u, fault.Conflictf("email_taken", "There is a user %s already.", email)
	}
	return u, err
}

// SetPassword gives a user of any workspace a new password and ends all their sessions, since somebody else may know
// the old one. Errors: forbidden, bad_request, not_found, rate_limited.
func (s *Service) SetPassword(ctx context.Context, a app.Actor, email, password string) (u app.User, err error) {
	if err := a.May(app.MayOperate); err != nil {
		return u, err
	}
	hash, err := hashPassword(ctx, password)
	if err != nil {
		return u, err
	}
	err = s.Write(ctx, func(tx Tx) error {
		none := fault.New(fault.NotFound, "", "There is no user %s.", email)
		if u, err = tx.UserByEmail(email); err != nil {
			return fault.OrMissing(err, none)
		}
		u.PasswordHash = hash
		if err := tx.SetPassword(&u); err != nil {
			return fault.OrMissing(err, none)
		}
		if err := tx.DeleteSessions(u.ID, nil); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.PasswordChanged, Subject: u.ID.String(),
			To: "operator", Workspace: u.WorkspaceID})
	})
	return u, err
}
