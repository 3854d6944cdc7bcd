package account

import (
	"context"
	"errors"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

const (
	inviteLife = 7 * when.Day
	maxMembers = 200
)

// MemberInput is the role of a member, and their host.
type MemberInput struct {
	Email string
	Role  app.Role
	Host  catalog.HostID // the host that the member is; staff see only this one's calendar
	Mail  bool           // the invitation is mailed to them
}

// Members lists the users of the workspace, the oldest first. The error is forbidden.
func (s *Service) Members(ctx context.Context, a app.Actor) ([]app.User, error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return nil, err
	}
	return s.Reader(ctx).Users(a.Workspace, maxMembers)
}

// Membership is a member and the set-up of their workspace, both read after the workspace was locked.
type Membership struct {
	app.User
	Setup *catalog.Setup
}

// checkMember checks what a member is to be, with the set-up as r sees it: what the transaction has changed, too.
func checkMember(r Reader, a app.Actor, in *MemberInput) error {
	if !slices.Contains(app.Roles, in.Role) {
		return fault.Invalid("role", "must be owner, manager or staff")
	}
	setup, err := r.Setup(a.Workspace)
	if err != nil {
		return err
	}
	if in.Host != 0 && setup.Host(in.Host) == nil {
		return fault.Invalid("host", "there is no such host in this workspace")
	}
	if in.Role == app.StaffRole && in.Host == 0 {
		return fault.Invalid("host", "is required: staff see the calendar of the host that they are")
	}
	return nil
}

// Invitation lets a user choose a password, by a link. The link is made of it again where the mail is sent, so that
// neither database nor queue holds one: who reads them needs the workspace's link key, too, which is sealed where the
// server has a secret key.
type Invitation struct {
	User  app.UserID   `json:"user"`
	Key   string       `json:"key"` // chosen at random for each
	Until when.Instant `json:"until"`
}

// token returns the end of the link, which needs the link key of a set-up that the Service has opened.
func (i *Invitation) token(setup *catalog.Setup) string {
	return setup.MAC("member\x00" + i.User.String() + "\x00" + i.Key)
}

// Path returns the path of the page on which the invitation is taken.
func (i *Invitation) Path(setup *catalog.Setup) string { return "/invite/" + i.token(setup) }

// Hash returns what is saved of an invitation that can be taken.
func (i *Invitation) Hash(setup *catalog.Setup) []byte { return hashToken(i.token(setup)) }

// Mailed reports whether an invitation to the role may be mailed. One of an owner may not: managers choose the mail
// server and read what it sends.
func Mailed(r app.Role) bool { return r != app.OwnerRole }

// invite makes an invitation in place of any that the user had, and mails it if mailed says so and their role may have
// it mailed.
func (s *Service) invite(tx Tx, u *app.User, mailed bool) (link string, err error) {
	setup, err := s.Core.Setup(u.WorkspaceID)
	if err != nil {
		return "", err
	}
	i := Invitation{User: u.ID, Until: when.At(s.Core.Now().Add(inviteLife))}
	i.Key, _ = secretToken()
	if err := tx.SaveInvitation(u.ID, i.Hash(setup), i.Until); err != nil {
		return "", err
	}
	if mailed && Mailed(u.Role) {
		err = s.mail(tx, u, i)
	}
	return s.Core.BaseURL() + i.Path(setup), err
}

// Invite creates a member without a password, and the link with which they choose one. It works once, for a week.
// Errors: forbidden, bad_request, conflict email_taken, conflict too_many_members.
func (s *Service) Invite(ctx context.Context, a app.Actor, in MemberInput) (u app.User, link string, err error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return u, "", err
	}
	in.Email, err = fault.CheckEmail("email", in.Email)
	if wrong := checkMember(s.Reader(ctx), a, &in); wrong != nil && fault.As(wrong) == nil {
		return u, "", wrong
	} else if err = fault.Join(err, wrong); err != nil {
		return u, "", err
	}
	if err := notAboveMember(a, in.Role); err != nil {
		return u, "", err
	}
	now := s.Core.Now()
	u = app.User{ID: id.New[app.UserIDKind](now), WorkspaceID: a.Workspace, Email: in.Email, Role: in.Role,
		HostID: in.Host, CreatedAt: when.At(now)}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil {
			return err
		}
		all, err := tx.Users(a.Workspace, maxMembers)
		if err != nil {
			return err
		}
		if len(all) == maxMembers {
			return fault.Conflictf("too_many_members", "A workspace has at most %d members.", maxMembers)
		}
		if err := tx.InsertUser(&u); errors.Is(err, fault.ErrTaken) {
			return fault.New(fault.Conflict, "email_taken", "Somebody signs in with this address already.").At("email")
		} else if err != nil {
			return err
		}
		if link, err = s.invite(tx, &u, in.Mail); err != nil {
			return err
		}
		return audit.Note(tx, now, a, audit.Entry{Action: audit.MemberInvited, Subject: u.ID.String(), To: string(u.Role)})
	})
	return u, link, err
}

