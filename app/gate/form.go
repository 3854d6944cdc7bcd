package gate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
	"time"

	"daybook/app"
	"daybook/app/booking"
	"daybook/app/fault"
	"daybook/app/when"
)

const (
	// KeyLife is how long the key of a form is valid.
	KeyLife     = 12 * time.Hour
	sentLife    = 30 * time.Minute // how long a form that was sent again leads to its booking
	addressSpan = time.Hour
	// bitsOfClient is how many bits of an IPv6 address distinguish customers: each has a whole /64.
	bitsOfClient = 64
	// Somebody may have all of a network: the /48 of an IPv6 address and the /24 of an IPv4 address count, too. Behind
	// the addresses of a /24 are more different customers than in a /48, so that it may have more.
	timesNetwork6, timesNetwork4 = 4, 10
)

// Client is the sender of a form.
type Client struct {
	Address netip.Addr
	// Most is the limit of bookings and moves that the address may make in an hour; its network may make a multiple of
	// that. Less than 1 means no limit. Loopback addresses have none.
	Most int
	// What names what is counted; each is counted separately. "" is bookings and moves.
	What string
	// Times is how many bookings are made at once; less than 2 is one. As many as fit into an hour are counted at most.
	Times int
}

// Form is a form that a visitor has sent.
type Form struct {
	Client
	// Key was made when the form was shown, so that only its owner can send it a second time. With "" nothing is
	// remembered about the form.
	Key string
	// Purpose describes what the form asks for, as a text that is equal for equal requests.
	Purpose string
	// Proves says that a proof of work was made for the key, which is good for one purpose only.
	Proves bool
}

// ErrSpent is returned for a form whose proof was used for another purpose.
var ErrSpent = errors.New("the proof of work of this form was used before")

// CountOf counts what is told apart by its name alone, wherever it comes from: at most so many in an hour. The error is
// rate_limited, with retryAfter in seconds.
func (s *Service) CountOf(ctx context.Context, name string, most int) error {
	return s.Write(ctx, func(tx Tx) error { return s.add(tx, []tally{{hash("of " + name), most}}, 1) })
}

// Spent returns rate_limited, with retryAfter in seconds, for a client that has been counted as often as it may be. It counts
// nothing.
func (s *Service) Spent(ctx context.Context, c Client) error {
	if !c.limited() {
		return nil
	}
	now, r, all := when.At(s.Core.Now()), s.Reader(ctx), c.tallies()
	for i := range all {
		times, err := r.TimesOf(all[i].of)
		if err != nil {
			return err
		}
		if wait := all[i].wait(recent(times, now), 1, now); wait > 0 {
			return limited(wait)
		}
	}
	return nil
}

// Count counts a booking or a move, or whatever Client.What names. The error is rate_limited, with retryAfter in
// seconds.
func (s *Service) Count(ctx context.Context, c Client) error {
	if !c.limited() {
		return nil
	}
	return s.Write(ctx, func(tx Tx) error { return s.count(tx, c) })
}

// Spend counts a request that makes no booking yet, as Book does, and uses up its proof. Errors: ErrSpent,
// rate_limited.
func (s *Service) Spend(ctx context.Context, f Form) error {
	return s.Write(ctx, func(tx Tx) error {
		_, err := s.enter(tx, f)
		if err == nil && f.Key != "" {
			err = tx.ForgetForm(f.hash())
		}
		return err
	})
}

// Book makes the booking by calling do, unless the same form has made one already, at this server or another one: it
// then returns that booking as it is now. If the same form is sent many times at once, one books and the others wait
// for it. do books in the transaction that it gets, by a Service bound to it (see app.Service.In), and may run again.
// If do fails, the attempt still counts for the client, and uses up the proof. Errors: ErrSpent, rate_limited, those of
// do.
func (s *Service) Book(ctx context.Context, f Form,
	do func(tx app.Tx) (booking.Booking, error)) (booking.Booking, error) {
	var b booking.Booking
	var refused *fault.Error
	err := s.Write(ctx, func(tx Tx) error {
		b, refused = booking.Booking{}, nil
		made, err := s.enter(tx, f)
		if err != nil {
			return err
		}
		if made != 0 {
			b, err = tx.BookingByID(made)
			return fault.OrMissing(err, fault.New(fault.NotFound, "", "This booking was deleted."))
		}
		b, err = do(tx)
		if refused = fault.Refusal(err); refused == nil && err != nil {
			return err
		}
		switch {
		case f.Key == "":
			return nil
		case refused != nil:
			return tx.ForgetForm(f.hash())
		}
		return tx.SetFormBooking(f.hash(), b.ID)
	})
	switch {
	case err != nil:
		return booking.Booking{}, err
	case refused == nil:
		return b, nil
	case refused.Later != nil:
		if err := refused.Later(ctx); err != nil {
			return booking.Booking{}, err
		}
	}
	return booking.Booking{}, refused
}

