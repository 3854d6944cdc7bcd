package factor

import (
	"context"
	"errors"
	"strings"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/fault"
	"daybook/app/when"
)

// NewApp is what an authenticator app must be given, before it is confirmed.
type NewApp struct {
	Token  string // to AddApp
	Secret string // base32, for who can't scan
	URI    string // for the QR code
}

// BeginApp makes a secret for the member's app. The app does not count until AddApp.
func (s *Service) BeginApp(ctx context.Context, w Who) (NewApp, error) {
	secret := newSecret()
	token, err := s.ask(ctx, w.Session, secret)
	if err != nil {
		return NewApp{}, err
	}
	return s.shown(token, secret, &w.User)
}

// AppAgain returns again what BeginApp made, after a wrong code. Errors: conflict sign_in_over.
func (s *Service) AppAgain(ctx context.Context, w Who, token string) (NewApp, error) {
	secret, err := s.asked(s.Reader(ctx), token, w.Session)
	if err != nil {
		return NewApp{}, err
	}
	return s.shown(token, secret, &w.User)
}

func (s *Service) shown(token string, secret []byte, u *app.User) (NewApp, error) {
	setup, err := s.Core.Setup(u.WorkspaceID)
	if err != nil {
		return NewApp{}, err
	}
	return NewApp{Token: token, Secret: unpadded.EncodeToString(secret),
		URI: keyURI(secret, setup.Workspace.Name, u.Email)}, nil
}

func errCode() *fault.Error {
	return fault.New(fault.BadRequest, "wrong_code",
		"That code is wrong, or was used already. Take the one that is shown now.").At("code")
}

// AddApp confirms the app by one of its codes. It returns the member's recovery codes if this is their first factor,
// else nil. Errors: bad_request wrong_code, conflict sign_in_over, conflict sign_in_again, conflict app_there,
// rate_limited.
func (s *Service) AddApp(ctx context.Context, w Who, token, code string) (codes []string, err error) {
	err = s.accounts.Attempt(ctx, attempts(&w.User), func() error {
		return s.change(ctx, w, func(tx Tx, u *app.User, now State) error {
			if now.App != 0 {
				return fault.Conflictf("app_there", "You have an authenticator app already. Remove it first.")
			}
			secret, err := s.asked(tx, token, w.Session)
			if err != nil {
				return err
			}
			step, ok := stepOf(secret, digits(code), s.Now())
			if !ok {
				return errCode()
			}
			if taken, err := tx.TakeChallenge(hashed(token)); err != nil || !taken {
				return fault.OrMissing(orNot(err), errOver())
			}
			a := App{User: *u, Secret: s.Core.Vault().Seal(secret), Since: when.At(s.Now()), Step: step}
			if err := tx.SaveAuthenticator(&a); err != nil {
				return err
			}
			if err := tx.ProveFactor(w.Session, when.At(s.Now())); err != nil {
				return err
			}
			if codes, err = s.firstCodes(tx, u, &now); err != nil {
				return err
			}
			return s.note(tx, u.Actor(), u, audit.FactorAdded, AppAdded, "")
		})
	})
	return codes, err
}

// orNot turns no error into ErrNotFound.
func orNot(err error) error {
	if err == nil {
		return fault.ErrNotFound
	}
	return err
}

// digits returns a code without what people put between.
func digits(code string) string {
	return strings.NewReplacer(" ", "", "-", "").Replace(strings.TrimSpace(code))
}

// RemoveApp deletes the member's app. Errors: conflict sign_in_again, conflict factor_required.
func (s *Service) RemoveApp(ctx context.Context, w Who) error {
	return s.change(ctx, w, func(tx Tx, u *app.User, now State) error {
		if now.App == 0 {
			return nil
		}
		if err := tx.DeleteAuthenticator(u); err != nil {
			return err
		}
		now.App = 0
		return s.removed(tx, u, &now, AppRemoved, "")
	})
}

