package page

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math/bits"
	"time"

	bookingform "daybook/app/form"
)

const (
	keyField   = "key"
	proofField = "proof"
)

// challenge makes the keys of forms: the time at which the form was shown, random bytes, and a MAC of both, so that no
// key has to be stored. If bits is set, a form is only accepted with a proof of work: a text for which the SHA-256 of
// key, ":" and text begins with that many zero bits. A proof counts for one booking, see package form.
type challenge struct {
	bits   int
	now    func() time.Time
	secret []byte // the same for all servers of a database
}

func newChallenge(bits int, secret []byte, now func() time.Time) *challenge {
	c := &challenge{bits: max(0, min(bits, 32)), now: now, secret: secret}
	if secret == nil {
		c.secret = []byte(rand.Text())
	}
	return c
}

const keyHead = 8 + 8 // time, random

// key makes a new key.
func (c *challenge) key() string {
	var b [keyHead + 16]byte
	binary.BigEndian.PutUint64(b[:], uint64(c.now().Unix()))
	rand.Read(b[8:keyHead]) //nolint:errcheck // never fails
	copy(b[keyHead:], c.mac(b[:keyHead]))
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func (c *challenge) mac(head []byte) []byte {
	m := hmac.New(sha256.New, c.secret)
	m.Write(head)
	return m.Sum(nil)[:16]
}

// genuine reports whether this server, or another one with the same secret, made the key, and not too long ago.
func (c *challenge) genuine(key string) bool {
	b, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil || len(b) != keyHead+16 || !hmac.Equal(b[keyHead:], c.mac(b[:keyHead])) {
		return false
	}
	return c.now().Sub(time.Unix(int64(binary.BigEndian.Uint64(b)), 0)) < bookingform.KeyLife
}

// met reports whether the work was done for the key, if work is required.
func (c *challenge) met(key, proof string) bool {
	return c.bits == 0 || c.genuine(key) && zeroBits(sha256.Sum256([]byte(key+":"+proof))) >= c.bits
}

func zeroBits(sum [32]byte) int {
	return bits.LeadingZeros32(binary.BigEndian.Uint32(sum[:4]))
}
