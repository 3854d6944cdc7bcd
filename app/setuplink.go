package app

import "context"

// FirstInput is what the first owner of a server says of themselves and the business.
type FirstInput struct {
	Email, Password string
	Workspace       WorkspaceInput
	Agent           string
}

func errSetupLink() *Error {
	return &Error{Code: NotFound, Reason: "setup_link", Message: "This set-up link has been used, replaced, or is older than an hour. Restart the server to have a new one printed."}
}

// CheckSetupLink is the not_found error of a set-up link that does not work, or nil.
func (s *Service) CheckSetupLink(token string) error {
	until, err := s.store.SetupLink(hashToken(token))
	if err != nil {
		return orMissing(err, errSetupLink())
	}
	if until <= At(s.clock()) {
		return errSetupLink()
	}
	return nil
}

// TakeSetupLink makes the first workspace and its owner, signs them in and uses the link up, all or nothing.
// Errors: not_found (the link), bad_request, conflict slug_taken.
func (s *Service) TakeSetupLink(ctx context.Context, token string, in FirstInput) (session string, u User, err error) {
	if err := s.CheckSetupLink(token); err != nil {
		return "", u, err
	}
	email, err := checkEmail("email", in.Email)
	first := in.Workspace.workspace()
	if err = Join(err, checkPassword(in.Password), first.check()); err != nil {
		return "", u, err
	}
	hash, err := hashPassword(in.Password)
	if err != nil {
		return "", u, err
	}
	err = s.write(ctx, func(tx Tx) error {
		until, err := tx.SetupLink(hashToken(token))
		if err != nil {
			return orMissing(err, errSetupLink())
		}
		now := s.clock()
		if until <= At(now) {
			return errSetupLink()
		}
		w, err := s.insertWorkspace(tx, in.Workspace)
		if err != nil {
			return err
		}
		u = User{ID: NewID[userKind](now), WorkspaceID: w.ID, Workspace: w.Slug, Email: email, Role: OwnerRole, CreatedAt: At(now), PasswordHash: hash}
		if err := tx.InsertUser(&u); err != nil {
			return err
		}
		return tx.ReplaceSetupLink(nil, 0)
	})
	if err != nil {
		return "", u, err
	}
	session, err = s.newSession(ctx, u, in.Agent)
	return session, u, err
}
