package factor

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"daybook/app"
	"daybook/app/audit"
	"daybook/app/fault"
	"daybook/app/gate"
	"daybook/app/id"
	"daybook/app/when"
)

// Asked is what a browser is asked to do with a passkey: Options has the JSON form of WebAuthn, and Token identifies
// the question when it is answered.
type Asked struct {
	Token   string          `json:"token"`
	Options json.RawMessage `json:"options"`
}

const mostName = 60 // characters

// host returns the one that passkeys belong to, and whether browsers offer any there: by https or on this machine, and
// not at a bare network address (WebAuthn §5.1.2, §5.1.3).
func (s *Service) host() (host string, offered bool) { return hostOf(s.Core.BaseURL()) }

func hostOf(base string) (host string, offered bool) {
	u, err := url.Parse(base)
	if err != nil {
		return "", false
	}
	host = u.Hostname()
	_, err = netip.ParseAddr(host)
	local := host == "localhost" || strings.HasSuffix(host, ".localhost")
	return host, host != "" && err != nil && (u.Scheme == "https" || local)
}

// HasPasskeys reports whether there are passkeys that belong to the host of a base URL, and whether there are others,
// which can't be used there.
func (s *Service) HasPasskeys(ctx context.Context, base string) (here, elsewhere bool, err error) {
	host, _ := hostOf(base)
	return s.Reader(ctx).HasPasskeys(host)
}

func errNoPasskeys() *fault.Error {
	return fault.Conflictf("no_passkeys_here",
		"Passkeys need a server with a name, reached by https. At this address there are none.")
}

func errPasskey() *fault.Error {
	return fault.New(fault.Unauthorized, "wrong_passkey",
		"That passkey was not accepted. Try again, or sign in with your password.")
}

func (s *Service) authn() (*webauthn.WebAuthn, error) {
	host, offered := s.host()
	if !offered {
		return nil, errNoPasskeys()
	}
	u, err := url.Parse(s.Core.BaseURL())
	if err != nil {
		return nil, err
	}
	return webauthn.New(&webauthn.Config{RPID: host, RPDisplayName: "Daybook", RPOrigins: []string{u.Scheme + "://" +
		u.Host}, AttestationPreference: protocol.PreferNoAttestation})
}

// person is a member as the library has them.
type person struct {
	user *app.User
	keys []Passkey
}

func (p *person) WebAuthnID() []byte          { return []byte(p.user.ID.String()) }
func (p *person) WebAuthnName() string        { return p.user.Email }
func (p *person) WebAuthnDisplayName() string { return p.user.Email }

func (p *person) WebAuthnCredentials() (all []webauthn.Credential) {
	for _, k := range p.keys {
		var c webauthn.Credential
		if json.Unmarshal([]byte(k.Record), &c) == nil {
			all = append(all, c)
		}
	}
	return all
}

// person returns the member with their passkeys of this host.
func (s *Service) person(r Reader, u *app.User) (*person, error) {
	all, err := r.Passkeys(u, mostPasskeys)
	if err != nil {
		return nil, err
	}
	host, _ := s.host()
	p := &person{user: u}
	for _, k := range all {
		if k.Host == host {
			p.keys = append(p.keys, k)
		}
	}
	return p, nil
}

// question stores what the library wants to see again, and returns what the browser is asked.
func (s *Service) question(ctx context.Context, session []byte, state *webauthn.SessionData, ask any) (Asked, error) {
	data, err := json.Marshal(state)
	if err != nil {
		return Asked{}, err
	}
	options, err := json.Marshal(ask)
	if err != nil {
		return Asked{}, err
	}
	token, err := s.ask(ctx, session, data)
	return Asked{Token: token, Options: options}, err
}

// answered takes the question, so that it is answered once, whatever the answer is worth. Errors: conflict
// sign_in_over.
func (s *Service) answered(ctx context.Context, token string, session []byte) (state webauthn.SessionData, err error) {
	err = s.Write(ctx, func(tx Tx) error {
		state = webauthn.SessionData{}
		data, err := s.asked(tx, token, session)
		if err != nil {
			return err
		}
		if taken, err := tx.TakeChallenge(hashed(token)); err != nil || !taken {
			return fault.OrMissing(orNot(err), errOver())
		}
		return json.Unmarshal(data, &state)
	})
	return state, err
}

// BeginPasskey asks the browser to make a passkey. Errors: conflict no_passkeys_here, conflict too_many_passkeys.
func (s *Service) BeginPasskey(ctx context.Context, w Who) (Asked, error) {
	authn, err := s.authn()
	if err != nil {
		return Asked{}, err
	}
	p, err := s.person(s.Reader(ctx), &w.User)
	if err != nil {
		return Asked{}, err
	}
	if len(p.keys) >= mostPasskeys {
		return Asked{}, errTooMany()
	}
	var there []protocol.CredentialDescriptor
	for _, c := range p.WebAuthnCredentials() {
		there = append(there, c.Descriptor())
	}
	ask, state, err := authn.BeginRegistration(p, webauthn.WithExclusions(there),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationPreferred}))
	if err != nil {
		return Asked{}, err
	}
	return s.question(ctx, w.Session, state, ask.Response)
}

