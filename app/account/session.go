package account

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/fault"
	"daybook/app/when"
)

const (
	sessionIdle  = 7 * when.Day  // without a request, a session ends
	sessionLife  = 30 * when.Day // at the latest
	sessionTouch = 5 * time.Minute
)

// Session is one browser in which a member is signed in. Its token is in the cookie; only its hash is stored.
type Session struct {
	Hash      []byte
	User      app.User
	Agent     string
	CreatedAt when.Instant
	SeenAt    when.Instant

	ProvenAt    when.Instant // when the member last showed who they are: by the password, and a factor if they had one
	FactorAt    when.Instant // when they showed a second factor in it; 0: not yet
	HasFactor   bool         // the member has one
	NeedsFactor bool         // the owners require one of the member's role
	SuspendedAt when.Instant // of their workspace, see catalog.Workspace
}

// Half reports whether the session gives no rights yet, because its member must first show their second factor or set
// one up.
func (s *Session) Half() bool { return s.FactorAt == 0 && (s.HasFactor || s.NeedsFactor) }

// SessionReader finds sessions and invitations.
type SessionReader interface {
	Session(hash []byte) (Session, error)
	Sessions(u app.UserID, limit int) ([]Session, error) // the latest used first
	User(id app.UserID) (app.User, error)
	// Invitation returns for whom an invitation is and when it ends. Errors: ErrNotFound.
	Invitation(hash []byte) (app.UserID, when.Instant, error)
}

// SessionWriter saves sessions and invitations.
type SessionWriter interface {
	InsertSession(s *Session) error
	TouchSession(hash []byte, at when.Instant) error
	DeleteSession(hash []byte) error
	// DeleteSessions ends all sessions of a user except the one with that hash.
	DeleteSessions(u app.UserID, except []byte) error
	// PruneSessions deletes at most limit sessions that were last used before idle.
	PruneSessions(idle when.Instant, limit int) (int, error)
	DeleteUser(id app.UserID) error
	// SaveInvitation replaces a user's invitation; a nil hash leaves none.
	SaveInvitation(u app.UserID, hash []byte, until when.Instant) error
}

// SignInInput is what somebody enters to sign in.
type SignInInput struct {
	Email, Password string
	Address         string // where the request comes from
	Agent           string
	Browser         string // what KnownBrowser made for this browser, or ""
}

// errSignIn returns the answer to every failed attempt, so that nobody learns who has an account.
func errSignIn() *fault.Error {
	return fault.New(fault.Unauthorized, "wrong_credentials",
		"That e-mail and password don't match. Check both and try again.")
}

// KnownBrowser returns a value for a cookie of a browser in which u has signed in, so that their next sign-in doesn't
// wait behind those of strangers. It gives no rights, and is void once the password changes.
func KnownBrowser(u *app.User) string {
	if u.PasswordHash == "" {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(u.PasswordHash))
	mac.Write([]byte("a known browser"))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// turnOf returns when the password of whoever signs in is looked at; u is the member with their e-mail address, if any.
func turnOf(u *app.User, browser string) turn {
	known := KnownBrowser(u)
	switch {
	case known == "":
		return strangerTurn
	case hmac.Equal([]byte(known), []byte(browser)):
		return knownTurn
	}
	return memberTurn
}

// SignIn makes a session. Errors: unauthorized (the same for an unknown address and a wrong password), rate_limited,
// that of ctx.
func (s *Service) SignIn(ctx context.Context, in SignInInput) (token string, u app.User, err error) {
	found, err := s.Reader(ctx).UserByEmail(in.Email)
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return "", app.User{}, err
	}
	account, from, turn := fault.EmailKey(in.Email), in.Address, turnOf(&found, in.Browser)
	if turn == knownTurn { // what strangers try doesn't count for it, wherever they are
		account = "browser:" + in.Browser
		from = account
	}
	err = s.attempt(ctx, account, from, func() error {
		hash := found.PasswordHash
		if hash == "" {
			hash = nobodysHash() // the same work whether the user exists or not
		}
		ok, err := verifyPassword(ctx, turn, in.Password, hash)
		if err != nil {
			return err
		}
		if !ok || found.ID == 0 {
			return errSignIn()
		}
		u = found
		return nil
	})
	if err != nil {
		return "", app.User{}, cmp.Or(s.noteFailed(ctx, err, found, in), err)
	}
	token, err = s.newSession(ctx, u, in.Agent, "password", false)
	return token, u, err
}