// InviteAgain makes a new link for a member who has lost the invitation or forgotten the password. The present password
// works until the link is used. mailed has it mailed to them. Errors: forbidden, not_found.
func (s *Service) InviteAgain(ctx context.Context, a app.Actor, ref string, mailed bool) (u app.User, link string, err error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return u, "", err
	}
	u, err = s.changeMember(ctx, a, ref, func(tx Tx, u *app.User) (err error) {
		if link, err = s.invite(tx, u, mailed); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.MemberInvitedAgain, Subject: u.ID.String()})
	})
	return u, link, err
}

// ChangeMember gives a member another role or host. Errors: forbidden, not_found, bad_request, conflict last_owner.
func (s *Service) ChangeMember(ctx context.Context, a app.Actor, ref string, in MemberInput) (app.User, error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return app.User{}, err
	}
	return s.EditMember(ctx, a, ref, func(Membership) (MemberInput, error) { return in, nil })
}

// EditMember changes a member as ChangeMember does; change gets the member as read after the lock, and returns what to
// save.
func (s *Service) EditMember(ctx context.Context, a app.Actor, ref string,
	change func(Membership) (MemberInput, error)) (app.User, error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return app.User{}, err
	}
	return s.changeMember(ctx, a, ref, func(tx Tx, u *app.User) error {
		setup, err := tx.Setup(a.Workspace)
		if err != nil {
			return err
		}
		in, err := change(Membership{*u, setup})
		if err != nil {
			return err
		}
		if err := checkMember(tx, a, &in); err != nil {
			return err
		}
		if err := notAboveMember(a, in.Role); err != nil {
			return err
		}
		if u.Role == app.OwnerRole && in.Role != app.OwnerRole {
			if err := keepsAnOwner(tx, u); err != nil {
				return err
			}
		}
		was := *u
		u.Role, u.HostID = in.Role, in.Host
		if err := tx.SetRole(u); err != nil || was == *u {
			return err
		}
		return audit.Note(tx, s.Now(), a, roleChanged(&was, u))
	})
}

func roleChanged(was, is *app.User) audit.Entry {
	e := audit.Entry{Action: audit.MemberChanged, Subject: is.ID.String()}
	if was.Role != is.Role {
		e.Fields, e.From, e.To = append(e.Fields, "role"), string(was.Role), string(is.Role)
	}
	if was.HostID != is.HostID {
		e.Fields = append(e.Fields, "host")
	}
	return e
}

// RemoveMember ends a membership and its sessions if all checks, which get it as it is, return nil. Errors: forbidden,
// not_found, conflict last_owner and those of checks.
func (s *Service) RemoveMember(ctx context.Context, a app.Actor, ref string,
	checks ...func(Membership) error) (app.User, error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return app.User{}, err
	}
	return s.changeMember(ctx, a, ref, func(tx Tx, u *app.User) error {
		setup, err := tx.Setup(a.Workspace)
		if err != nil {
			return err
		}
		if err := fault.Agree(Membership{*u, setup}, checks); err != nil {
			return err
		}
		if err := keepsAnOwner(tx, u); err != nil {
			return err
		}
		if err := tx.DeleteUser(u.ID); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), a, audit.Entry{Action: audit.MemberRemoved, Subject: u.ID.String(),
			From: string(u.Role)})
	})
}