func errTooMany() *fault.Error {
	return fault.Conflictf("too_many_passkeys", "A member has at most %d passkeys. Remove one first.", mostPasskeys)
}

// AddPasskey saves the passkey that a browser made. It returns the member's recovery codes if this is their first
// factor, else nil. Errors: bad_request, unauthorized wrong_passkey, conflict sign_in_over, conflict sign_in_again,
// conflict too_many_passkeys.
func (s *Service) AddPasskey(ctx context.Context, w Who, token, name string, answer []byte) (codes []string,
	err error) {
	authn, err := s.authn()
	if err != nil {
		return nil, err
	}
	if name, err = checkName(name); err != nil {
		return nil, err
	}
	state, err := s.answered(ctx, token, w.Session)
	if err != nil {
		return nil, err
	}
	made, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return nil, errPasskey()
	}
	c, err := authn.CreateCredential(&person{user: &w.User}, state, made)
	if err != nil {
		return nil, errPasskey()
	}
	record, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	host, _ := s.host()
	err = s.change(ctx, w, func(tx Tx, u *app.User, now State) error {
		if len(now.Passkeys) >= mostPasskeys {
			return errTooMany()
		}
		p := Passkey{ID: id.New[PasskeyIDKind](s.Now()), User: *u, Credential: c.ID, Host: host, Name: name,
			Record: string(record)}
		if err := tx.InsertPasskey(&p); errors.Is(err, fault.ErrTaken) {
			return errPasskey()
		} else if err != nil {
			return err
		}
		if err := tx.ProveFactor(w.Session, when.At(s.Now())); err != nil {
			return err
		}
		if codes, err = s.firstCodes(tx, u, &now); err != nil {
			return err
		}
		return s.note(tx, u.Actor(), u, audit.FactorAdded, PasskeyAdded, name)
	})
	return codes, err
}

func checkName(name string) (string, error) {
	name = strings.TrimSpace(name)
	switch n := len([]rune(name)); {
	case n == 0:
		return "", fault.Invalid("name", "is required")
	case n > mostName:
		return "", fault.Invalid("name", "must have at most %d characters", mostName)
	}
	return name, nil
}

// RenamePasskey gives a passkey of the member another name. Errors: not_found, bad_request.
func (s *Service) RenamePasskey(ctx context.Context, w Who, ref, name string) error {
	name, err := checkName(name)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(tx Tx) error {
		if still, err := tx.LockFactors(&w.User); err != nil || !still {
			return fault.OrMissing(orNot(err), fault.Missing("passkey", ref))
		}
		p, err := ofMember(tx, &w.User, ref)
		if err != nil {
			return err
		}
		p.Name = name
		return tx.UpdatePasskey(&p)
	})
}

func ofMember(r Reads, u *app.User, ref string) (Passkey, error) {
	all, err := r.Passkeys(u, mostPasskeys)
	if err != nil {
		return Passkey{}, err
	}
	for _, p := range all {
		if p.ID.String() == ref {
			return p, nil
		}
	}
	return Passkey{}, fault.Missing("passkey", ref)
}

// RemovePasskey deletes a passkey of the member. Errors: not_found, conflict sign_in_again, conflict factor_required.
func (s *Service) RemovePasskey(ctx context.Context, w Who, ref string) error {
	return s.change(ctx, w, func(tx Tx, u *app.User, now State) error {
		p, err := ofMember(tx, u, ref)
		if err != nil {
			return err
		}
		if err := tx.DeletePasskey(&p); err != nil {
			return err
		}
		now.Passkeys = now.Passkeys[1:] // one less
		return s.removed(tx, u, &now, PasskeyRemoved, p.Name)
	})
}

// BeginSignIn asks the browser at that address for a passkey of anybody's. It must check who holds it. Errors: conflict
// no_passkeys_here, rate_limited.
func (s *Service) BeginSignIn(ctx context.Context, from netip.Addr) (Asked, error) {
	authn, err := s.authn()
	if err != nil {
		return Asked{}, err
	}
	if err := s.gate.Count(ctx, gate.Client{Address: from, Most: perAddress, What: "passkey "}); fault.Is(err, fault.RateLimited) {
		often := fault.New(fault.RateLimited, "",
			"Passkeys were asked for too often from your network. Sign in with your password, or try again in an hour.")
		often.Details = fault.As(err).Details
		return Asked{}, often
	} else if err != nil {
		return Asked{}, err
	}
	ask, state, err := authn.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return Asked{}, err
	}
	return s.question(ctx, nil, state, ask.Response)
}