// OpenSession signs a member in who has shown a passkey that stands for both factors. Errors: unauthorized, if they
// were removed or their password was changed meanwhile.
func (s *Service) OpenSession(ctx context.Context, u app.User, agent string) (token string, err error) {
	return s.newSession(ctx, u, agent, "passkey", true)
}

// Attempt runs try, which checks something that can be guessed. The attempt counts as one to sign in; if try succeeds,
// it is forgiven. Errors: rate_limited, those of try.
func (s *Service) Attempt(ctx context.Context, account string, try func() error) error {
	return s.attempt(ctx, account, account, try)
}

// How somebody signed in other than by a password.
const (
	byInvitation = "invitation"
	bySetupLink  = "setup_link"
)

func (s *Service) newSession(ctx context.Context, u app.User, agent, how string, factor bool) (token string,
	err error) {
	setup, err := s.Core.Setup(u.WorkspaceID)
	if err == nil {
		err = setup.Workspace.Open()
	}
	if err != nil {
		return "", err
	}
	token, hash := secretToken()
	if len(agent) > 300 {
		agent = agent[:300]
	}
	now := when.At(s.Core.Now())
	return token, s.Write(ctx, func(tx Tx) error {
		still, err := tx.LockPassword(&u)
		if err != nil {
			return err
		}
		if !still { // a session made now would outlive the end of all of them
			return errSignIn()
		}
		made := Session{Hash: hash, User: u, Agent: strings.ToValidUTF8(agent, ""), CreatedAt: now, SeenAt: now,
			ProvenAt: now}
		if factor {
			made.FactorAt = now
		}
		err = tx.InsertSession(&made)
		if err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), u.Actor(), audit.Entry{Action: audit.SignedIn, Subject: u.ID.String(), To: how,
			Device: audit.Device(agent), Door: audit.SignIn})
	})
}

// secretToken returns 256 random bits and their hash. It needs no slow hash, as nobody can guess 256 bits.
func secretToken() (token string, hash []byte) {
	random := make([]byte, 32)
	rand.Read(random)
	token = base64.RawURLEncoding.EncodeToString(random)
	return token, hashToken(token)
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

func errNoSession() *fault.Error {
	return fault.New(fault.Unauthorized, "", "Please sign in.")
}

// SessionOf returns the session of a cookie, and notes that it is used. Errors: unauthorized, with the
// reason second_factor for a half session, see Session.Half; forbidden while the workspace is suspended.
func (s *Service) SessionOf(ctx context.Context, token string) (Session, error) {
	found, err := s.AnySession(ctx, token)
	if err == nil && found.Half() {
		return Session{}, fault.New(fault.Unauthorized, "second_factor", "Show your second factor first.")
	}
	return found, err
}

// AnySession does the same as SessionOf, but also returns half sessions, for the pages on which the second factor is
// shown.
func (s *Service) AnySession(ctx context.Context, token string) (Session, error) {
	none := errNoSession()
	if len(token) != 43 {
		return Session{}, none
	}
	found, err := s.Reader(ctx).Session(hashToken(token))
	if err != nil {
		return Session{}, fault.OrMissing(err, none)
	}
	now := s.Core.Now()
	if now.After(found.SeenAt.Time().Add(sessionIdle)) || now.After(found.CreatedAt.Time().Add(sessionLife)) {
		err := s.Write(ctx, func(tx Tx) error { return tx.DeleteSession(found.Hash) })
		if err != nil {
			return Session{}, err
		}
		return Session{}, none
	}
	if err := (&catalog.Workspace{SuspendedAt: found.SuspendedAt}).Open(); err != nil {
		return Session{}, err
	}
	if now.After(found.SeenAt.Time().Add(sessionTouch)) {
		err = s.Write(ctx, func(tx Tx) error { return tx.TouchSession(found.Hash, when.At(now)) })
	}
	return found, err
}

// Actor returns the session's member as an actor.
func (s Session) Actor() app.Actor { return s.User.Actor() }

// SignOut ends a session, or with everywhere all sessions of its member. It is no error if they have ended already.
func (s *Service) SignOut(ctx context.Context, session Session, everywhere bool) error {
	return s.Write(ctx, func(tx Tx) error {
		if !everywhere {
			return tx.DeleteSession(session.Hash)
		}
		if err := tx.DeleteSessions(session.User.ID, nil); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), session.Actor(), audit.Entry{Action: audit.SessionsEnded,
			Subject: session.User.ID.String()})
	})
}

