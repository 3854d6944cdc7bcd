// Package id makes, writes and reads the ids of resources: 64-bit numbers that sort by time, with a text form that
// names their kind. It imports nothing of Daybook.
//
// An id is milliseconds since 1970 above a counter that starts at random, so it takes 6 to 8 bytes in a row and in each
// index, a third of what its text does. The text form is the kind and base 32 in lower case. TEXT ids would break the
// bound of 350 bytes per booking, indexes included.
package id

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"time"
)

// Kind describes the ids of a resource: the prefix of the text form, and how many low bits tell ids of one millisecond
// apart.
type Kind interface {
	Prefix() string
	Bits() uint
}

// ID identifies one resource of a kind. Ids of a kind sort by the time they were made. The zero ID means none.
type ID[K Kind] int64

// Few is for kinds that people make by hand: 47 bits, 6 bytes in SQLite.
type Few struct{}

// Many is for kinds that traffic makes: 63 bits.
type Many struct{}

func (Few) Bits() uint { return 5 }

func (Many) Bits() uint { return 21 }

// New makes an id that is later than every id of its kind that this process has made. It is safe for concurrent use.
func New[K Kind](now time.Time) ID[K] {
	var k K
	return noted(ID[K](ids.next(k.Prefix(), k.Bits(), now.UnixMilli())))
}

// After makes an id that is also later than last, for kinds whose ids must grow although a clock stands behind. Two
// processes may make ids after the same last one at the same time: each goes a random step on, so that they are seldom
// the same.
func After[K Kind](now time.Time, last ID[K]) ID[K] {
	if id := New[K](now); id > last {
		return id
	}
	var k K
	return noted(last + 1 + ID[K](random(k.Bits()/2)))
}

// As returns the id of a kind that has the number of another one's, as what is found by its first part has.
func As[To, From Kind](of ID[From]) ID[To] { return noted(ID[To](of)) }

// First returns the lowest id of that time or later.
func First[K Kind](at time.Time) ID[K] {
	var k K
	return ID[K](at.UnixMilli() << k.Bits())
}

// MadeAt returns the time at which the id was made.
func (id ID[K]) MadeAt() time.Time {
	var k K
	return time.UnixMilli(int64(id) >> k.Bits()).UTC()
}

var ids = generator{last: map[string]int64{}}

type generator struct {
	mu   sync.Mutex
	last map[string]int64
}

func (g *generator) next(kind string, entropy uint, ms int64) int64 {
	low := random(entropy - 1) // the lower half of the range, so that a burst within one millisecond can count upwards
	g.mu.Lock()
	defer g.mu.Unlock()
	id := max(ms<<entropy|low, g.last[kind]+1)
	g.last[kind] = id
	return id
}

// random draws a number of so many bits.
func random(bits uint) int64 {
	var b [8]byte
	rand.Read(b[:]) // never fails (crypto/rand)
	return int64(binary.LittleEndian.Uint64(b[:]) & (1<<bits - 1))
}

// Base32 has Crockford's digits in lower case. Texts in it sort like the numbers.
const Base32 = "0123456789abcdefghjkmnpqrstvwxyz"

// String returns the text form, such as "bk_1k2m3n4p5q6r7". The zero ID is "".
func (id ID[K]) String() string {
	if id == 0 {
		return ""
	}
	return string(id.AppendTo(nil))
}

// AppendTo appends the text form to dst.
func (id ID[K]) AppendTo(dst []byte) []byte {
	var k K
	dst = append(dst, k.Prefix()...)
	for shift := Digits(k)*5 - 5; shift >= 0; shift -= 5 {
		dst = append(dst, Base32[id>>shift&31])
	}
	return dst
}

// Parse reads the text form of a K. The error is for developers: a malformed id names nothing, so callers treat it like
// an unknown one.
func Parse[K Kind](text string) (ID[K], error) {
	var k K
	body, ok := strings.CutPrefix(text, k.Prefix())
	if !ok || len(body) != Digits(k) {
		return 0, fmt.Errorf("%q is not an id of the form %s…", text, k.Prefix())
	}
	var id int64
	for _, c := range []byte(body) {
		d := strings.IndexByte(Base32, c)
		if d < 0 || id > (1<<63-1)>>5 {
			return 0, fmt.Errorf("%q is not an id of the form %s…", text, k.Prefix())
		}
		id = id<<5 | int64(d)
	}
	return ID[K](id), nil
}

// Digits returns how many base-32 digits hold 42 bits of milliseconds and the random bits of the kind.
func Digits(k Kind) int { return int(42+k.Bits()+4) / 5 }

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
	*id, err = Parse[K](string(text))
	return err
}