// SignIn signs a member in by a passkey that has checked who holds it: it stands for both factors. Errors: unauthorized
// wrong_passkey, conflict sign_in_over.
func (s *Service) SignIn(ctx context.Context, token string, answer []byte, agent string) (session string, u app.User,
	err error) {
	p, err := s.check(ctx, token, nil, answer, nil)
	if err != nil {
		return "", u, err
	}
	if u, err = s.Reader(ctx).User(p.User.ID); err != nil {
		return "", u, fault.OrMissing(err, errPasskey())
	}
	session, err = s.accounts.OpenSession(ctx, u, agent)
	return session, u, err
}

// BeginShow asks the browser for a passkey of the session's member; with again, one that checks who holds it.
func (s *Service) BeginShow(ctx context.Context, w Who, again bool) (Asked, error) {
	authn, err := s.authn()
	if err != nil {
		return Asked{}, err
	}
	p, err := s.person(s.Reader(ctx), &w.User)
	if err != nil {
		return Asked{}, err
	}
	if len(p.keys) == 0 {
		return Asked{}, errPasskey()
	}
	verify := protocol.VerificationPreferred
	if again {
		verify = protocol.VerificationRequired
	}
	ask, state, err := authn.BeginLogin(p, webauthn.WithUserVerification(verify))
	if err != nil {
		return Asked{}, err
	}
	return s.question(ctx, w.Session, state, ask.Response)
}

// ShowPasskey makes the member's half session whole. A passkey that was asked for by BeginShow with again signs them in
// again: alone, since it has checked who holds it. Errors: unauthorized wrong_passkey, conflict sign_in_over, conflict
// sign_in_again (the password was long ago).
func (s *Service) ShowPasskey(ctx context.Context, w Who, token string, answer []byte) error {
	verified := false
	_, err := s.check(ctx, token, w.Session, answer, &verified)
	if err != nil {
		return s.orNoted(ctx, err, &w.User)
	}
	return s.Write(ctx, func(tx Tx) error {
		proven, _, err := tx.Proven(w.Session, &w.User)
		if err != nil {
			return fault.OrMissing(err, errAgain())
		}
		if !verified && !Recent(proven, s.Now()) {
			return errAgain()
		}
		return s.proven(tx, w, byPasskey, verified)
	})
}

// check holds a browser's answer against the question and the passkey that it names, and notes the use. verified says,
// where it is not nil, whether the passkey has checked who holds it.
func (s *Service) check(ctx context.Context, token string, session, answer []byte, verified *bool) (Passkey, error) {
	authn, err := s.authn()
	if err != nil {
		return Passkey{}, err
	}
	state, err := s.answered(ctx, token, session)
	if err != nil {
		return Passkey{}, err
	}
	said, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return Passkey{}, errPasskey()
	}
	host, _ := s.host()
	p := Passkey{}
	// The counter is compared and raised behind the member's lock, so that of two answers of one counter one counts.
	err = s.Write(ctx, func(tx Tx) error {
		found, err := tx.PasskeyByCredential(said.RawID)
		if err != nil || found.Host != host {
			return fault.OrMissing(orNot(err), errPasskey())
		}
		if still, err := tx.LockFactors(&found.User); err != nil || !still {
			return fault.OrMissing(orNot(err), errPasskey())
		}
		if p, err = tx.PasskeyByCredential(said.RawID); err != nil { // as it is behind the lock
			return fault.OrMissing(err, errPasskey())
		}
		by := &person{user: &p.User, keys: []Passkey{p}}
		c, err := validate(authn, by, state, said)
		if err != nil || c.Authenticator.CloneWarning {
			return errPasskey()
		}
		record, err := json.Marshal(c)
		if err != nil {
			return err
		}
		if verified != nil {
			*verified = c.Flags.UserVerified
		}
		p.Record, p.UsedAt = string(record), when.At(s.Now())
		return tx.UpdatePasskey(&p)
	})
	return p, err
}

// validate has the library check the answer: of the member that the question names, or of whom the answer names.
func validate(authn *webauthn.WebAuthn, by *person, state webauthn.SessionData,
	said *protocol.ParsedCredentialAssertionData) (*webauthn.Credential, error) {
	if len(state.UserID) > 0 {
		return authn.ValidateLogin(by, state, said)
	}
	return authn.ValidateDiscoverableLogin(func(_, handle []byte) (webauthn.User, error) {
		if string(handle) != by.user.ID.String() {
			return nil, errPasskey()
		}
		return by, nil
	}, state, said)
}

// Available reports whether passkeys can be used at this server's address.
func (s *Service) Available() bool {
	_, offered := s.host()
	return offered
}