func keepsAnOwner(tx Tx, but *app.User) error {
	all, err := tx.Users(but.WorkspaceID, maxMembers)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(u app.User) bool {
		return u.Role == app.OwnerRole && u.ID != but.ID &&
			u.PasswordHash != ""
	}) || but.Role != app.OwnerRole {
		return nil
	}
	return fault.Conflictf("last_owner", "A workspace needs an owner: make somebody else one first.")
}

func (s *Service) changeMember(ctx context.Context, a app.Actor, ref string,
	change func(Tx, *app.User) error) (u app.User, err error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return u, err
	}
	missing := fault.Missing("member", ref)
	id, err := id.Parse[app.UserIDKind](ref)
	if err != nil {
		return u, missing
	}
	err = s.Write(ctx, func(tx Tx) error {
		if err := tx.LockWorkspace(a.Workspace); err != nil { // its other owners are looked at behind this
			return err
		}
		if u, err = tx.User(id); err != nil {
			return fault.OrMissing(err, missing)
		}
		if u.WorkspaceID != a.Workspace {
			return missing
		}
		if err := notAboveMember(a, u.Role); err != nil {
			return err
		}
		return change(tx, &u)
	})
	return u, err
}

// Member returns one member of the workspace. Errors: forbidden, not_found.
func (s *Service) Member(ctx context.Context, a app.Actor, ref string) (app.User, error) {
	if err := a.May(app.MayManageMembers); err != nil {
		return app.User{}, err
	}
	id, err := id.Parse[app.UserIDKind](ref)
	if err != nil {
		return app.User{}, fault.Missing("member", ref)
	}
	u, err := s.Reader(ctx).User(id)
	if err == nil && u.WorkspaceID != a.Workspace {
		err = fault.ErrNotFound
	}
	return u, fault.OrMissing(err, fault.Missing("member", ref))
}

func errInvitation() *fault.Error {
	return fault.New(fault.NotFound, "invitation",
		"This invitation has been used, replaced, or is older than a week. Ask for a new one.")
}

// InvitationOf returns the member whom the link invites. Errors: not_found.
func (s *Service) InvitationOf(ctx context.Context, token string) (app.User, error) {
	u, err := invitedBy(s.Reader(ctx), token, s.Core.Now())
	if err != nil {
		return u, err
	}
	setup, err := s.Core.Setup(u.WorkspaceID)
	if err != nil {
		return u, err
	}
	return u, setup.Workspace.Open()
}

func invitedBy(r Reader, token string, now time.Time) (app.User, error) {
	id, until, err := r.Invitation(hashToken(token))
	if err != nil {
		return app.User{}, fault.OrMissing(err, errInvitation())
	}
	if until <= when.At(now) {
		return app.User{}, errInvitation()
	}
	u, err := r.User(id)
	return u, fault.OrMissing(err, errInvitation())
}

// TakeInvitation sets the member's password, ends their other sessions, and signs them in.
// Errors: not_found (the link), bad_request, rate_limited.
func (s *Service) TakeInvitation(ctx context.Context, token, password,
	agent string) (session string, u app.User, err error) {
	if _, err := s.InvitationOf(ctx, token); err != nil {
		return "", u, err
	}
	if err := checkPassword(password); err != nil {
		return "", u, err
	}
	err = s.attempt(ctx, linkAttempt("invite", token), linkAttempt("invite", token), func() error {
		hash, err := hashPassword(ctx, password)
		if err != nil {
			return err
		}
		return s.Write(ctx, func(tx Tx) error {
			if u, err = invitedBy(tx, token, s.Core.Now()); err != nil {
				return err
			}
			u.PasswordHash = hash
			if err := tx.SetPassword(&u); err != nil {
				return fault.OrMissing(err, errInvitation())
			}
			if _, err := invitedBy(tx, token, s.Core.Now()); err != nil { // taken while the member's row was locked
				return err
			}
			if err := tx.DeleteSessions(u.ID, nil); err != nil {
				return err
			}
			if err := tx.SaveInvitation(u.ID, nil, 0); err != nil {
				return err
			}
			return audit.Note(tx, s.Now(), u.Actor(), audit.Entry{Action: audit.PasswordChanged, Subject: u.ID.String(),
				To: byInvitation, Door: audit.SignIn})
		})
	})
	if err != nil {
		return "", u, err
	}
	session, err = s.newSession(ctx, u, agent, byInvitation, false)
	return session, u, err
}
