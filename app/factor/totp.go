package factor

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"
)

const (
	stepLength = 30 * time.Second // RFC 6238 §5.2
	codeDigits = 6
	secretSize = 20 // bytes; RFC 4226 §4 wants 160 bits
	stepsApart = 1  // how far a phone's clock may be off, in steps
)

var unpadded = base32.StdEncoding.WithPadding(base32.NoPadding)

func newSecret() []byte {
	secret := make([]byte, secretSize)
	rand.Read(secret)
	return secret
}

// stepAt returns the number of the step that the moment is in.
func stepAt(now time.Time) int64 { return now.Unix() / int64(stepLength/time.Second) }

// hotp returns the code of a counter (RFC 4226 §5.3).
func hotp(secret []byte, counter int64, digits int) string {
	mac := hmac.New(sha1.New, secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(counter)))
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	n := uint64(binary.BigEndian.Uint32(sum[at:]) & 0x7fffffff)
	most := uint64(1)
	for range digits {
		most *= 10
	}
	return fmt.Sprintf("%0*d", digits, n%most)
}

// stepOf finds the step near now that the code is of. It takes the same time for every code.
func stepOf(secret []byte, code string, now time.Time) (step int64, ok bool) {
	for near := stepAt(now) - stepsApart; near <= stepAt(now)+stepsApart; near++ {
		if subtle.ConstantTimeCompare([]byte(hotp(secret, near, codeDigits)), []byte(code)) == 1 {
			step, ok = near, true
		}
	}
	return step, ok
}

// keyURI returns what an authenticator app reads from the QR code.
func keyURI(secret []byte, issuer, account string) string {
	q := url.Values{"secret": {unpadded.EncodeToString(secret)}, "issuer": {issuer}}
	return "otpauth://totp/" + url.PathEscape(issuer) + ":" + url.PathEscape(account) + "?" + q.Encode()
}
