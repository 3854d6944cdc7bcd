package account

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/id"
	"daybook/app/when"
)

// setupLinkLife is how long a set-up link works.
const setupLinkLife = time.Hour

// FirstInput is what the first owner of a server enters about themselves and the business.
type FirstInput struct {
	Email, Password string
	Workspace       catalog.WorkspaceInput // of a new workspace; the zero value for the one that there is
	Agent           string
}

func errSetupLink() *fault.Error {
	return fault.New(fault.NotFound, "setup_link",
		"This set-up link has been used, replaced, or is older than an hour. Restart the server to have a new "+
			"one printed.")
}

func errSetUp() *fault.Error {
	return fault.New(fault.NotFound, "setup_link",
		"This server has an owner already, so the set-up link has ended. Sign in, or ask an owner to invite you.")
}

// NewSetupLink makes the one-time link with which a server without users is set up. It works for an hour or until there
// is a user, and replaces the previous link. It returns "" if there already is a user.
func (s *Service) NewSetupLink(ctx context.Context) (string, error) {
	token, hash := secretToken()
	made := false
	err := s.Write(ctx, func(tx Tx) error {
		made = false
		has, err := tx.HasUsers()
		if err != nil || has {
			return err
		}
		made = true
		return tx.ReplaceSetupLink(hash, when.At(s.Core.Now().Add(setupLinkLife)))
	})
	if err != nil || !made {
		return "", err
	}
	return s.Core.BaseURL() + "/setup/" + token, nil
}

// SetupLink returns the workspace that the holder of a set-up link will own, if the server was set up by a file; nil if
// they will create one. Errors: not_found.
func (s *Service) SetupLink(ctx context.Context, token string) (*catalog.Workspace, error) {
	return s.setupLink(s.Reader(ctx), token)
}

func (s *Service) setupLink(r Reader, token string) (*catalog.Workspace, error) {
	has, err := r.HasUsers()
	if err != nil {
		return nil, err
	}
	if has {
		return nil, errSetUp()
	}
	until, err := r.SetupLink(hashToken(token))
	if err != nil {
		return nil, fault.OrMissing(err, errSetupLink())
	}
	if until <= when.At(s.Core.Now()) {
		return nil, errSetupLink()
	}
	all, err := r.Workspaces(2)
	if err != nil || len(all) != 1 {
		return nil, err
	}
	return &all[0], nil
}

// TakeSetupLink creates the first owner, of a new workspace or of the existing one, signs them in and uses up the link,
// all in one transaction. Errors: not_found (the link), bad_request, conflict slug_taken, conflict setup_changed,
// rate_limited.
func (s *Service) TakeSetupLink(ctx context.Context, token string,
	in FirstInput) (session string, u app.User, err error) {
	there, err := s.SetupLink(ctx, token)
	if err != nil {
		return "", u, err
	}
	email, err := fault.CheckEmail("email", in.Email)
	err = fault.Join(err, checkPassword(in.Password))
	if there == nil || in.Workspace != (catalog.WorkspaceInput{}) {
		first := in.Workspace.Workspace()
		err = fault.Join(err, first.Check())
	}
	if err != nil {
		return "", u, err
	}
	err = s.attempt(ctx, linkAttempt("setup", token), linkAttempt("setup", token), func() error {
		hash, err := hashPassword(ctx, in.Password)
		if err != nil {
			return err
		}
		return s.Write(ctx, func(tx Tx) error {
			if err := tx.LockSetupLinks(); err != nil {
				return err
			}
			w, made, err := s.firstWorkspace(tx, token, in.Workspace)
			if err != nil {
				return err
			}
			now := s.Core.Now()
			u = app.User{
				ID: id.New[app.UserIDKind](now), WorkspaceID: w.ID, Workspace: w.Slug, Email: email, Role: app.OwnerRole,
				CreatedAt: when.At(now), PasswordHash: hash,
			}
			if err := tx.InsertUser(&u); err != nil {
				return err
			}
			if err := tx.ReplaceSetupLink(nil, 0); err != nil {
				return err
			}
			if made {
				err := audit.Note(tx, now, u.Actor(), audit.Entry{Action: audit.WorkspaceCreated, Door: audit.SignIn})
				if err != nil {
					return err
				}
			}
			return audit.Note(tx, now, u.Actor(), audit.Entry{Action: audit.MemberCreated, Subject: u.ID.String(),
				To: string(u.Role), Door: audit.SignIn})
		})
	})
	if err != nil {
		return "", u, err
	}
	session, err = s.newSession(ctx, u, in.Agent, bySetupLink, false)
	return session, u, err
}

// firstWorkspace returns the workspace that the holder of the set-up link gets, and whether it was made. It must be the
// one that they saw.
func (s *Service) firstWorkspace(tx Tx, token string, in catalog.WorkspaceInput) (w catalog.Workspace, made bool,
	err error) {
	there, err := s.setupLink(tx, token)
	switch {
	case err != nil:
		return w, false, err
	case there != nil && in != (catalog.WorkspaceInput{}):
		return w, false, fault.Conflictf("setup_changed", "%s was set up meanwhile: you will own that.", there.Name)
	case there != nil:
		return *there, false, nil
	}
	w, err = s.Core.InsertWorkspace(tx, in)
	return w, true, err
}
