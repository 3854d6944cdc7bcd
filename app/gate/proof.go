package gate

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math/bits"
	"time"
)

// The fields of a form with its key and with the proof.
const (
	FormKeyField = "key"
	ProofField   = "proof"
)

// Challenge makes the keys of forms: the time at which the form was shown, random bytes, and a MAC of both, so that no
// key has to be stored. A form for which work is asked is only accepted with a proof of it: a text for which the
// SHA-256 of key, ":" and text begins with so many zero bits. A proof counts for one booking.
type Challenge struct {
	bits   int
	now    func() time.Time
	secret []byte // the same for all servers of a database
}

// NewChallenge makes a Challenge that always asks for at least so many bits, at most 32; 0 asks for no work. A nil
// secret is replaced by a random one that lasts as long as the process.
func NewChallenge(bits int, secret []byte, now func() time.Time) *Challenge {
	c := &Challenge{bits: max(0, min(bits, 32)), now: now, secret: secret}
	if secret == nil {
		c.secret = []byte(rand.Text())
	}
	return c
}

// Bits returns how many zero bits a proof must always have at least; 0 if none is asked for.
func (c *Challenge) Bits() int { return c.bits }

const keyHead = 8 + 8 // time, random

// Key makes a new key.
func (c *Challenge) Key() string {
	var b [keyHead + 16]byte
	binary.BigEndian.PutUint64(b[:], uint64(c.now().Unix()))
	rand.Read(b[8:keyHead]) //nolint:errcheck // never fails
	copy(b[keyHead:], c.mac(b[:keyHead]))
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func (c *Challenge) mac(head []byte) []byte {
	m := hmac.New(sha256.New, c.secret)
	m.Write(head)
	return m.Sum(nil)[:16]
}

// Genuine reports whether this server, or another one with the same secret, made the key within KeyLife.
func (c *Challenge) Genuine(key string) bool {
	b, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil || len(b) != keyHead+16 || !hmac.Equal(b[keyHead:], c.mac(b[:keyHead])) {
		return false
	}
	return c.now().Sub(time.Unix(int64(binary.BigEndian.Uint64(b)), 0)) < KeyLife
}

// Met reports whether proof shows work of need bits for the key; 0 bits need no proof.
func (c *Challenge) Met(key, proof string, need int) bool {
	return need == 0 || c.Genuine(key) && zeroBits(sha256.Sum256([]byte(key+":"+proof))) >= need
}

func zeroBits(sum [32]byte) int {
	return bits.LeadingZeros32(binary.BigEndian.Uint32(sum[:4]))
}
