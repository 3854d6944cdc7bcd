package account

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"net/netip"
	"slices"
	"time"

	"daybook/app/fault"
	"daybook/app/when"
)

// The most passwords that may be tried within signInSpan: for one account from one address, from one address or network
// for any account, and for one account from anywhere. The last is high, so that a stranger can't lock an owner out for
// long. A span begins with the first attempt after the end of the last span.
const (
	signInSpan       = 15 * time.Minute
	perAccountAtOnce = 5
	perAddress       = 30
	perNetwork       = 300 // of the /48 of an IPv6 address, of which somebody may have all
	perAccount       = 100
)

// AttemptWriter counts attempts to sign in. Its keys are SHA-256 hashes.
type AttemptWriter interface {
	// CountAttempt counts an attempt unless there were most already, and reports whether it did. The row is locked
	// until the transaction ends. A count that began before from has ended, and so has one that begins after to, which
	// was made before the clock was set back.
	CountAttempt(of []byte, most int, now, from, to when.Instant) (bool, error)
	// ReleaseAttempt takes one attempt back.
	ReleaseAttempt(of []byte) error
	// ForgiveAttempts takes all attempts back.
	ForgiveAttempts(of []byte) error
	// PruneAttempts deletes at most limit counts that have ended, and returns how many.
	PruneAttempts(from, to when.Instant, limit int) (int, error)
}

// tally is one of the counters that an attempt adds to.
type tally struct {
	of   []byte
	most int
}

func newTally(of string, most int) tally {
	sum := sha256.Sum256([]byte(of))
	return tally{sum[:], most}
}

func tallyOfBoth(account, address string) tally {
	return newTally("b:"+account+"\x00"+oneOf(address), perAccountAtOnce)
}

// oneOf returns the address as it is counted: of IPv6 the /64, which is one customer's or one computer's.
func oneOf(address string) string {
	if ip, err := netip.ParseAddr(address); err == nil && ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return address
}

// talliesOf returns the counters of an attempt, in the order in which all transactions lock them.
func talliesOf(account, address string) []tally {
	all := []tally{tallyOfBoth(account, address), newTally("i:"+oneOf(address), perAddress), newTally("a:"+account, perAccount)}
	if ip, err := netip.ParseAddr(address); err == nil && ip.Is6() {
		if network, err := ip.Prefix(48); err == nil {
			all = append(all, newTally("n:"+network.String(), perNetwork))
		}
	}
	slices.SortFunc(all, func(a, b tally) int { return bytes.Compare(a.of, b.of) })
	return all
}

// linkAttempt returns the account under which the uses of a link are counted.
func linkAttempt(kind, token string) string { return kind + ":" + string(hashToken(token)) }

func errTooManyAttempts() *fault.Error {
	return fault.New(fault.RateLimited, "", "Too many attempts. Wait a quarter of an hour, then try again.").
		With("retryAfter", int(signInSpan.Seconds()))
}

// attempt counts one use of a password, runs try, and forgives the attempt when it went well or when the password was
// never looked at. It is counted before try runs, in the database: attempts under way at the same time count too, at
// whichever server they are. One that is refused is not counted. Errors: rate_limited, those of try.
func (s *Service) attempt(ctx context.Context, account, address string, try func() error) error {
	if err := s.countAttempt(ctx, account, address); err != nil {
		return err
	}
	err := try()
	if err != nil && !IsUntried(err) {
		return err
	}
	ctx = context.WithoutCancel(ctx) // a caller who left before their turn does not wait for it
	return errors.Join(err, s.Write(ctx, func(tx Tx) error {
		for _, t := range talliesOf(account, address) {
			if err := tx.ReleaseAttempt(t.of); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
		return tx.ForgiveAttempts(tallyOfBoth(account, address).of)
	}))
}

func (s *Service) countAttempt(ctx context.Context, account, address string) error {
	now := s.Core.Now()
	return s.Write(ctx, func(tx Tx) error {
		for _, t := range talliesOf(account, address) {
			counted, err := tx.CountAttempt(t.of, t.most, when.At(now), when.At(now.Add(-signInSpan)),
				when.At(now.Add(signInSpan)))
			if err != nil {
				return err
			}
			if !counted {
				return errTooManyAttempts()
			}
		}
		return nil
	})
}

// pruneAttempts deletes the counts that are over, in small transactions.
func (s *Service) pruneAttempts(ctx context.Context) error {
	const step = 200
	for n := step; n == step; {
		err := s.Quietly(ctx, func(tx Tx) (err error) {
			now := s.Core.Now()
			n, err = tx.PruneAttempts(when.At(now.Add(-signInSpan)), when.At(now.Add(signInSpan)), step)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
