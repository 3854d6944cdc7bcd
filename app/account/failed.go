package account

import (
	"context"
	"errors"
	"sync"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/fault"
	"daybook/app/when"
)

// failedSpan is how seldom the log says of a member that a password was wrong, so that trying many does not fill it.
const failedSpan = time.Hour

// maxFailed is how many members' failed sign-ins wait to be logged. The hashing of passwords lets fewer fail in the
// minute between two writes.
const maxFailed = 10_000

// failedSignIns are those that the log doesn't have yet, the first of each member. They are written every minute and
// when the server stops, never by the request that failed: its work would tell who has an account.
type failedSignIns struct {
	mu      sync.Mutex
	waiting map[app.UserID]failedSignIn
}

type failedSignIn struct {
	user  app.User
	at    time.Time
	agent string
}

// add reports false when it has no room for another member.
func (f *failedSignIns) add(one failedSignIn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.waiting[one.user.ID]; ok {
		return true
	}
	if len(f.waiting) >= maxFailed {
		return false
	}
	if f.waiting == nil {
		f.waiting = map[app.UserID]failedSignIn{}
	}
	f.waiting[one.user.ID] = one
	return true
}

func (f *failedSignIns) take() map[app.UserID]failedSignIn {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.waiting
	f.waiting = nil
	return all
}

// noteFailed remembers for the log that the sign-in of u failed with err, unless no password was looked at or u is
// nobody.
func (s *Service) noteFailed(ctx context.Context, err error, u app.User, in SignInInput) error {
	if wrong := fault.As(err); wrong == nil || wrong.Reason != errSignIn().Reason || u.ID == 0 {
		return nil
	}
	one := failedSignIn{u, s.Core.Now(), in.Agent}
	if s.failed.add(one) {
		return nil
	}
	return s.saveFailedSignIn(context.WithoutCancel(ctx), &one)
}

// saveFailed logs the failed sign-ins that wait. Those that can't be written now wait on.
func (s *Service) saveFailed(ctx context.Context) (err error) {
	for _, one := range s.failed.take() {
		if err == nil {
			err = s.saveFailedSignIn(ctx, &one)
		}
		if err != nil && !s.failed.add(one) {
			err = errors.Join(err, errors.New("too many failed sign-ins wait: one of a member isn't logged"))
		}
	}
	return err
}

func (s *Service) saveFailedSignIn(ctx context.Context, one *failedSignIn) error {
	return s.noteSeldom(ctx, fault.EmailKey(one.user.Email), one.at, func(tx Tx) error {
		u, err := tx.User(one.user.ID)
		if errors.Is(err, fault.ErrNotFound) { // removed meanwhile
			return nil
		}
		if err != nil {
			return err
		}
		return s.noteHourly(tx, &u, app.Actor{}, one.at,
			audit.Entry{Action: audit.SignInFailed, Device: audit.Device(one.agent)})
	})
}

// noteRefused logs that whoever is signed in as the member did not know the present password.
func (s *Service) noteRefused(ctx context.Context, err error, u *app.User) error {
	if wrong := fault.As(err); wrong == nil || wrong.Reason != errPresentPassword().Reason {
		return nil
	}
	at := s.Core.Now()
	return s.noteSeldom(context.WithoutCancel(ctx), "change:"+fault.EmailKey(u.Email), at, func(tx Tx) error {
		return s.noteHourly(tx, u, u.Actor(), at, audit.Entry{Action: audit.PasswordRefused})
	})
}

// noteSeldom runs note for the first failure of an account in signInSpan.
func (s *Service) noteSeldom(ctx context.Context, account string, at time.Time, note func(Tx) error) error {
	first := newTally("f:"+account, 1)
	return s.Write(ctx, func(tx Tx) error {
		counted, err := tx.CountAttempt(first.of, first.most, when.At(at), when.At(at.Add(-signInSpan)),
			when.At(at.Add(signInSpan)))
		if err != nil || !counted {
			return err
		}
		return note(tx)
	})
}

// noteHourly writes the entry of that time unless the log has such a one of the hour before it or later. It needs the
// lock of noteSeldom.
func (s *Service) noteHourly(tx Tx, u *app.User, a app.Actor, at time.Time, e audit.Entry) error {
	e.Workspace, e.Subject = u.WorkspaceID, u.ID.String()
	there, err := tx.AuditedSince(e.Workspace, e.Subject, e.Action, at.Add(-failedSpan))
	if err != nil || there {
		return err
	}
	return audit.Note(tx, at, a, e)
}