// enter locks the form and counts it, unless it has booked already: made is that booking. Every form takes its locks in
// this order, before those of hosts.
func (s *Service) enter(tx Tx, f Form) (made booking.BookingID, err error) {
	now := when.At(s.Core.Now())
	if f.Proves {
		purpose := hash(f.Purpose)
		used, err := tx.UseProof(hash(f.Key), purpose, now)
		if err != nil {
			return 0, err
		}
		if string(used) != string(purpose) {
			return 0, ErrSpent
		}
	}
	if f.Key != "" {
		if made, err = tx.LockForm(f.hash(), now); err != nil || made != 0 {
			return made, err
		}
	}
	if !f.limited() {
		return 0, nil
	}
	return 0, s.count(tx, f.Client)
}

func (f Form) hash() Hash { return hash(f.Key + "\x00" + f.Purpose) }

func hash(text string) Hash {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

func (c Client) limited() bool { return c.Most >= 1 && c.Address.IsValid() && !c.Address.IsLoopback() }

// times returns how many bookings are counted: never more than the client may make in an hour.
func (c *Client) times() int { return max(1, min(c.Times, c.Most)) }

// tally is one of the counters of a client, and how many it takes in an hour.
type tally struct {
	of   Hash
	most int
}

// tallies returns the counters of the client: of its address, which for IPv6 is a /64, and of the network around it.
// They are in the order in which all transactions lock them.
func (c *Client) tallies() []tally {
	address, network, times := c.Address.BitLen(), 24, timesNetwork4
	if c.Address.Is6() {
		address, network, times = bitsOfClient, 48, timesNetwork6
	}
	of := func(bits int) Hash {
		prefix, _ := c.Address.Prefix(bits) // no error: the address is valid and has as many bits
		return hash(c.What + prefix.String())
	}
	all := []tally{{of(address), c.Most}, {of(network), times * c.Most}}
	slices.SortFunc(all, func(a, b tally) int { return bytes.Compare(a.of, b.of) })
	return all
}

// count counts the bookings of the client that are made at once, for its address and its network, or for neither where one of them is at its
// limit. It keeps the times of the last ones, so that the limits are exact.
func (s *Service) count(tx Tx, c Client) error { return s.add(tx, c.tallies(), c.times()) }

func (s *Service) add(tx Tx, all []tally, times int) error {
	now := when.At(s.Core.Now())
	kept, wait := make([][]byte, len(all)), time.Duration(0)
	for i := range all {
		before, err := tx.AddressTimes(all[i].of)
		if err != nil {
			return err
		}
		kept[i] = recent(before, now)
		wait = max(wait, all[i].wait(kept[i], times, now))
	}
	if wait > 0 {
		return limited(wait)
	}
	for i, t := range all {
		for range times {
			kept[i] = binary.BigEndian.AppendUint64(kept[i], uint64(now))
		}
		if err := tx.SetAddressTimes(t.of, kept[i], now); err != nil {
			return err
		}
	}
	return nil
}

// wait returns how long it is until the counter takes so many more than it has kept; 0 is now.
func (t *tally) wait(kept []byte, times int, now when.Instant) time.Duration {
	n := len(kept)/8 + times - 1
	if n < t.most {
		return 0
	}
	return timeAt(kept, n-t.most).Add(addressSpan).Time().Sub(now.Time())
}

func limited(wait time.Duration) error {
	return (&fault.Error{Code: fault.RateLimited}).With("retryAfter", int((wait+time.Second-1)/time.Second))
}

// recent returns the times within the last hour, in order. Times in the future, which a clock has left that was set
// back, are dropped.
func recent(times []byte, now when.Instant) []byte {
	var within []byte
	for i := range len(times) / 8 {
		if at := timeAt(times, i); at > now.Add(-addressSpan) && at < now.Add(addressSpan) {
			within = append(within, times[8*i:8*i+8]...)
		}
	}
	return within
}

func timeAt(times []byte, i int) when.Instant {
	return when.Instant(binary.BigEndian.Uint64(times[8*i:]))
}
