package account

import (
	"context"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/fault"
	"daybook/app/when"
)

// failedSpan is how seldom the log says of a member that a password was wrong, so that who tries many does not fill it.
const failedSpan = time.Hour

// noteFailed logs a sign-in that failed with err, unless no password was looked at. For an address of nobody it does
// the same work but for the entry, so that the time of the answer does not tell who has an account.
func (s *Service) noteFailed(ctx context.Context, err error, in SignInInput) error {
	if wrong := fault.As(err); wrong == nil || wrong.Reason != errSignIn().Reason {
		return nil
	}
	return s.noteSeldom(ctx, fault.EmailKey(in.Email), func(tx Tx) error {
		u, err := tx.UserByEmail(in.Email)
		if err == fault.ErrNotFound {
			return nil
		}
		if err != nil {
			return err
		}
		return s.noteHourly(tx, &u, app.Actor{}, audit.Entry{Action: audit.SignInFailed, Device: audit.Device(in.Agent)})
	})
}

// noteRefused logs that who is signed in as the member did not know the present password.
func (s *Service) noteRefused(ctx context.Context, err error, u *app.User) error {
	if wrong := fault.As(err); wrong == nil || wrong.Reason != errPresentPassword().Reason {
		return nil
	}
	return s.noteSeldom(ctx, "change:"+fault.EmailKey(u.Email), func(tx Tx) error {
		return s.noteHourly(tx, u, u.Actor(), audit.Entry{Action: audit.PasswordRefused})
	})
}

// noteSeldom runs note for the first failure of an account in signInSpan.
func (s *Service) noteSeldom(ctx context.Context, account string, note func(Tx) error) error {
	first, now := newTally("f:"+account, 1), s.Core.Now()
	return s.Write(context.WithoutCancel(ctx), func(tx Tx) error {
		counted, err := tx.CountAttempt(first.of, first.most, when.At(now), when.At(now.Add(-signInSpan)),
			when.At(now.Add(signInSpan)))
		if err != nil || !counted {
			return err
		}
		return note(tx)
	})
}

// noteHourly writes the entry unless the log has such a one of the last hour. It needs the lock of noteSeldom.
func (s *Service) noteHourly(tx Tx, u *app.User, a app.Actor, e audit.Entry) error {
	e.Workspace, e.Subject = u.WorkspaceID, u.ID.String()
	there, err := tx.AuditedSince(e.Workspace, e.Subject, e.Action, s.Core.Now().Add(-failedSpan))
	if err != nil || there {
		return err
	}
	return audit.Note(tx, s.Now(), a, e)
}
