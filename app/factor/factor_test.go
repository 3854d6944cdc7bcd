package factor_test

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"daybook/app"
	"daybook/app/account"
	"daybook/app/apptest"
	"daybook/app/audit"
	"daybook/app/catalog"
	"daybook/app/factor"
	"daybook/app/fault"
	"daybook/app/mail"
	"daybook/app/subjects"
)

const (
	email    = "ana@factor.example"
	password = "correct horse battery"
)

type bed struct{ *apptest.Salon }

func newBed(t *testing.T) bed {
	b := bed{apptest.New(t, apptest.Options{With: func(c *subjects.Config) {
		c.BaseURL, _ = url.Parse("https://salon.example")
	}})}
	_, err := b.Account.CreateUser(t.Context(), b.Owner, account.UserInput{Email: email, Role: app.OwnerRole, Password: password})
	b.Must(err)
	return b
}

// signIn gives the password, and returns the session, which may be half.
func (b bed) signIn() account.Session {
	b.T.Helper()
	_, s := b.signInToken()
	return s
}

func (b bed) signInToken() (string, account.Session) {
	b.T.Helper()
	token, _, err := b.Account.SignIn(b.T.Context(), account.SignInInput{Email: email, Password: password, Address: "198.51.100.7"})
	b.Must(err)
	s, err := b.Account.AnySession(b.T.Context(), token)
	b.Must(err)
	return token, s
}

func who(s account.Session) factor.Who { return factor.Who{User: s.User, Session: s.Hash} }

// addApp sets an authenticator app up, and returns its secret and the recovery codes.
func (b bed) addApp(s account.Session) (secret string, codes []string) {
	b.T.Helper()
	a, err := b.Factor.BeginApp(b.T.Context(), who(s))
	b.Must(err)
	codes, err = b.Factor.AddApp(b.T.Context(), who(s), a.Token, factor.CodeAt(a.Secret, b.Clock.Now()))
	b.Must(err)
	return a.Secret, codes
}

func (b bed) code(secret string) string { return factor.CodeAt(secret, b.Clock.Now()) }

func (b bed) log() (all []string) {
	b.T.Helper()
	page, err := b.Audit.AuditLog(b.T.Context(), b.Owner, audit.ListInput{Topic: "sign_in"})
	b.Must(err)
	for _, e := range page.Data {
		all = append(all, strings.TrimSuffix(string(e.Action)+" "+e.To, " "))
	}
	return all
}

