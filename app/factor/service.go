package factor

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/audit"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/when"
)

const (
	recent        = 10 * time.Minute // since the member showed who they are
	challengeLife = 10 * time.Minute
	mostPasskeys  = 20
	perAddress    = 300 // questions in an hour, one with each page for signing in
	codesAtOnce   = 10
	failedSpan    = time.Hour // how seldom the log says of a member that a factor was wrong
)

// Tell mails a member, within the transaction, what of their factors has changed.
type Tell func(tx app.Tx, u *app.User, what Change, name string) error

// Service holds the rules of the subject.
type Service struct {
	app.Subject[Reader, Tx]
	accounts *account.Service
	gate     *gate.Service
	tell     Tell
}

// New returns the Service over a core. g counts questions to people who are not signed in.
func New(core *app.Service, accounts *account.Service, g *gate.Service, tell Tell) *Service {
	s := &Service{app.Subject[Reader, Tx]{Core: core}, accounts, g, tell}
	core.AddDuties(app.Duties{Secrets: s.eachSecret, Prune: s.prune})
	return s
}

// In returns the Service within a transaction, see app.Service.In.
func (s *Service) In(tx app.Tx) *Service {
	return &Service{app.Subject[Reader, Tx]{Core: s.Core.In(tx)}, s.accounts.In(tx), s.gate.In(tx), s.tell}
}

// Who is a member in their session, whole or half.
type Who struct {
	User    app.User
	Session []byte // its hash
}

// Change is what has changed of a member's factors.
type Change string

// The changes that a member is told of.
const (
	AppAdded       Change = "app_added"
	AppRemoved     Change = "app_removed"
	PasskeyAdded   Change = "passkey_added"
	PasskeyRemoved Change = "passkey_removed"
	CodesMade      Change = "codes_made"
	CodeUsed       Change = "code_used"
	Reset          Change = "reset"
)

// App is the authenticator app of a member.
type App struct {
	User   app.User // its id and workspace
	Secret string   // sealed
	Since  when.Instant
	Step   int64 // the last that was used
}

// Passkey is one of a member's.
type Passkey struct {
	ID         PasskeyID
	User       app.User // its id and workspace
	Credential []byte   // its id on the wire
	Host       string   // of the server
	Name       string
	Record     string // what the library keeps of it, as JSON
	UsedAt     when.Instant
}

// MadeAt returns when it was added.
func (p *Passkey) MadeAt() when.Instant { return when.At(p.ID.MadeAt()) }

// PasskeyID names a passkey.
type (
	PasskeyID     = id.ID[PasskeyIDKind]
	PasskeyIDKind struct{ id.Many }
)

// Prefix begins the ids of passkeys.
func (PasskeyIDKind) Prefix() string { return "pky_" }

// State is what a member has to sign in by besides the password.
type State struct {
	Passkeys  []Passkey
	App       when.Instant // since when they have an authenticator app; 0 for none
	Codes     int          // recovery codes that are left
	Required  bool         // of their role
	Available bool         // passkeys can be used at this server's address
	Host      string       // that passkeys belong to
}

// Any reports whether the member has a second factor.
func (s *State) Any() bool { return s.App != 0 || len(s.Passkeys) > 0 }

// Factors returns what the member has.
func (s *Service) Factors(ctx context.Context, w Who) (State, error) {
	return s.state(s.Reader(ctx), &w.User)
}

func (s *Service) state(r Reader, u *app.User) (all State, err error) {
	all.Host, all.Available = s.host()
	if all.Passkeys, err = r.Passkeys(u, mostPasskeys); err != nil {
		return all, err
	}
	a, err := r.Authenticator(u)
	if err != nil && !errors.Is(err, fault.ErrNotFound) {
		return all, err
	}
	all.App = a.Since
	if all.Codes, err = r.RecoveryCodes(u); err != nil {
		return all, err
	}
	all.Required, err = required(r, u)
	return all, err
}

func required(r Reader, u *app.User) (bool, error) {
	roles, err := r.FactorRoles(u.WorkspaceID)
	for _, role := range roles {
		if role == u.Role {
			return true, err
		}
	}
	return false, err
}

// Recent reports whether the member showed who they are within the last ten minutes.
func Recent(proven when.Instant, now time.Time) bool {
	return proven > when.At(now.Add(-recent)) && proven <= when.At(now.Add(recent))
}