// Sessions lists where the member is signed in, at most 50.
func (s *Service) Sessions(ctx context.Context, a app.Actor) ([]Session, error) {
	if err := a.May(app.MaySeeSessions); err != nil {
		return nil, err
	}
	return s.Reader(ctx).Sessions(a.User, 50)
}

func errPresentPassword() *fault.Error {
	return fault.New(fault.BadRequest, "wrong_password", "That is not your present password.").At("old")
}

// ProvePassword checks the password of the session's member, who confirms it before something important. Errors:
// bad_request with the reason wrong_password, rate_limited.
func (s *Service) ProvePassword(ctx context.Context, session Session, password string) error {
	account := "change:" + fault.EmailKey(session.User.Email)
	err := s.attempt(ctx, account, account, func() error {
		ok, err := verifyPassword(ctx, knownTurn, password, session.User.PasswordHash)
		if err == nil && !ok {
			err = errPresentPassword()
		}
		return err
	})
	if err != nil {
		return cmp.Or(s.noteRefused(ctx, err, &session.User), err)
	}
	return nil
}

// ChangePassword gives the session's member a new password and ends their other sessions. Errors: unauthorized (the
// old password is wrong), bad_request, rate_limited.
func (s *Service) ChangePassword(ctx context.Context, session Session, old, password string) error {
	if err := checkPassword(password); err != nil {
		return err
	}
	if err := s.ProvePassword(ctx, session, old); err != nil {
		return err
	}
	hash, err := hashPassword(ctx, password)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		u := session.User
		still, err := tx.LockPassword(&u)
		if err != nil {
			return err
		}
		if !still { // it was changed meanwhile, or the member removed
			return errPresentPassword()
		}
		u.PasswordHash = hash
		if err := tx.SetPassword(&u); err != nil {
			return err
		}
		if err := tx.DeleteSessions(u.ID, session.Hash); err != nil {
			return err
		}
		return audit.Note(tx, s.Now(), u.Actor(), audit.Entry{Action: audit.PasswordChanged, Subject: u.ID.String(),
			To: "own"})
	})
}

// SetLocale saves the language in which the session's member reads the dashboard and mails to the team: a BCP 47 tag,
// or "" for the browser's. Errors: unauthorized (the member was removed), bad_request.
func (s *Service) SetLocale(ctx context.Context, session Session, locale string) error {
	locale, err := fault.CheckLocale("locale", locale)
	if err != nil {
		return err
	}
	u := session.User
	u.Locale = locale
	return s.Write(ctx, func(tx Tx) error { return fault.OrMissing(tx.SetLocale(&u), errNoSession()) })
}

// PruneSessions deletes the sessions that have ended, in small transactions.
func (s *Service) PruneSessions(ctx context.Context) error {
	const step = 200
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneSessions(when.At(s.Core.Now().Add(-sessionIdle)), step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