// A member with an app is asked for it after the password: until then the session is half. Each code counts once, also
// the one that set the app up, and none of an older step.
func TestAppAfterThePassword(t *testing.T) {
	b := newBed(t)
	secret, codes := b.addApp(b.signIn())
	if len(codes) != 10 {
		t.Fatal(codes)
	}
	token, s := b.signInToken()
	if _, err := b.Account.SessionOf(t.Context(), token); !fault.Is(err, fault.Unauthorized) || fault.As(err).Reason != "second_factor" || !s.Half() {
		t.Fatal(err, s.Half())
	}
	b.Refused(b.Factor.ShowCode(t.Context(), who(s), b.code(secret), false), fault.BadRequest, "wrong_code") // it set the app up
	b.Clock.Advance(30 * time.Second)
	code := b.code(secret)
	b.Must(b.Factor.ShowCode(t.Context(), who(s), " "+code[:3]+" "+code[3:], false))
	whole, err := b.Account.SessionOf(t.Context(), token)
	if b.Must(err); whole.Half() {
		t.Error("still half")
	}
	_, again := b.signInToken()
	b.Refused(b.Factor.ShowCode(t.Context(), who(again), code, false), fault.BadRequest, "wrong_code")
	want := []string{"sign_in.done password", "sign_in.factor_shown app", "sign_in.factor_refused", "sign_in.done password", // refusals once an hour
		"sign_in.factor_added app_added", "sign_in.done password"}
	if got := b.log(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Of two who show one code at once, one gets in, on every round.
func TestOneCodeAtOnce(t *testing.T) {
	b := newBed(t)
	secret, codes := b.addApp(b.signIn())
	for round := range 5 {
		b.Clock.Advance(time.Minute)
		for _, code := range []string{b.code(secret), codes[round]} {
			sessions := []account.Session{b.signIn(), b.signIn(), b.signIn()}
			var mu sync.Mutex
			in := 0
			var all sync.WaitGroup
			for _, s := range sessions {
				all.Go(func() {
					err := b.Factor.ShowCode(context.WithoutCancel(t.Context()), who(s), code, false)
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						in++
					} else if e := fault.As(err); e == nil || e.Reason != "wrong_code" {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if in != 1 {
				t.Errorf("round %d: %d of 3 got in", round, in)
			}
			b.Clock.Advance(15 * time.Minute) // the wrong ones are forgotten
		}
	}
}

// Five wrong codes of an account end the tries for a quarter of an hour, wherever they come from; then the right one
// counts.
func TestGuessesAreLimited(t *testing.T) {
	b := newBed(t)
	secret, _ := b.addApp(b.signIn())
	b.Clock.Advance(time.Minute)
	for range 5 {
		b.Refused(b.Factor.ShowCode(t.Context(), who(b.signIn()), "000000", false), fault.BadRequest, "wrong_code")
	}
	b.Refused(b.Factor.ShowCode(t.Context(), who(b.signIn()), b.code(secret), false), fault.RateLimited, "")
	b.Clock.Advance(15 * time.Minute)
	b.Must(b.Factor.ShowCode(t.Context(), who(b.signIn()), b.code(secret), false))
}

func TestRecoveryCodes(t *testing.T) {
	b := newBed(t)
	first := b.signIn()
	_, codes := b.addApp(first)
	s := b.signIn()
	b.Must(b.Factor.ShowCode(t.Context(), who(s), strings.ToUpper(codes[3]), false))
	b.Refused(b.Factor.ShowCode(t.Context(), who(b.signIn()), codes[3], false), fault.BadRequest, "wrong_code")
	state, err := b.Factor.Factors(t.Context(), who(s))
	if b.Must(err); state.Codes != 9 {
		t.Error(state.Codes)
	}
	fresh, err := b.Factor.NewCodes(t.Context(), who(first))
	b.Must(err)
	b.Refused(b.Factor.ShowCode(t.Context(), who(b.signIn()), codes[4], false), fault.BadRequest, "wrong_code")
	b.Must(b.Factor.ShowCode(t.Context(), who(b.signIn()), fresh[0], false))
	raw := 0
	for _, told := range b.mails() {
		if told == "code_used" {
			raw++
		}
	}
	if raw != 2 {
		t.Errorf("told of %d codes, want 2", raw)
	}
}

// mails are what the member was told, the latest first.
func (b bed) mails() (all []string) {
	b.T.Helper()
	page, err := b.Mail.Mails(b.T.Context(), b.Owner, mail.ListInput{})
	b.Must(err)
	for _, m := range page.Data {
		if m.Kind == catalog.MailSecurity && m.To == email {
			all = append(all, m.Facts.Factor.What)
		}
	}
	return all
}

// What one signs in by changes only soon after signing in, and never in a half session of somebody with a factor.
func TestChangesNeedAFreshSignIn(t *testing.T) {
	b := newBed(t)
	s := b.signIn()
	b.Clock.Advance(11 * time.Minute)
	a, err := b.Factor.BeginApp(t.Context(), who(s))
	b.Must(err)
	_, err = b.Factor.AddApp(t.Context(), who(s), a.Token, b.code(a.Secret))
	b.Refused(err, fault.Conflict, "sign_in_again")
	check := func() error { return b.Account.ProvePassword(t.Context(), s, "wrong wrong wrong") }
	b.Refused(b.Factor.Confirm(t.Context(), who(s), check, ""), fault.BadRequest, "wrong_password")
	check = func() error { return b.Account.ProvePassword(t.Context(), s, password) }
	b.Must(b.Factor.Confirm(t.Context(), who(s), check, ""))
	codes, err := b.Factor.AddApp(t.Context(), who(s), a.Token, b.code(a.Secret))
	b.Must(err)
	_, err = b.Factor.AddApp(t.Context(), who(s), a.Token, b.code(a.Secret))
	b.Refused(err, fault.Conflict, "app_there")

	half := b.signIn()
	b.Refused(b.Factor.RemoveApp(t.Context(), who(half)), fault.Conflict, "sign_in_again")
	_, err = b.Factor.NewCodes(t.Context(), who(half))
	b.Refused(err, fault.Conflict, "sign_in_again")

	b.Clock.Advance(11 * time.Minute)
	b.Refused(b.Factor.RemoveApp(t.Context(), who(s)), fault.Conflict, "sign_in_again")
	b.Refused(b.Factor.Confirm(t.Context(), who(s), check, "123456"), fault.BadRequest, "wrong_code") // the password alone is not enough
	b.Refused(b.Factor.RemoveApp(t.Context(), who(s)), fault.Conflict, "sign_in_again")
	b.Must(b.Factor.Confirm(t.Context(), who(s), check, codes[0]))
	b.Must(b.Factor.RemoveApp(t.Context(), who(s)))
	state, err := b.Factor.Factors(t.Context(), who(s))
	if b.Must(err); state.Any() || state.Codes != 0 {
		t.Errorf("%+v is left", state)
	}
	if got, want := b.mails(), []string{"app_removed", "code_used", "app_added"}; !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// A new requirement counts at once, for the roles that it names.
func TestRequired(t *testing.T) {
	b := newBed(t)
	token, s := b.signInToken()
	b.Must(b.Factor.Require(t.Context(), b.Owner, []app.Role{app.StaffRole}))
	_, err := b.Account.SessionOf(t.Context(), token)
	b.Must(err)
	b.Must(b.Factor.Require(t.Context(), b.Owner, []app.Role{app.ManagerRole, app.OwnerRole}))
	if _, err = b.Account.SessionOf(t.Context(), token); !fault.Is(err, fault.Unauthorized) {
		t.Fatal(err)
	}
	b.addApp(s)
	_, err = b.Account.SessionOf(t.Context(), token)
	b.Must(err)
	b.Refused(b.Factor.RemoveApp(t.Context(), who(s)), fault.Conflict, "factor_required")
	roles, err := b.Factor.Required(t.Context(), b.Owner)
	if b.Must(err); !slices.Equal(roles, []app.Role{app.OwnerRole, app.ManagerRole}) {
		t.Error(roles)
	}
	b.Refused(b.Factor.Require(t.Context(), b.Owner, []app.Role{"cook"}), fault.BadRequest, "invalid")
	b.Must(b.Factor.Require(t.Context(), b.Owner, nil))
	b.Must(b.Factor.RemoveApp(t.Context(), who(s)))
}

func TestReset(t *testing.T) {
	b := newBed(t)
	token, s := b.signInToken()
	b.addApp(s)
	_, err := b.Factor.ResetFactors(t.Context(), app.Operator(0), "nobody@factor.example")
	b.Refused(err, fault.NotFound, "")
	_, err = b.Factor.ResetFactors(t.Context(), app.Operator(0), email)
	b.Must(err)
	if _, err = b.Account.AnySession(t.Context(), token); !fault.Is(err, fault.Unauthorized) {
		t.Error(err)
	}
	if again := b.signIn(); again.Half() || again.HasFactor {
		t.Error("a factor is left")
	}
}

// The secret of an app is stored so that the vault's key is needed to read it.
func TestSecretsAreFound(t *testing.T) {
	b := newBed(t)
	before, _, err := b.Upkeep.StoredSecrets(t.Context())
	b.Must(err)
	b.addApp(b.signIn())
	after, _, err := b.Upkeep.StoredSecrets(t.Context())
	if b.Must(err); after != before+1 {
		t.Errorf("%d secrets, before %d", after, before)
	}
}
