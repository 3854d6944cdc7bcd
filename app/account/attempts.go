package account

import (
	"sync"
	"time"

	"daybook/app/fault"
)

// How many passwords are tried within signInSpan: of one account from one address, of one address for any account, of
// one account from anywhere. The last is wide, so that a stranger can't lock an owner out for long.
const (
	signInSpan       = 15 * time.Minute
	perAccountAtOnce = 5
	perAddress       = 30
	perAccount       = 100
)

// attempts counts sign-ins in memory: a restart forgives them. An attempt is counted before its password is looked at,
// so that those under way at the same time count too; one that was right is forgiven.
type attempts struct {
	mu    sync.Mutex
	tries map[string]*tries
}

type tries struct {
	count int
	since time.Time
}

const maxTracked = 50_000

func bothKey(account, address string) string { return "b:" + account + "\x00" + address }

func limitsOf(account, address string) map[string]int {
	return map[string]int{
		bothKey(account, address): perAccountAtOnce,
		"i:" + address:            perAddress,
		"a:" + account:            perAccount,
	}
}

// take counts an attempt, or refuses it, which is not counted.
func (t *attempts) take(now time.Time, account, address string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	limits := limitsOf(account, address)
	for key, most := range limits {
		if f := t.tries[key]; f != nil && now.Sub(f.since) < signInSpan && f.count >= most {
			return false
		}
	}
	if len(t.tries) > maxTracked {
		t.forget(now)
	}
	if t.tries == nil {
		t.tries = map[string]*tries{}
	}
	for key := range limits {
		f := t.tries[key]
		if f == nil || now.Sub(f.since) >= signInSpan {
			f = &tries{since: now}
			t.tries[key] = f
		}
		f.count++
	}
	return true
}

// forget drops what has ended and, when that is not enough, others.
func (t *attempts) forget(now time.Time) {
	for key, f := range t.tries {
		if now.Sub(f.since) >= signInSpan || len(t.tries) > 2*maxTracked {
			delete(t.tries, key)
		}
	}
}

// release takes back an attempt that tried no password.
func (t *attempts) release(account, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for key := range limitsOf(account, address) {
		if f := t.tries[key]; f != nil && f.count > 0 {
			f.count--
		}
	}
}

// passed takes a successful attempt back, and forgives the account's others from that address.
func (t *attempts) passed(account, address string) {
	t.release(account, address)
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.tries, bothKey(account, address))
}

// linkAttempt is the account under which the uses of a link are counted.
func linkAttempt(kind, token string) string { return kind + ":" + string(hashToken(token)) }

func errTooManyAttempts() *fault.Error {
	return (&fault.Error{Code: fault.RateLimited, Message: "Too many attempts. Wait a quarter of an hour, then try again."}).
		With("retryAfter", int(signInSpan.Seconds()))
}

// attempt counts one use of a password, runs try, and forgives the attempt when it went well or when the password was
// never looked at. Errors: rate_limited, those of try.
func (s *Service) attempt(account, address string, try func() error) error {
	if !s.signIns.take(s.Core.Now(), account, address) {
		return errTooManyAttempts()
	}
	switch err := try(); {
	case err == nil:
		s.signIns.passed(account, address)
		return nil
	case IsUntried(err):
		s.signIns.release(account, address)
		return err
	default:
		return err
	}
}