func errAgain() *fault.Error {
	return fault.New(fault.Conflict, "sign_in_again", "Show again that it is you: this changes how you sign in.")
}

// Confirm signs the member in again, in their session: by the password, which check looks at, and a code of their app
// or a recovery code if they have a factor. Errors: those of check and of ShowCode.
func (s *Service) Confirm(ctx context.Context, w Who, check func() error, code string) error {
	if err := check(); err != nil {
		return err
	}
	none := false
	err := s.Write(ctx, func(tx Tx) error {
		now, err := s.state(tx, &w.User)
		if none = err == nil && !now.Any(); !none {
			return err
		}
		return tx.ProveAgain(w.Session, when.At(s.Now()))
	})
	if err != nil || none {
		return err
	}
	return s.ShowCode(ctx, w, code, true)
}

// change runs what changes the member's factors: behind the lock of them, and only soon after the member showed who
// they are. Errors: conflict sign_in_again, those of do.
func (s *Service) change(ctx context.Context, w Who, do func(tx Tx, u *app.User, now State) error) error {
	return s.Write(ctx, func(tx Tx) error {
		still, err := tx.LockFactors(&w.User)
		if err != nil {
			return err
		}
		if !still {
			return errAgain()
		}
		proven, factor, err := tx.Proven(w.Session, &w.User)
		if err != nil {
			return fault.OrMissing(err, errAgain())
		}
		if !Recent(proven, s.Now()) {
			return errAgain()
		}
		u, err := tx.User(w.User.ID)
		if err != nil {
			return fault.OrMissing(err, errAgain())
		}
		now, err := s.state(tx, &u)
		if err != nil {
			return err
		}
		if now.Any() && factor == 0 { // who has only the password changes nothing
			return errAgain()
		}
		return do(tx, &u, now)
	})
}

// note writes the entry of a change, and tells the member.
func (s *Service) note(tx Tx, a app.Actor, u *app.User, action audit.Action, what Change, name string) error {
	e := audit.Entry{Action: action, Subject: u.ID.String(), Workspace: u.WorkspaceID, To: string(what)}
	if err := audit.Note(tx, s.Now(), a, e); err != nil {
		return err
	}
	return s.tell(tx, u, what, name)
}

// newToken returns 256 random bits as text, and their hash.
func newToken() (token string, hash []byte) {
	random := make([]byte, 32)
	rand.Read(random)
	token = base64.RawURLEncoding.EncodeToString(random)
	return token, hashed(token)
}

func hashed(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// ask stores what a browser is asked, for the session or with none for whoever has the token.
func (s *Service) ask(ctx context.Context, session []byte, data []byte) (token string, err error) {
	token, hash := newToken()
	sealed := s.Core.Vault().Seal(data)
	return token, s.Write(ctx, func(tx Tx) error {
		return tx.InsertChallenge(hash, append([]byte{}, session...), sealed, when.At(s.Now().Add(challengeLife)))
	})
}

func errOver() *fault.Error {
	return fault.New(fault.Conflict, "sign_in_over", "That took too long, or was done already. Begin again.")
}

// asked returns what the browser was asked. Errors: conflict sign_in_over.
func (s *Service) asked(r Reader, token string, session []byte) ([]byte, error) {
	sealed, err := r.Challenge(hashed(token), append([]byte{}, session...), when.At(s.Now()))
	if err != nil {
		return nil, fault.OrMissing(err, errOver())
	}
	return s.Core.Vault().Open(sealed)
}

func (s *Service) prune(ctx context.Context) error {
	const step = 200
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			n, err = tx.PruneChallenges(when.At(s.Now()), step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachSecret has look see the secrets of all authenticator apps. Those of challenges are over in minutes.
func (s *Service) eachSecret(reader app.Reader, change app.Tx, look app.LookAtSecret) error {
	r := reader.(Reader)
	tx, _ := change.(Tx) // nil when nothing is to be changed
	workspaces, err := r.Workspaces(app.Every)
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		all, err := r.Authenticators(w.ID, app.Every)
		if err != nil {
			return err
		}
		for i := range all {
			changed, err := look(&all[i].Secret)
			if err == nil && changed {
				err = tx.SaveAuthenticator(&all[i])
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
