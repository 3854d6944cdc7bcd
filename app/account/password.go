package account

import (
	"context"
	"errors"
	"sync"

	"github.com/alexedwards/argon2id"

	"daybook/app/fault"
)

// passwordCost is OWASP's argon2id setting: 19 MiB, 2 passes, 1 lane; about 40 ms of one core.
var passwordCost = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashing limits how many passwords are hashed at once, and so the memory and cores that guessing takes. It also limits
// how many wait, and so how long.
var hashing = NewHashGate(2, 32)

type hashGate struct {
	Places chan struct{} // those hashing
	Inside chan struct{} // those hashing or waiting
}

func NewHashGate(atOnce, waiting int) *hashGate {
	return &hashGate{make(chan struct{}, atOnce), make(chan struct{}, atOnce+waiting)}
}

// Enter waits for a place until ctx ends. The error is rate_limited when too many wait already, or that of ctx.
func (g *hashGate) Enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &untried{err}
	}
	select {
	case g.Inside <- struct{}{}:
	default:
		const text = "Too many people sign in right now. Try again in a few seconds."
		busy := &fault.Error{Code: fault.RateLimited, Reason: "busy", Message: text}
		return &untried{busy.With("retryAfter", 5)}
	}
	select {
	case g.Places <- struct{}{}:
		return nil
	case <-ctx.Done():
		<-g.Inside
		return &untried{ctx.Err()}
	}
}

func (g *hashGate) Leave() {
	<-g.Places
	<-g.Inside
}

// untried is why a password was not looked at.
type untried struct{ error }

func (u *untried) Unwrap() error { return u.error }

func IsUntried(err error) bool { return errors.As(err, new(*untried)) }

func checkPassword(password string) error {
	if password == "" {
		return fault.Invalid("password", "is required")
	}
	if n := len([]rune(password)); n < 10 || n > 200 {
		return fault.Invalid("password", "must have 10 to 200 characters")
	}
	return nil
}

// hashPassword is what is stored of a password. Errors: bad_request, rate_limited (too many wait), that of ctx.
func hashPassword(ctx context.Context, password string) (string, error) {
	if err := checkPassword(password); err != nil {
		return "", err
	}
	if err := hashing.Enter(ctx); err != nil {
		return "", err
	}
	defer hashing.Leave()
	return argon2id.CreateHash(password, passwordCost)
}

// verifyPassword reports whether the password has that hash. Errors: rate_limited (too many wait), that of ctx.
func verifyPassword(ctx context.Context, password, hash string) (bool, error) {
	if len(password) > 1000 {
		return false, nil
	}
	if err := hashing.Enter(ctx); err != nil {
		return false, err
	}
	defer hashing.Leave()
	ok, err := argon2id.ComparePasswordAndHash(password, hash)
	return err == nil && ok, nil
}

var nobodysHash = sync.OnceValue(func() string {
	hash, err := argon2id.CreateHash("nobody has this password", passwordCost)
	if err != nil {
		panic(err) // only crypto/rand could fail, and it never does
	}
	return hash
})
