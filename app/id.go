package app

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"time"
)

// kind names a resource in its ids: the prefix of the text form, and how many low bits tell ids of one millisecond apart.
type kind interface {
	prefix() string
	entropy() uint
}

// ID identifies one resource of a kind. Ids of a kind sort by the time they were made. The zero ID means none.
type ID[K kind] int64

type (
	WorkspaceID   = ID[workspaceKind]
	HostID        = ID[hostKind]
	EventTypeID   = ID[eventTypeKind]
	BookingID     = ID[bookingKind]
	ContactID     = ID[contactKind]
	KeyID         = ID[keyKind]
	UserID        = ID[userKind]
	EventID       = ID[eventKind]
	EndpointID    = ID[endpointKind]
	DeliveryID    = ID[deliveryKind]
	PaymentID     = ID[paymentKind]
	MailID        = ID[mailKind]
	FeedID        = ID[feedKind]
	workspaceKind struct{ few }
	hostKind      struct{ few }
	eventTypeKind struct{ few }
	keyKind       struct{ few }
	userKind      struct{ few }
	endpointKind  struct{ few }
	bookingKind   struct{ many }
	contactKind   struct{ many }
	eventKind     struct{ many }
	deliveryKind  struct{ many }
	paymentKind   struct{ many }
	mailKind      struct{ many }
	feedKind      struct{ many }
	few           struct{} // made by people: 47 bits, 6 bytes in SQLite
	many          struct{} // made by traffic: 63 bits
)

func (few) entropy() uint            { return 5 }
func (many) entropy() uint           { return 21 }
func (workspaceKind) prefix() string { return "ws_" }
func (hostKind) prefix() string      { return "hs_" }
func (eventTypeKind) prefix() string { return "et_" }
func (bookingKind) prefix() string   { return "bk_" }
func (contactKind) prefix() string   { return "ct_" }
func (keyKind) prefix() string       { return "key_" }
func (userKind) prefix() string      { return "us_" }
func (eventKind) prefix() string     { return "evt_" }
func (endpointKind) prefix() string  { return "wh_" }
func (deliveryKind) prefix() string  { return "dl_" }
func (paymentKind) prefix() string   { return "pay_" }
func (mailKind) prefix() string      { return "ml_" }
func (feedKind) prefix() string      { return "fd_" }

// NewID makes an id that is later than every id of its kind that this process made before. It is safe for concurrent use.
func NewID[K kind](now time.Time) ID[K] {
	var k K
	return ID[K](ids.next(k.prefix(), k.entropy(), now.UnixMilli()))
}

// idAfter makes an id that is later than last as well, for kinds that are read in the order of their ids.
func idAfter[K kind](now time.Time, last ID[K]) ID[K] {
	if id := NewID[K](now); id > last {
		return id
	}
	return last + 1
}

// firstID is the lowest id that was made at that time or later.
func firstID[K kind](at Instant) ID[K] {
	var k K
	return ID[K](int64(at) << k.entropy())
}

// MadeAt is when the id was made.
func (id ID[K]) MadeAt() Instant {
	var k K
	return Instant(int64(id) >> k.entropy())
}

var ids = generator{last: map[string]int64{}}

type generator struct {
	mu   sync.Mutex
	last map[string]int64
}

func (g *generator) next(kind string, entropy uint, ms int64) int64 {
	var random [8]byte
	rand.Read(random[:]) // never fails (crypto/rand)
	// The lower half of the space is drawn from, so that a burst within one millisecond can count upwards.
	low := int64(binary.LittleEndian.Uint64(random[:]) & (1<<(entropy-1) - 1))
	g.mu.Lock()
	defer g.mu.Unlock()
	id := max(ms<<entropy|low, g.last[kind]+1)
	g.last[kind] = id
	return id
}

// base32Digits keep the order of the numbers in the order of the texts (Crockford's digits, lower case).
const base32Digits = "0123456789abcdefghjkmnpqrstvwxyz"

// String is the text form, such as "bk_1k2m3n4p5q6r7". The zero ID is "".
func (id ID[K]) String() string {
	if id == 0 {
		return ""
	}
	return string(id.AppendTo(nil))
}

// AppendTo appends the text form to dst.
func (id ID[K]) AppendTo(dst []byte) []byte {
	var k K
	dst = append(dst, k.prefix()...)
	for shift := digits(k)*5 - 5; shift >= 0; shift -= 5 {
		dst = append(dst, base32Digits[id>>shift&31])
	}
	return dst
}

// ParseID reads the text form of a K. The error is for developers: a malformed id names nothing, so callers answer
// as for an unknown one.
func ParseID[K kind](text string) (ID[K], error) {
	var k K
	body, ok := strings.CutPrefix(text, k.prefix())
	if !ok || len(body) != digits(k) {
		return 0, fmt.Errorf("%q is not an id of the form %s…", text, k.prefix())
	}
	var id int64
	for _, c := range []byte(body) {
		d := strings.IndexByte(base32Digits, c)
		if d < 0 || id > (1<<63-1)>>5 {
			return 0, fmt.Errorf("%q is not an id of the form %s…", text, k.prefix())
		}
		id = id<<5 | int64(d)
	}
	return ID[K](id), nil
}

// digits is how many base-32 digits hold 42 bits of milliseconds and the kind's entropy.
func digits(k kind) int { return int(42+k.entropy()+4) / 5 }

// MarshalText writes the text form.
func (id ID[K]) MarshalText() ([]byte, error) {
	if id == 0 {
		return nil, nil
	}
	return id.AppendTo(nil), nil
}

// UnmarshalText reads the text form.
func (id *ID[K]) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*id = 0
		return nil
	}
	*id, err = ParseID[K](string(text))
	return err
}