// removed ends what depends on a factor that is gone: the last one may not go while the role needs one, and takes the
// recovery codes with it.
func (s *Service) removed(tx Tx, u *app.User, left *State, what Change, name string) error {
	if !left.Any() {
		if left.Required {
			return fault.Conflictf("factor_required",
				"Your role needs a second factor here. Add another one before you remove this one.")
		}
		if err := tx.ReplaceRecoveryCodes(u, nil); err != nil {
			return err
		}
	}
	return s.note(tx, u.Actor(), u, audit.FactorRemoved, what, name)
}

// attempts returns the account under which a member's attempts are counted.
func attempts(u *app.User) string { return "factor:" + fault.EmailKey(u.Email) }

// ShowCode makes the member's half session whole, by a code of their app or a recovery code. With again the password
// has been checked, too, so it counts as signing in again. Errors: bad_request wrong_code, conflict sign_in_again (the
// password was long ago), rate_limited.
func (s *Service) ShowCode(ctx context.Context, w Who, code string, again bool) error {
	err := s.accounts.Attempt(ctx, attempts(&w.User), func() error {
		return s.Write(ctx, func(tx Tx) error {
			proven, _, err := tx.Proven(w.Session, &w.User)
			if err != nil {
				return fault.OrMissing(err, errAgain())
			}
			if !again && !Recent(proven, s.Now()) {
				return errAgain()
			}
			how, err := s.take(tx, &w.User, code)
			if err != nil {
				return err
			}
			return s.proven(tx, w, how, again)
		})
	})
	return s.orNoted(ctx, err, &w.User)
}

// The words in the log for how a factor was shown.
const (
	byApp     = "app"
	byCode    = "recovery_code"
	byPasskey = "passkey"
)

// proven notes that the session's member showed a factor.
func (s *Service) proven(tx Tx, w Who, how string, again bool) error {
	if err := tx.ProveFactor(w.Session, when.At(s.Now())); err != nil {
		return err
	}
	if again {
		if err := tx.ProveAgain(w.Session, when.At(s.Now())); err != nil {
			return err
		}
	}
	return audit.Note(tx, s.Now(), w.User.Actor(), audit.Entry{Action: audit.FactorShown, Subject: w.User.ID.String(),
		To: how, Door: audit.SignIn})
}

// take uses a code up, and says which kind it was.
func (s *Service) take(tx Tx, u *app.User, code string) (how string, err error) {
	if plain := digits(code); len(plain) == codeDigits {
		a, err := tx.Authenticator(u)
		if errors.Is(err, fault.ErrNotFound) {
			return "", errCode()
		}
		if err != nil {
			return "", err
		}
		secret, err := s.Core.Vault().Open(a.Secret)
		if err != nil {
			return "", err
		}
		step, ok := stepOf(secret, plain, s.Now())
		if !ok {
			return "", errCode()
		}
		if ok, err = tx.TakeStep(u, step); err == nil && !ok { // it was used, maybe at this moment
			err = errCode()
		}
		return byApp, err
	}
	taken, err := tx.TakeRecoveryCode(u, codeHash(u, code))
	if err != nil {
		return "", err
	}
	if !taken {
		return "", errCode()
	}
	return byCode, s.tell(tx, u, CodeUsed, "")
}

// orNoted is err; a factor that was wrong is logged, once an hour.
func (s *Service) orNoted(ctx context.Context, err error, u *app.User) error {
	if wrong := fault.As(err); wrong == nil || wrong.Reason != errCode().Reason && wrong.Reason != errPasskey().Reason {
		return err
	}
	noted := s.Write(context.WithoutCancel(ctx), func(tx Tx) error {
		if still, err := tx.LockFactors(u); err != nil || !still {
			return err
		}
		e := audit.Entry{Action: audit.FactorRefused, Subject: u.ID.String(), Workspace: u.WorkspaceID, Door: audit.SignIn}
		there, err := tx.AuditedSince(e.Workspace, e.Subject, e.Action, s.Now().Add(-failedSpan))
		if err != nil || there {
			return err
		}
		return audit.Note(tx, s.Now(), app.Actor{}, e)
	})
	if noted != nil {
		return noted
	}
	return err
}
