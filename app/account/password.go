package account

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/alexedwards/argon2id"

	"daybook/app/fault"
)

// passwordCost is OWASP's argon2id setting: 19 MiB, 2 passes, 1 lane; about 40 ms of one core.
var passwordCost = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashing limits how many passwords are hashed at once, and so the memory and cores that guessing takes. It also limits
// how many wait, and so how long: each kind of caller has places of its own, so that no crowd of strangers takes those
// of members, and who is more likely to be one has the next turn.
var hashing = NewHashGate(2, 32, 24, 8)

// turn is how likely it is that whoever signs in is who they say: the lower, the sooner it is their turn.
type turn int

const (
	knownTurn    turn = iota // a browser that this member has signed in with before
	memberTurn               // the e-mail address of a member
	strangerTurn             // one that nobody has
)

type hashGate struct {
	mu      sync.Mutex
	free    int               // places to hash at
	most    []int             // how many may wait, by their turn
	waiting [][]chan struct{} // those who wait, by their turn, in their order; closed when it is theirs
}

// NewHashGate returns a gate that lets so many hashes be computed at once, and so many of each turn wait.
func NewHashGate(atOnce int, waiting ...int) *hashGate {
	return &hashGate{free: atOnce, most: waiting, waiting: make([][]chan struct{}, len(waiting))}
}

// Enter waits for a place until ctx ends. The error is rate_limited when too many of the same turn wait already, or
// that of ctx.
func (g *hashGate) Enter(ctx context.Context, t turn) error {
	if err := ctx.Err(); err != nil {
		return &untried{err}
	}
	g.mu.Lock()
	if g.free > 0 {
		g.free--
		g.mu.Unlock()
		return nil
	}
	if len(g.waiting[t]) >= g.most[t] {
		g.mu.Unlock()
		busy := fault.New(fault.RateLimited, "busy", "Too many people sign in right now. Try again in a few seconds.")
		return &untried{busy.With("retryAfter", 5)}
	}
	mine := make(chan struct{})
	g.waiting[t] = append(g.waiting[t], mine)
	g.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	at := slices.Index(g.waiting[t], mine)
	if at >= 0 {
		g.waiting[t] = slices.Delete(g.waiting[t], at, at+1)
	}
	g.mu.Unlock()
	if at < 0 { // the turn came at the same moment: it is the next one's
		g.Leave()
	}
	return &untried{ctx.Err()}
}

// Leave gives the place to whoever has the next turn.
func (g *hashGate) Leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for t, all := range g.waiting {
		if len(all) > 0 {
			g.waiting[t] = all[1:]
			close(all[0])
			return
		}
	}
	g.free++
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

// hashPassword returns what is stored of a password. Errors: bad_request, rate_limited (too many wait), that of ctx.
func hashPassword(ctx context.Context, password string) (string, error) {
	if err := checkPassword(password); err != nil {
		return "", err
	}
	if err := hashing.Enter(ctx, memberTurn); err != nil {
		return "", err
	}
	defer hashing.Leave()
	return argon2id.CreateHash(password, passwordCost)
}

// verifyPassword reports whether the password has that hash. Errors: rate_limited (too many wait), that of ctx.
func verifyPassword(ctx context.Context, t turn, password, hash string) (bool, error) {
	if len(password) > 1000 {
		return false, nil
	}
	if err := hashing.Enter(ctx, t); err != nil {
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
